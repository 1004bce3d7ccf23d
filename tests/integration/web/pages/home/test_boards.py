from __future__ import annotations

import re
from io import BytesIO

import numpy as np
from flask.testing import FlaskClient

from tests.integration.web.conftest import SOLVED_3X3, UNSOLVABLE_3X3
from tilework.core.formats.board_text import read_board
from tilework.core.puzzle.board import Board
from tilework.web.pages.board_words import board_lines


def check(client: FlaskClient, board: str, **fields: str) -> str:
    return client.post("/board/check", data={"board": board, "goal": "blank-last"} | fields).text


def test_an_empty_field_says_nothing(client: FlaskClient) -> None:
    assert check(client, "  \n").strip() == ""


def test_a_solvable_board_is_scored(client: FlaskClient) -> None:
    verdict = check(client, "0 1 3 4 2 5 7 8 6")
    assert "3×3, solvable." in verdict
    assert "4 tiles away from home, Manhattan distance 4" in verdict
    assert 'data-tiles="0 1 3 4 2 5 7 8 6"' in verdict


def test_a_solved_board_is_said_to_be_solved(client: FlaskClient) -> None:
    assert "3×3, already solved." in check(client, SOLVED_3X3)
    assert "2×2, already solved." in check(client, "0 1 2 3", goal="blank-first")
    assert "2×2, solvable." in check(client, "0 1 2 3", goal="own", goal_board="1 0 2 3")


def test_an_unsolvable_board_is_explained(client: FlaskClient) -> None:
    verdict = check(client, UNSOLVABLE_3X3)
    assert "not solvable" in verdict
    assert "1 is odd" in verdict


def test_both_conventions_of_parity_are_said(client: FlaskClient) -> None:
    verdict = check(client, "1 2 3 4 / 5 0 6 8 / 9 10 7 11 / 13 14 15 12")
    assert "the sum is 6 + 2 = 8" in verdict
    assert "counted from 0 at the top, it is 6 + 1 = 7" in verdict


def test_tiles_are_told_one_by_one_unless_there_are_too_many(client: FlaskClient) -> None:
    verdict = check(client, "8 1 3 / 4 0 2 / 7 6 5")
    rows = re.findall(r"<tr><th scope=\"row\">(\w+)</th>(.*?)</tr>", verdict)
    told = {name: re.findall(r">(\d+)<", cells) for name, cells in rows}
    assert told == {"Hamming": [*"11001101"], "Manhattan": [*"12002203"]}
    assert "Inverted pairs: 6-5 8-5 8-7" in check(client, "1 2 3 / 4 6 0 / 8 5 7")
    assert "Inverted pairs" not in check(client, "1 2 3 / 4 5 6 / 7 0 8")
    many = check(client, " ".join(map(str, [*range(2, 441), 1, 0])))
    assert "solvable" in many
    assert "Tile by tile" not in many


def test_a_fault_is_told_with_its_place(client: FlaskClient) -> None:
    verdict = check(client, "1 2 3\n4 q 5\n6 7 8")
    assert "Line 2, column 3" in verdict
    assert 'data-line="2" data-column="3"' in verdict


def test_the_goal_counts(client: FlaskClient) -> None:
    assert "0 tiles away" in check(client, "0 1 2 3", goal="blank-first")
    assert "0 tiles away" in check(client, "1 2 0 3", goal="own", goal_board="1 2 0 3")
    assert "The goal:" in check(client, "1 2 0 3", goal="own", goal_board="1 2 3 4 5 6 7 8 0")


def test_a_board_too_large_for_the_service_is_refused(make_app) -> None:
    client = make_app(max_cells=9).test_client()
    assert "up to 9 cells" in check(client, " ".join(map(str, range(16))))


def test_a_numpy_file_becomes_text(client: FlaskClient) -> None:
    file = BytesIO()
    np.save(file, np.array([[1, 2, 3, 4], [5, 6, 7, 0]], dtype=np.int16))
    file.seek(0)
    answer = client.post("/board/file", data={"file": (file, "board.npy")})
    assert answer.json == {"text": "4x2:\n1 2 3 4\n5 6 7 0"}


def test_a_broken_numpy_file_is_told(client: FlaskClient) -> None:
    answer = client.post("/board/file", data={"file": (BytesIO(b"\x93NUMPY?"), "board.npy")})
    assert answer.status_code == 422
    assert "not a .npy file" in answer.json["message"]
    assert client.post("/board/file").status_code == 422


def test_a_scramble_fits_the_size_and_the_goal(client: FlaskClient) -> None:
    answer = client.post("/board/scramble", data={"size": "5x3", "goal": "spiral"})
    board = read_board(answer.json["text"])
    assert board.size == (5, 3)
    in_order = client.post(
        "/board/scramble", data={"size": "2x2", "moves": "0", "goal": "blank-last"}
    )
    assert in_order.json["text"] == "1 2\n3 0"


def test_a_scramble_of_no_size_is_refused(client: FlaskClient) -> None:
    for size in ("", "0x3", "900x900", "threexthree"):
        assert client.post("/board/scramble", data={"size": size}).status_code == 422


def test_lines_are_read_back_as_the_same_board() -> None:
    for width, height in ((4, 4), (3, 5), (5, 3), (1, 4), (12, 12)):
        board = Board(np.random.default_rng(1).permutation(width * height), width, height)
        assert read_board(board_lines(board)) == board
