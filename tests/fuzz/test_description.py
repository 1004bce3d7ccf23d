"""The API holds to its own description, whatever is sent: Schemathesis over OpenAPI."""

from __future__ import annotations

from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
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


@pytest.mark.parametrize(
    ("method", "path", "mode"),
    [
        (*operation, mode)
        for operation in OPERATIONS
        for mode in (GenerationMode.POSITIVE, GenerationMode.NEGATIVE)
        if mode is GenerationMode.POSITIVE or operation not in NOTHING_TO_GET_WRONG
    ],
)
def test_every_answer_is_as_described(
    target: Any, description: Any, method: str, path: str, mode: GenerationMode
) -> None:
    operation = description[path][method]

    @given(case=operation.as_strategy(generation_mode=mode), there=st.booleans())
    @settings(
        max_examples=40,
        deadline=None,
        derandomize=True,
        phases=(Phase.explicit, Phase.generate),
        suppress_health_check=list(HealthCheck),
        database=None,
    )
    def hold(case: schemathesis.Case, there: bool) -> None:
        # An address made up is never one that is there.
        for name in ("job_id", "batch_id", "comparison_id", "run_id"):
            if there and name in (case.path_parameters or {}):
                case.path_parameters[name] = getattr(target, name)
        case.call_and_validate(checks=CHECKS)

    hold()
