"""The API holds to its own description, whatever is sent: Schemathesis over OpenAPI.

``FUZZ_CASES=20000 pytest tests/fuzz/test_description.py -m slow`` sends so many cases.
"""

from __future__ import annotations

import os
from itertools import count
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

OPERATIONS = [
    ("POST", "/api/v1/jobs"),
    ("GET", "/api/v1/jobs"),
    ("GET", "/api/v1/jobs/{job_id}"),
    ("DELETE", "/api/v1/jobs/{job_id}"),
    ("GET", "/api/v1/jobs/{job_id}/history"),
    ("GET", "/api/v1/jobs/{job_id}/solution"),
    ("GET", "/api/v1/jobs/{job_id}/solution/board"),
    ("GET", "/api/v1/jobs/{job_id}/solution/moves"),
    ("GET", "/api/v1/jobs/{job_id}/certificate"),
    ("GET", "/api/v1/solutions"),
    ("POST", "/api/v1/batches"),
    ("GET", "/api/v1/batches/{batch_id}"),
    ("GET", "/api/v1/batches/{batch_id}/results"),
    ("POST", "/api/v1/boards/check"),
    ("POST", "/api/v1/boards/scramble"),
    ("POST", "/api/v1/pictures"),
    ("POST", "/api/v1/analyses"),
    ("GET", "/api/v1/analyses/{analysis_id}"),
    ("DELETE", "/api/v1/analyses/{analysis_id}"),
    ("POST", "/api/v1/ways"),
    ("GET", "/api/v1/ways/{ways_id}"),
    ("DELETE", "/api/v1/ways/{ways_id}"),
    ("GET", "/api/v1/ways/{ways_id}/solutions"),
    ("GET", "/api/v1/ways/{ways_id}/graph"),
    ("GET", "/api/v1/history"),
    ("PATCH", "/api/v1/history/{entry_id}"),
    ("DELETE", "/api/v1/history/{entry_id}"),
    ("POST", "/api/v1/hints"),
    ("GET", "/api/v1/daily/{date}/{size}"),
    ("GET", "/api/v1/lab"),
    ("POST", "/api/v1/comparisons"),
    ("GET", "/api/v1/comparisons/{comparison_id}"),
    ("DELETE", "/api/v1/comparisons/{comparison_id}"),
    ("GET", "/api/v1/comparisons/{comparison_id}/results"),
    ("GET", "/api/v1/runs/{run_id}"),
    ("GET", "/api/v1/runs/{run_id}/trace"),
    ("GET", "/api/v1/queues"),
    ("GET", "/api/v1/statistics"),
]
CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
]
NOTHING_TO_GET_WRONG = [
    ("POST", "/api/v1/pictures"),
    ("GET", "/api/v1/lab"),
    ("GET", "/api/v1/queues"),
    ("GET", "/api/v1/statistics"),
]


@pytest.fixture(scope="module")
def description(target: Any) -> Any:
    return schemathesis.openapi.from_wsgi("/openapi/openapi.json", target.app)


def test_no_operation_is_left_out(description: Any) -> None:
    described = [found.ok() for found in description.get_all_operations()]
    assert {(one.method.upper(), one.path) for one in described} == set(OPERATIONS)


KINDS = [
    (*operation, mode)
    for operation in OPERATIONS
    for mode in (GenerationMode.POSITIVE, GenerationMode.NEGATIVE)
    if mode is GenerationMode.POSITIVE or operation not in NOTHING_TO_GET_WRONG
]


@pytest.mark.parametrize(("method", "path", "mode"), KINDS)
def test_every_answer_is_as_described(
    target: Any, description: Any, method: str, path: str, mode: GenerationMode
) -> None:
    assert sent(target, description[path][method], mode, number=0, most=40)


@pytest.mark.slow
@pytest.mark.timeout(3 * 3600)
def test_twenty_thousand_answers_are_as_described(target: Any, description: Any) -> None:
    wanted = int(os.environ.get("FUZZ_CASES", "20000"))
    total = 0
    for number in count(1):
        for method, path, mode in KINDS:
            total += sent(target, description[path][method], mode, number, most=100)
        if total >= wanted:
            break
    print(f"{total} cases")


def sent(target: Any, operation: Any, mode: GenerationMode, number: int, most: int) -> int:
    """Send cases, the same for the same number, and return how many."""
    done = 0

    @seed(number)
    @given(case=operation.as_strategy(generation_mode=mode), there=st.booleans())
    @settings(
        max_examples=40,
        deadline=None,
        phases=(Phase.explicit, Phase.generate),
        suppress_health_check=list(HealthCheck),
        database=None,
    )
    def hold(case: schemathesis.Case, there: bool) -> None:
        nonlocal done
        # An address made up is never one that is there.
        for name in ("job_id", "batch_id", "comparison_id", "run_id", "ways_id", "entry_id"):
            if there and name in (case.path_parameters or {}):
                case.path_parameters[name] = getattr(target, name)
        # Bodies are judged as text; that they are the same compressed is asked elsewhere.
        case.call_and_validate(checks=CHECKS, headers={"Accept-Encoding": "identity"})
        done += 1

    hold()
    return done
