"""A truth value or a text is no number, and the other way round; queries are text and may be."""

from __future__ import annotations

import pytest
from flask.testing import FlaskClient

BOARD = "1 2 3 4 5 6 0 7 8"


@pytest.mark.parametrize("value", [False, True, "5", 5.0, [5], {}])
@pytest.mark.parametrize(
    ("path", "body", "field"),
    [
        ("/api/v1/boards/scramble", {}, "moves"),
        ("/api/v1/boards/scramble", {}, "width"),
        ("/api/v1/boards/scramble", {}, "seed"),
        ("/api/v1/boards/check", {"board": BOARD}, "width"),
        ("/api/v1/jobs", {"board": BOARD}, "width"),
        ("/api/v1/batches", {"boards": [BOARD]}, "width"),
    ],
)
def test_whole_numbers_are_whole_numbers(
    client: FlaskClient, path: str, body: dict[str, object], field: str, value: object
) -> None:
    answer = client.post(path, json={**body, field: value})
    assert answer.status_code == 422
    assert answer.json["errors"][0]["pointer"] == f"/{field}"


@pytest.mark.parametrize("value", [False, True, "5"])
@pytest.mark.parametrize("field", ["time_limit_s", "gap"])
def test_numbers_are_numbers(client: FlaskClient, field: str, value: object) -> None:
    answer = client.post("/api/v1/jobs", json={"board": BOARD, "target": "gap", field: value})
    assert answer.status_code == 422
    whole = {"board": BOARD, "target": "gap", "gap": 1, "time_limit_s": 5}
    assert client.post("/api/v1/jobs", json=whole).status_code in (200, 202)


@pytest.mark.parametrize("tile", [True, False, "0", 1.0, None])
def test_tiles_are_whole_numbers(client: FlaskClient, tile: object) -> None:
    answer = client.post("/api/v1/jobs", json={"board": [tile, 2, 3, 0]})
    assert answer.status_code == 422


@pytest.mark.parametrize(
    "body", ['{"board": NaN}', '{"board": [Infinity]}', '{"board"', "\xff", ""]
)
def test_what_is_not_json_is_told_so(client: FlaskClient, body: str) -> None:
    answer = client.post("/api/v1/jobs", data=body, content_type="application/json")
    assert answer.status_code == 400
    assert answer.json["type"] == "urn:tilework:problem:body-not-json"


def test_names_of_numbers_may_stand_in_texts(client: FlaskClient) -> None:
    answer = client.post("/api/v1/jobs", json={"board": "NaN Infinity"})
    assert answer.status_code == 422
    assert answer.json["type"] == "urn:tilework:problem:board-syntax"


def test_options_of_a_batch_in_the_query_are_text(client: FlaskClient) -> None:
    answer = client.post("/api/v1/batches?width=3&time_limit_s=5", json=[BOARD])
    assert answer.status_code == 202
