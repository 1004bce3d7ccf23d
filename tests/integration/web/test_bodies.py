"""Bodies that would take seconds to parse are rejected early; large valid ones are read."""

import json
from typing import Any

from flask.testing import FlaskClient

from tests.integration.web.conftest import EASY_3X3, MakeApp
from tilework.web.limits import (
    MAX_DIGITS,
    SMALL_BYTES,
    BodyLimits,
    find_costly_content,
)

SIDE = 50
TILES = [*range(1, SIDE * SIDE), 0]
ROWS = [TILES[row * SIDE : (row + 1) * SIDE] for row in range(SIDE)]
LINES = "\n".join(" ".join(map(str, row)) for row in ROWS)
JOBS, BATCHES = "/api/v1/jobs", "/api/v1/batches"
CHECK, SCRAMBLE = "/api/v1/boards/check", "/api/v1/boards/scramble"
JSON_PATHS = [JOBS, BATCHES, CHECK, SCRAMBLE, "/api/v1/comparisons"]
JSON = {"content_type": "application/json"}
FORM = {"content_type": "application/x-www-form-urlencoded"}
ITEMS = 50_000


def make_json_list(item: str, count: int = ITEMS) -> str:
    return f"[{','.join([item] * count)}]"


COSTLY_BODIES = [
    (make_json_list("[]"), "body-signs"),
    (make_json_list("[ 1 ]", ITEMS // 2), "body-signs"),
    (make_json_list("1"), "body-signs"),
    ("{" + ",".join(f'"a{n}":1' for n in range(10_000)) + "}", "body-signs"),
    (json.dumps({"board": "\n" * ITEMS}), "body-signs"),
    (make_json_list("9" * 4_000, 20), "body-digits"),
]
COSTLY_FORMS = [
    ("/jobs", "&".join(f"a{n}=1" for n in range(10_000))),
    ("/lab", "&" * 2 * SMALL_BYTES),
    ("/comparisons", "board=" + "%41" * SMALL_BYTES),
    ("/board/check", "board=" + "%2C" * SMALL_BYTES),
    ("/language", "&" * 2 * SMALL_BYTES),
]


def test_costly_bodies_and_forms_are_rejected(make_app: MakeApp) -> None:
    client = make_app(max_cells=400, max_batch=10).test_client()
    bodies = [(JOBS, *costly) for costly in COSTLY_BODIES]
    bodies += [(path, *COSTLY_BODIES[0]) for path in JSON_PATHS]
    for path, body, code in bodies:
        response = client.post(path, data=body, **JSON)
        assert response.status_code == 413
        assert response.json["type"] == "urn:tilework:problem:too-large"
        assert response.json["code"] in (code, "body-bytes"), (path, code)
    for path, form in COSTLY_FORMS:
        response = client.post(path, data=form, **FORM)
        assert (response.status_code, response.mimetype) == (413, "text/html"), path
    # JSON with one board has its own limit.
    body = json.dumps({"board": "1 2 3 0"}) + " " * 2 * SMALL_BYTES
    assert client.post(CHECK, data=body, **JSON).status_code == 413
    assert make_app().test_client().post(CHECK, data=body, **JSON).json["valid"]
    client = make_app(max_body_bytes=100).test_client()
    assert "100 bytes" in client.post(JOBS, data="x" * 101, **JSON).json["detail"]
    assert client.post(CHECK, data=f'{{"board": "{EASY_3X3}"}}'.ljust(100), **JSON).json["valid"]


def test_largest_board_and_its_goal_are_read(make_app: MakeApp) -> None:
    client = make_app(max_cells=SIDE**2).test_client()
    for document in (
        {"board": ROWS, "goal": ROWS},
        {"board": TILES, "goal": TILES},
        {"board": LINES.replace("\n", "\r\n"), "goal": json.dumps(ROWS, indent=2)},
    ):
        for indent in (None, 4):
            body = json.dumps(document, indent=indent)
            verdict = client.post(CHECK, data=body, **JSON).json
            assert (verdict["valid"], verdict["is_goal"]) == (True, True)
    form = {"board": json.dumps(ROWS), "goal": "own", "goal_board": json.dumps(ROWS)}
    assert f"{SIDE}×{SIDE}" in client.post("/board/check", data=form).text


def test_long_number_is_found_anywhere() -> None:
    bounds, filler = BodyLimits(10 * SMALL_BYTES, {}), b"," * 3 * SMALL_BYTES
    for offset in (*range(SMALL_BYTES - 40, SMALL_BYTES + 2), 2 * SMALL_BYTES):
        for digits, costly in ((MAX_DIGITS, False), (MAX_DIGITS + 1, True)):
            body = filler[:offset] + b"7" * digits + filler[offset:]
            assert (find_costly_content(body, bounds) is not None) is costly, offset


def test_text_batches_are_limited(make_app: MakeApp) -> None:
    client = make_app(max_batch=3, max_cells=9).test_client()

    def send(text: str) -> Any:
        return client.post(BATCHES, data=text, content_type="text/plain").json

    assert send("1 2 3 0\n" * 4)["code"] == "batch-boards"
    assert send("\n" * 31 + "1 2 3 0")["code"] == "batch-lines"
    assert send("a 4 4 " + "1 " * 16)["errors"][0]["code"] == "many-tiles"
    assert send("1 " * 5_000)["errors"][0]["code"] == "text-length"
    assert send("\n" * 26 + "1 2 3 0\n" * 3)["total"] == 3


def test_values_of_another_type_are_rejected_with_a_pointer(client: FlaskClient) -> None:
    board = {"board": EASY_3X3}
    for path, body, field in (
        (SCRAMBLE, {}, "moves"),
        (JOBS, board, "width"),
        (BATCHES, {"boards": [EASY_3X3]}, "width"),
    ):
        for value in (True, "5", 5.0):
            response = client.post(path, json={**body, field: value})
            assert response.status_code == 422, (path, field, value)
            assert response.json["errors"][0]["pointer"] == f"/{field}"
    request = {**board, "target": "gap", "gap": 1, "time_limit_s": 5}
    for field in ("time_limit_s", "gap"):
        for value in (True, "5"):
            assert client.post(JOBS, json=request | {field: value}).status_code == 422
    for tile in (True, False, "0", 1.5, None):
        assert client.post(JOBS, json={"board": [tile, 2, 3, 0]}).status_code == 422
    assert client.post(JOBS, json=request).status_code == 202
    assert client.post(f"{BATCHES}?width=3&time_limit_s=5", json=[EASY_3X3]).status_code == 202
