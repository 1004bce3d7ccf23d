"""Bodies that would cost seconds to parse are refused unparsed; large honest ones are read."""

from __future__ import annotations

import json
import tracemalloc
from typing import Any

import pytest
from flask.testing import FlaskClient

from tilework.core.settings import Settings
from tilework.web.bodies import (
    MOST_DIGITS,
    SMALL_BYTES,
    Bounds,
    form_of_a_board,
    json_of_a_batch,
    json_of_a_board,
    why_costly,
)

SIDE = 300
TILES = [*range(1, SIDE * SIDE), 0]
ROWS = [TILES[row * SIDE : (row + 1) * SIDE] for row in range(SIDE)]
LINES = "\n".join(" ".join(map(str, row)) for row in ROWS)
PLACES = [
    "/api/v1/jobs",
    "/api/v1/batches",
    "/api/v1/boards/check",
    "/api/v1/boards/scramble",
    "/api/v1/comparisons",
]
JSON = {"content_type": "application/json"}
FORM = {"content_type": "application/x-www-form-urlencoded"}
MILLION = 1_000_000


def listed(piece: str, count: int = MILLION) -> str:
    return f"[{','.join([piece] * count)}]"


COSTLY = {
    "lists": (listed("[]"), "body-signs"),
    "lists apart": (listed("[ 1 ]", MILLION // 2), "body-signs"),
    "numbers": (listed("1", 2 * MILLION), "body-signs"),
    "names": ("{" + ",".join(f'"a{n}":1' for n in range(100_000)) + "}", "body-signs"),
    "one name": ("{" + ",".join(['"a":1'] * 100_000) + "}", "body-signs"),
    "escapes": (json.dumps({"board": "\n" * 2 * MILLION}), "body-signs"),
    "long numbers": (listed("9" * 4_000, 800), "body-digits"),
}


@pytest.mark.parametrize(
    ("path", "kind"),
    [*((path, "lists") for path in PLACES), *((PLACES[0], kind) for kind in COSTLY)],
)
def test_a_costly_body_is_refused_unparsed(client: FlaskClient, path: str, kind: str) -> None:
    body, code = COSTLY[kind]
    tracemalloc.start()
    answer = client.post(path, data=body, **JSON)
    _now, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert (answer.status_code, answer.json["type"]) == (413, "urn:tilework:problem:too-large")
    assert answer.json["code"] == code
    # The body itself is copied a few times on its way; what it stands for would be far more.
    assert peak < 5 * len(body) + 2**20


def test_a_body_over_the_limit_is_told_the_limit(make_app: Any) -> None:
    answer = make_app(max_body_bytes=100).test_client().post(PLACES[0], data="x" * 101, **JSON)
    assert (answer.status_code, answer.json["code"]) == (413, "body-bytes")
    assert "100 bytes" in answer.json["detail"]


def test_json_with_one_board_has_a_limit_of_its_own(make_app: Any) -> None:
    body = json.dumps({"board": "1 2 3 0"}) + " " * 2 * SMALL_BYTES
    client = make_app(max_cells=400).test_client()
    assert client.post(PLACES[2], data=body, **JSON).status_code == 413
    assert make_app().test_client().post(PLACES[2], data=body, **JSON).json["valid"]


@pytest.mark.parametrize("name", ["x" * 5_000, "~/" * 5_000])
def test_a_long_name_is_not_told_whole(client: FlaskClient, name: str) -> None:
    answer = client.post(PLACES[0], json={"board": "1 2 3 0", name: 1})
    assert (answer.status_code, answer.json["code"]) == (422, "fields")
    assert len(answer.text) < 1_000


@pytest.mark.parametrize(
    "given",
    [
        {"board": ROWS, "goal": ROWS},
        {"board": TILES, "goal": TILES},
        {"board": LINES, "goal": LINES},
        {"board": LINES.replace("\n", "\r\n"), "goal": json.dumps(ROWS, indent=2)},
    ],
)
@pytest.mark.parametrize("indent", [None, 4])
def test_the_largest_board_and_its_goal_are_read(
    client: FlaskClient, given: dict[str, Any], indent: int | None
) -> None:
    verdict = client.post(PLACES[2], data=json.dumps(given, indent=indent), **JSON).json
    assert (verdict["valid"], verdict["is_goal"]) == (True, True)


def test_the_largest_board_and_its_goal_are_read_from_a_form(client: FlaskClient) -> None:
    form = {"board": json.dumps(ROWS), "goal": "own", "goal_board": json.dumps(ROWS)}
    answer = client.post("/board/check", data=form)
    assert answer.status_code == 200
    assert "300×300" in answer.text


@pytest.mark.parametrize(
    "board", [[[*range(10)]] * 10, " ".join(map(str, range(100))), "\n".join(["1 2 3 4"] * 25)]
)
def test_a_full_batch_is_within_bounds(board: object) -> None:
    settings = Settings()
    body = json.dumps({"boards": [board] * settings.max_batch}).encode()
    assert SMALL_BYTES < len(body) < settings.max_body_bytes
    assert why_costly(body, json_of_a_batch(settings)) is None


@pytest.mark.parametrize("place", [*range(SMALL_BYTES - 40, SMALL_BYTES + 2), 2 * SMALL_BYTES])
def test_a_long_number_is_found_wherever_it_stands(place: int) -> None:
    bounds = Bounds(10 * SMALL_BYTES, {})
    rest = b"," * 3 * SMALL_BYTES
    for digits, costly in ((MOST_DIGITS, False), (MOST_DIGITS + 1, True)):
        body = rest[:place] + b"7" * digits + rest[place:]
        assert (why_costly(body, bounds) is not None) is costly


@pytest.mark.parametrize("sign", [",", "[", ":", "\\"])
def test_a_sign_may_stand_as_often_as_said(sign: str) -> None:
    bounds = json_of_a_board(Settings())
    most = bounds.signs[sign]
    inside, beyond = sign.encode() * most + b" " * SMALL_BYTES, sign.encode() * (most + 1)
    assert why_costly(inside, bounds) is None
    fault = why_costly(beyond + b" " * SMALL_BYTES, bounds)
    assert fault is not None
    assert str(most) in str(fault)


@pytest.mark.parametrize(
    ("path", "form"),
    [
        ("/jobs", "&".join(f"a{n}=1" for n in range(20_000))),
        ("/lab", "&" * MILLION),
        ("/comparisons", "board=" + "%41" * (MILLION // 3)),
        ("/board/check", "board=" + "%2C" * (MILLION // 3)),
        ("/language", "&" * MILLION),
    ],
)
def test_a_costly_form_is_refused_unparsed(client: FlaskClient, path: str, form: str) -> None:
    answer = client.post(path, data=form, **FORM)
    assert answer.status_code == 413
    assert "more than" in answer.text


def test_a_form_may_have_many_fields() -> None:
    most = form_of_a_board(Settings()).signs["&"]
    assert why_costly(b"&" * most + b"a" * SMALL_BYTES, form_of_a_board(Settings())) is None


def test_a_batch_of_text_has_limits_too(make_app: Any) -> None:
    client = make_app(max_batch=3, max_cells=9).test_client()

    def refusal(text: str) -> Any:
        return client.post(PLACES[1], data=text, content_type="text/plain").json

    assert refusal("1 2 3 0\n" * 4)["code"] == "batch-boards"
    assert refusal("\n" * 31 + "1 2 3 0")["code"] == "batch-lines"
    assert refusal("a 4 4 " + "1 " * 16)["errors"][0]["code"] == "board-too-large"
    assert refusal("1 " * 5_000)["errors"][0]["code"] == "text-length"
    assert refusal("\n" * 26 + "1 2 3 0\n" * 3)["total"] == 3
