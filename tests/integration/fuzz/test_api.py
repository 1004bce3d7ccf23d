"""The API holds to its own description, and bad input is never the server's fault."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import urlencode

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.integration.fuzz.target import Target, kinds, sent
from tests.integration.web.conftest import EASY_3X3

PLACES = st.sampled_from(
    [f"/api/v1/{path}" for path in ("jobs", "batches", "boards/check", "boards/scramble")]
    + ["/api/v1/comparisons"]
)
FIELDS = [
    "board", "boards", "goal", "width", "height", "metric", "target", "gap", "time_limit_s",
    "algorithm", "heuristic", "seed", "moves", "methods", "algorithms", "heuristics", "node_limit",
    "memory_limit_mb", "trace", "sweep",
]  # fmt: skip
WORDS = [
    "blank-last", "optimal", "gap", "1 2 3 0", "3x2: 1 2 3 4 5 0", "auto", "a-star",
    "beam:zero:nan", "weighted-a-star:manhattan:1e999", "breadth-first",
]  # fmt: skip
NAMES = st.sampled_from(["tiles", "width", "height", "boards", "moves", "seed", "first", "every"])
NUMBERS = st.integers() | st.integers(-1, 20) | st.floats()
LEAVES = st.none() | st.booleans() | NUMBERS | st.text() | st.sampled_from(WORDS)
VALUES = st.recursive(
    LEAVES,
    lambda inner: (
        st.lists(inner, max_size=6) | st.dictionaries(NAMES | st.text(), inner, max_size=3)
    ),
    max_leaves=20,
)
BOARDISH = st.text(alphabet="0123456789 xX_.,;:/|()[]\n\t-\x00²é", max_size=60)
OBJECTS = st.dictionaries(st.sampled_from(FIELDS), VALUES | BOARDISH, max_size=5)
ASKED = st.sampled_from([*FIELDS, "wait", "since", "limit", "before", "format", "lang", "by"])


def is_fair(answer: Any) -> bool:
    if answer.status_code >= 500:
        return False
    return answer.status_code < 400 or answer.content_type == "application/problem+json"


def test_every_answer_is_as_described(target: Target, description: Any) -> None:
    for operation, mode in kinds(description):
        assert sent(target, operation, mode, number=0, most=8)


@settings(max_examples=150)
@given(path=PLACES, body=OBJECTS | VALUES)
def test_any_json(target: Target, path: str, body: object) -> None:
    data, kind = json.dumps(body), "application/json"
    answer = target.app.test_client().post(path, data=data, content_type=kind)
    assert is_fair(answer), answer.text


@settings(max_examples=100)
@given(
    path=PLACES,
    kind=st.sampled_from(["application/json", "text/plain"]),
    body=st.binary(max_size=80) | BOARDISH.map(str.encode),
)
def test_any_bytes(target: Target, path: str, kind: str, body: bytes) -> None:
    answer = target.app.test_client().post(path, data=body, content_type=kind)
    assert is_fair(answer), answer.text


@settings(max_examples=30)
@given(
    query=st.dictionaries(ASKED, LEAVES.map(str) | BOARDISH, max_size=4),
    etag=st.text(alphabet='W/"*1.,\\ é', max_size=10),
    path=st.text(alphabet="abc/%.é\x00-0123456789", max_size=40),
)
def test_any_address(target: Target, query: dict[str, str], etag: str, path: str) -> None:
    client, ids = target.app.test_client(), target.ids
    words = urlencode({name: value.encode(errors="replace") for name, value in query.items()})
    job, batch = f"jobs/{ids['job_id']}", f"batches/{ids['batch_id']}"
    comparison, run = f"comparisons/{ids['comparison_id']}", f"runs/{ids['run_id']}"
    for there in (
        f"jobs/{path}", "jobs", job, f"{job}/solution", "solutions", f"{batch}/results",
        comparison, f"{comparison}/results", run, f"{run}/trace", "lab",
    ):  # fmt: skip
        with client.get(f"/api/v1/{there}?{words}", headers={"If-None-Match": etag}) as answer:
            assert is_fair(answer), answer.text


@settings(max_examples=50)
@given(
    cookie=st.text(alphabet='abc.=;" é0-_', max_size=40),
    key=st.text(alphabet="Bearer abc.é0\t", max_size=40),
    idempotency=st.text(alphabet="abc é\t", max_size=300),
)
def test_any_identity(target: Target, cookie: str, key: str, idempotency: str) -> None:
    headers = {
        "Cookie": f"tilework_client={cookie}",
        "Authorization": key.strip(),
        "Idempotency-Key": idempotency.strip(),
    }
    client = target.app.test_client(use_cookies=False)
    answer = client.post("/api/v1/jobs", json={"board": EASY_3X3}, headers=headers)
    assert is_fair(answer), answer.text
