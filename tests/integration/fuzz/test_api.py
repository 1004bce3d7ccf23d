"""The API matches its own description; invalid input is rejected without a server error."""

from typing import Any

from tests.integration.fuzz.parser_inputs import read_inputs
from tests.integration.fuzz.target import Target, list_operations, send_cases


def test_thousands_of_inputs_are_read_or_rejected_in_one_sentence() -> None:
    counts = read_inputs(3_000)
    assert min(counts["boards"], counts["rejected"]) > 200


def test_every_response_matches_its_description(target: Target, description: Any) -> None:
    for operation, mode in list_operations(description):
        assert send_cases(target, operation, mode, case_seed=0, limit=5)
