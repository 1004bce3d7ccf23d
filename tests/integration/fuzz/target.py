"""An application for unusual requests, and test cases generated from its description."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

import schemathesis
from flask import Flask
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

CHECKS: Final = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
]
ALWAYS_VALID: Final = {
    ("POST", "/api/v1/pictures"),
    ("GET", "/api/v1/lab"),
    ("GET", "/api/v1/operator"),
    ("GET", "/api/v1/queues"),
    ("GET", "/api/v1/statistics"),
    ("GET", "/api/v1/webhooks"),
    ("POST", "/api/v1/webhooks/secret"),
}


@dataclass(frozen=True)
class Target:
    """A running application, the ids of its objects by parameter name, and a cookie."""

    app: Flask
    ids: Mapping[str, str]
    operator_cookie: str


def list_operations(description: Any) -> Iterator[tuple[Any, GenerationMode]]:
    """Yield each operation with both modes: valid and invalid requests."""
    for result in description.get_all_operations():
        operation = result.ok()
        yield operation, GenerationMode.POSITIVE
        if (operation.method.upper(), operation.path) not in ALWAYS_VALID:
            yield operation, GenerationMode.NEGATIVE


def send_cases(
    target: Target, operation: Any, mode: GenerationMode, case_seed: int, limit: int
) -> int:
    """Send the cases generated from a seed; return their number."""
    count = 0

    @seed(case_seed)
    @given(case=operation.as_strategy(generation_mode=mode), use_ids=st.booleans())
    @settings(
        max_examples=limit,
        deadline=None,
        phases=(Phase.explicit, Phase.generate),
        suppress_health_check=list(HealthCheck),
        database=None,
    )
    def check(case: schemathesis.Case, use_ids: bool) -> None:
        nonlocal count
        # No object has a random id.
        for name in (case.path_parameters or {}).keys() & target.ids.keys() if use_ids else ():
            case.path_parameters[name] = target.ids[name]
        # Bodies are checked as text; another test covers compression.
        case.call_and_validate(checks=CHECKS, headers={"Accept-Encoding": "identity"})
        count += 1

    check()
    return count
