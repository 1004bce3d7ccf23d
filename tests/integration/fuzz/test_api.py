"""The API matches its own description; invalid input is rejected without a server error."""

from typing import Any
from urllib.parse import urlencode

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.integration.fuzz.parser_inputs import read_inputs
from tests.integration.fuzz.target import Target, list_operations, send_cases

NAMES = ("jobs", "batches", "boards/check", "boards/scramble", "comparisons")
PATHS = [f"/api/v1/{name}" for name in NAMES]
FIELDS = [
    *("board", "goal", "width", "metric", "target", "gap", "wait", "since", "limit", "before"),
    *("format", "lang", "by", "first", "count", "brief"),
]
BOARD_LIKE = st.text(alphabet='0123456789 xX_.,;:/|()[]{}\n\t-"\x00²é', max_size=80)
VALUES = st.sampled_from(["3x2: 1 2 3 4 5 0", "blank-last", "udlr"]) | BOARD_LIKE
VALUES |= (st.none() | st.booleans() | st.integers() | st.floats()).map(str)


def is_valid_response(response: Any) -> bool:
    if response.status_code >= 500:
        return False
    return response.status_code < 400 or response.content_type == "application/problem+json"


def test_thousands_of_inputs_are_read_or_rejected_in_one_sentence() -> None:
    counts = read_inputs(3_000)
    assert min(counts["boards"], counts["rejected"]) > 200


def test_every_response_matches_its_description(target: Target, description: Any) -> None:
    for operation, mode in list_operations(description):
        assert send_cases(target, operation, mode, case_seed=0, limit=8)


@settings(max_examples=100)
@given(
    path=st.sampled_from(PATHS),
    content_type=st.sampled_from(["application/json", "text/plain"]),
    body=st.binary(max_size=80) | BOARD_LIKE.map(str.encode),
)
def test_any_body_is_handled(target: Target, path: str, content_type: str, body: bytes) -> None:
    response = target.app.test_client().post(path, data=body, content_type=content_type)
    assert is_valid_response(response), response.text


@settings(max_examples=30)
@given(
    query=st.dictionaries(st.sampled_from(FIELDS), VALUES, max_size=4),
    etag=st.text(alphabet='W/"*1.,\\ é', max_size=10),
    path=st.text(alphabet="abc/%.é\x00-0123456789", max_size=40),
)
def test_any_url_is_handled(target: Target, query: dict[str, str], etag: str, path: str) -> None:
    client, ids = target.app.test_client(), target.ids
    job, batch = f"jobs/{ids['job_id']}", f"batches/{ids['batch_id']}"
    comparison, run = f"comparisons/{ids['comparison_id']}", f"runs/{ids['run_id']}"
    for resource in (
        *(f"jobs/{path}", "jobs", job, f"{job}/solution", "solutions", f"{batch}/results"),
        *(comparison, f"{comparison}/results", run, f"{run}/trace", "lab"),
    ):
        url = f"/api/v1/{resource}?{urlencode(query)}"
        with client.get(url, headers={"If-None-Match": etag}) as response:
            assert is_valid_response(response), response.text
