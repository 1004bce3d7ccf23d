"""Bad input is the client's fault and never the server's: bodies and queries out of nowhere."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import urlencode

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

PLACES = [
    "/api/v1/jobs",
    "/api/v1/batches",
    "/api/v1/boards/check",
    "/api/v1/boards/scramble",
    "/api/v1/comparisons",
]
FIELDS = [
    "board", "boards", "goal", "width", "height", "metric", "target", "gap", "time_limit_s",
    "algorithm", "heuristic", "seed", "moves", "methods", "algorithms", "heuristics", "node_limit",
    "memory_limit_mb", "trace", "sweep",
]  # fmt: skip
NUMBERS = st.integers() | st.integers(-1, 20) | st.floats()
LEAVES = (
    st.none()
    | st.booleans()
    | NUMBERS
    | st.text()
    | st.sampled_from(["blank-last", "optimal", "gap", "1 2 3 0", "3x2: 1 2 3 4 5 0", "auto"])
    | st.sampled_from(
        ["a-star", "beam:zero:nan", "weighted-a-star:manhattan:1e999", "breadth-first"]
    )
)
VALUES = st.recursive(
    LEAVES,
    lambda inner: (
        st.lists(inner, max_size=6)
        | st.dictionaries(
            st.sampled_from(
                ["tiles", "width", "height", "boards", "moves", "seed", "first", "every"]
            )
            | st.text(),
            inner,
            max_size=3,
        )
    ),
    max_leaves=20,
)
BOARDISH = st.text(alphabet="0123456789 xX_.,;:/|()[]\n\t-\x00²é", max_size=60)
OBJECTS = st.dictionaries(st.sampled_from(FIELDS), VALUES | BOARDISH, max_size=5)


def is_fair(answer: Any) -> bool:
    if answer.status_code >= 500:
        return False
    return answer.status_code < 400 or answer.content_type == "application/problem+json"


@pytest.mark.parametrize("path", PLACES)
@settings(max_examples=100)
@given(body=OBJECTS | VALUES)
def test_any_json(target: Any, path: str, body: object) -> None:
    answer = target.app.test_client().post(
        path, data=json.dumps(body), content_type="application/json"
    )
    assert is_fair(answer), answer.text


@pytest.mark.parametrize("path", PLACES)
@pytest.mark.parametrize("content_type", ["application/json", "text/plain"])
@settings(max_examples=60)
@given(body=st.binary(max_size=80) | BOARDISH.map(str.encode))
def test_any_bytes(target: Any, path: str, content_type: str, body: bytes) -> None:
    answer = target.app.test_client().post(path, data=body, content_type=content_type)
    assert is_fair(answer), answer.text


@settings(max_examples=150)
@given(
    query=st.dictionaries(
        st.sampled_from([*FIELDS, "wait", "since", "limit", "before", "format", "lang", "by"]),
        LEAVES.map(str) | BOARDISH,
        max_size=4,
    ),
    etag=st.text(alphabet='W/"*1.,\\ é', max_size=10),
)
def test_any_query(target: Any, query: dict[str, str], etag: str) -> None:
    client = target.app.test_client()
    words = urlencode({name: value.encode(errors="replace") for name, value in query.items()})
    job, batch = f"/api/v1/jobs/{target.job_id}", f"/api/v1/batches/{target.batch_id}"
    comparison, run = f"/api/v1/comparisons/{target.comparison_id}", f"/api/v1/runs/{target.run_id}"
    for path in (
        "/api/v1/jobs", job, f"{job}/solution", "/api/v1/solutions", f"{batch}/results",
        comparison, f"{comparison}/results", run, f"{run}/trace", "/api/v1/lab",
    ):  # fmt: skip
        with client.get(f"{path}?{words}", headers={"If-None-Match": etag}) as answer:
            assert is_fair(answer), answer.text


@settings(max_examples=100)
@given(path=st.text(alphabet="abc/%.é\x00-0123456789", max_size=40))
def test_any_address(target: Any, path: str) -> None:
    answer = target.app.test_client().get(f"/api/v1/jobs/{path}")
    assert is_fair(answer), answer.text


@settings(max_examples=60)
@given(
    cookie=st.text(alphabet='abc.=;" é0-_', max_size=40),
    key=st.text(alphabet="Bearer abc.é0\t", max_size=40),
    idempotency=st.text(alphabet="abc é\t", max_size=300),
)
def test_any_identity(target: Any, cookie: str, key: str, idempotency: str) -> None:
    headers = {
        "Cookie": f"tilework_client={cookie}",
        "Authorization": key.strip(),
        "Idempotency-Key": idempotency.strip(),
    }
    answer = target.app.test_client(use_cookies=False).post(
        "/api/v1/jobs", json={"board": "1 2 3 4 5 6 7 0 8"}, headers=headers
    )
    assert is_fair(answer), answer.text
