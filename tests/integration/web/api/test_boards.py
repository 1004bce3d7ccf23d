from datetime import date
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient

from tests.integration.web.conftest import EASY_3X3, SOLVED_3X3, UNSOLVABLE_3X3, DoWork, MakeApp
from tests.support.rendered_boards import TILES, draw_picture_file
from tilework.core.puzzle.board import Board

CHECK = "/api/v1/boards/check"
SCRAMBLE = "/api/v1/boards/scramble"
DAILY = "/api/v1/daily"
PICTURES = "/api/v1/pictures"
INVALID_OPTIONS = [
    *({"height": 32_769}, {"width": 32_768, "height": 32_768}, {"seed": 2**64}, {"depth": 3}),
    *({"moves": 10**9}, {"goal": [1, 0]}),
]


def test_board_is_checked_without_being_solved(client: FlaskClient) -> None:
    verdict = client.post(CHECK, json={"board": "8 1 3 / 4 0 2 / 7 6 5"}).json
    # Sedgewick's example.
    assert verdict["hamming_by_tile"] == [1, 1, 0, 0, 1, 1, 0, 1]
    assert verdict["manhattan_by_tile"] == [1, 2, 0, 0, 2, 2, 0, 3]
    verdict = client.post(CHECK, json={"board": "1 2 3 / 4 6 0 / 8 5 7"}).json
    assert verdict["explanation"]["inverted_pairs"] == [[6, 5], [8, 5], [8, 7]]
    verdict = client.post(CHECK, json={"board": [*range(1, 441), 0]}).json
    assert verdict["hamming_by_tile"] is verdict["explanation"]["inverted_pairs"] is None
    board = "1 2 3 4 / 5 0 6 8 / 9 10 7 11 / 13 14 15 12"
    explanation = client.post(CHECK, json={"board": board}).json["explanation"]
    assert [parity["sum"] for parity in explanation["parities"]] == [8, 7]
    verdict = client.post(f"{CHECK}?lang=pt", json={"board": UNSOLVABLE_3X3}).json
    assert (verdict["valid"], verdict["solvable"]) == (True, False)
    assert (verdict["explanation"]["inversions"], verdict["explanation"]["sum"]) == (1, 1)
    assert "ímpar" in verdict["explanation"]["words"]
    assert client.get("/api/v1/statistics").json["total_jobs"] == 0


def test_error_in_a_board_has_its_position(client: FlaskClient, make_app: MakeApp) -> None:
    for body, line, column, part in (
        ({"board": "1 2 3\n4 fünf 6\n7 8 0"}, 2, 3, "board"),
        ({"board": "1 2 3 0", "goal": "home"}, None, None, "goal"),
    ):
        verdict = client.post(CHECK, json=body).json
        assert (verdict["valid"], verdict["solvable"]) == (False, None)
        fault = verdict["fault"]
        assert (fault["part"], fault["line"], fault["column"]) == (part, line, column)
    strict_client = make_app(max_cells=9).test_client()
    fault = strict_client.post(CHECK, json={"board": [*range(1, 16), 0]}).json["fault"]
    assert "up to 9 cells" in fault["detail"]


def test_random_board_is_solvable_and_determined_by_its_seed(client: FlaskClient) -> None:
    for size in ((1, 1), (1, 5), (2, 2), (7, 3)):
        for goal, moves in (("blank-last", None), ("blank-first", 25), ("spiral", None)):
            options = {"width": size[0], "height": size[1], "goal": goal, "moves": moves}
            first, second = (client.post(SCRAMBLE, json=options | {"seed": 5}) for _ in range(2))
            assert first.json == second.json
            board = first.json
            assert board["text"] == str(Board(board["tiles"], *size))
            verdict = client.post(CHECK, json={"board": board["text"], "goal": goal}).json
            assert (verdict["tiles"], verdict["solvable"]) == (board["tiles"], True)
    for options in INVALID_OPTIONS:
        assert client.post(SCRAMBLE, json=options).status_code == 422, options


def test_daily_board_can_be_cached(client: FlaskClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tilework.web.api.boards._today", lambda: date(2026, 2, 10))
    response = client.get(f"{DAILY}/2026-01-01/3")
    expected = {"board": [3, 5, 7, 4, 8, 0, 1, 2, 6], "goal": "blank-last"}
    assert response.json == {"date": "2026-01-01", "size": 3} | expected
    assert response.headers["Cache-Control"] == "public, max-age=31536000, immutable"
    assert "Set-Cookie" not in response.headers
    assert "Cookie" not in response.headers.get("Vary", "")
    for day, size in (("2026-02-10", 3), ("2026-02-10", 4), ("2026-02-11", 5)):
        board = client.get(f"{DAILY}/{day}/{size}").json
        body = {name: board[name] for name in ("board", "goal")}
        verdict = client.post(CHECK, json=body).json
        assert (verdict["width"], verdict["height"], verdict["solvable"]) == (size, size, True)
    for path in ("2025-12-31/3", "2026-02-12/3", "2026-02-30/3", "2026-02-10/6"):
        response = client.get(f"{DAILY}/{path}")
        assert response.status_code == 422
        assert "public" not in response.headers.get("Cache-Control", "")


def test_picture_becomes_a_board_and_is_not_stored(
    app: Flask, client: FlaskClient, caplog: pytest.LogCaptureFixture
) -> None:
    picture = draw_picture_file(kind="JPEG")
    response = client.post(PICTURES, data=picture, content_type="image/jpeg")
    assert response.status_code == 200
    reading = response.json
    assert (reading["width"], reading["height"], reading["tiles"]) == (4, 4, TILES)
    assert client.post(CHECK, json={"board": reading["text"]}).json["tiles"] == TILES
    assert [cell["tile"] for cell in reading["cells"]] == TILES
    doubtful_cells = [index for index, cell in enumerate(reading["cells"]) if cell["doubtful"]]
    assert reading["doubtful"] == doubtful_cells
    for x, y in (corner for cell in reading["cells"] for corner in cell["corners"]):
        assert 0 <= x <= reading["picture"]["width"]
        assert 0 <= y <= reading["picture"]["height"]
    assert client.get("/api/v1/statistics").json["total_jobs"] == 0
    # Bytes that occur only in this picture.
    part = picture[len(picture) // 2 :][:32]
    folder: Path = app.extensions["tilework"].settings.data_dir
    assert not any(part in path.read_bytes() for path in folder.rglob("*") if path.is_file())
    assert caplog.text == ""


def test_picture_without_a_board_is_a_problem(client: FlaskClient, make_app: MakeApp) -> None:
    png = {"data": b"\x89PNG", "content_type": "image/png"}
    response = client.post(PICTURES, **png)
    assert (response.status_code, response.json["type"]) == (422, "urn:tilework:problem:picture")
    assert response.json["code"] == "picture-format"
    assert "use a PNG, a JPEG or a WebP" in response.json["detail"]
    strict_client = make_app(max_body_bytes=1_000).test_client()
    response = strict_client.post(PICTURES, data=b"GIF89a", content_type="image/gif")
    assert (response.status_code, response.json["code"]) == (415, "body-type")
    response = strict_client.post(PICTURES, data=bytes(1_001), content_type="image/png")
    assert (response.status_code, response.json["code"]) == (413, "body-bytes")
    for path in ("/api/v1/jobs", "/api/v1/batches", CHECK):
        response = client.post(path, **png)
        assert (response.status_code, response.json["code"]) == (415, "body-picture")
        assert PICTURES in response.json["detail"]


HINTS = "/api/v1/hints"


def test_hint_waits_for_a_solution(
    client: FlaskClient, work: DoWork, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tilework.web.api.hints.wait_for_end", lambda *_, **__: work())
    request = {"board": [0, 1, 2, 3, 4, 5], "width": 3, "goal": [1, 0, 2, 3, 4, 5]}
    hint = client.post(HINTS, json=request).json
    assert (hint["tile"], hint["direction"], hint["moves"]) == (1, "left", "L")


def test_invalid_board_is_rejected_as_for_jobs(client: FlaskClient, make_app: MakeApp) -> None:
    for body in (
        {"board": UNSOLVABLE_3X3},
        {"board": "1 2 x 0"},
        {"board": SOLVED_3X3, "goal": "home"},
        {"board": SOLVED_3X3, "seconds": 1},
    ):
        hint_response = client.post(HINTS, json=body)
        job_response = client.post("/api/v1/jobs", json=body)
        assert hint_response.status_code == job_response.status_code == 422
        assert hint_response.json | {"instance": ""} == job_response.json | {"instance": ""}
    for wait in ("-1", "soon"):
        assert client.post(f"{HINTS}?wait={wait}", json={"board": EASY_3X3}).status_code == 422
    client = make_app(rate_limit="1/minute").test_client()
    # Without an API key, all are counted by the address.
    responses = [client.post(HINTS, json={"board": SOLVED_3X3}) for _ in range(2)]
    assert [response.status_code for response in responses] == [200, 429]
