from __future__ import annotations

import pytest
from flask.testing import FlaskClient

from tilework.core.puzzle.board import Board

CHECK = "/api/v1/boards/check"
SCRAMBLE = "/api/v1/boards/scramble"


def test_a_board_is_judged_without_being_solved(client: FlaskClient) -> None:
    verdict = client.post(CHECK, json={"board": "8 1 3 / 4 0 2 / 7 6 5"}).json
    # Sedgewick's example: Hamming 5, Manhattan 10.
    assert (verdict["valid"], verdict["hamming"], verdict["manhattan"]) == (True, 5, 10)
    assert (verdict["width"], verdict["height"], verdict["solvable"]) == (3, 3, True)
    assert verdict["tiles"] == [8, 1, 3, 4, 0, 2, 7, 6, 5]
    assert verdict["is_goal"] is False
    assert client.get("/api/v1/statistics").json["total_jobs"] == 0


def test_both_conventions_of_parity_are_named(client: FlaskClient) -> None:
    board = "1 2 3 4 / 5 0 6 8 / 9 10 7 11 / 13 14 15 12"
    verdict = client.post(CHECK, json={"board": board}).json
    assert verdict["explanation"]["parities"] == [
        {"convention": "blank-distance", "sum": 8, "solvable_if": "even"},
        {"convention": "blank-row", "sum": 7, "solvable_if": "odd"},
    ]
    assert "By the blank's row, counted from 0 at the top" in verdict["explanation"]["words"]


def test_tiles_are_told_one_by_one_unless_there_are_too_many(client: FlaskClient) -> None:
    verdict = client.post(CHECK, json={"board": "8 1 3 / 4 0 2 / 7 6 5"}).json
    assert verdict["hamming_by_tile"] == [1, 1, 0, 0, 1, 1, 0, 1]
    assert verdict["manhattan_by_tile"] == [1, 2, 0, 0, 2, 2, 0, 3]
    verdict = client.post(CHECK, json={"board": "1 2 3 / 4 6 0 / 8 5 7"}).json
    assert verdict["explanation"]["inverted_pairs"] == [[6, 5], [8, 5], [8, 7]]
    verdict = client.post(CHECK, json={"board": [*range(1, 441), 0]}).json
    assert verdict["hamming_by_tile"] is verdict["explanation"]["inverted_pairs"] is None


def test_the_parity_is_explained_in_the_readers_language(client: FlaskClient) -> None:
    board = {"board": "1 2 3 4 5 6 8 7 0"}
    verdict = client.post(CHECK, json=board).json
    assert (verdict["valid"], verdict["solvable"]) == (True, False)
    assert (verdict["explanation"]["inversions"], verdict["explanation"]["sum"]) == (1, 1)
    assert "odd" in verdict["explanation"]["words"]
    portuguese = [
        client.post(f"{CHECK}?lang=pt", json=board),
        client.post(CHECK, json=board, headers={"Accept-Language": "pt-BR,pt;q=0.9,en;q=0.5"}),
    ]
    for answer in portuguese:
        assert "ímpar" in answer.json["explanation"]["words"]


@pytest.mark.parametrize(
    ("body", "line", "column", "quoted"),
    [
        ({"board": "1 2 3\n4 fünf 6\n7 8 0"}, 2, 3, "'fünf'"),
        ({"board": [[1, 2], [3, 3]]}, None, None, "3"),
        ({"board": "1 2 3 0", "goal": "home"}, None, None, "'home'"),
        ({"board": ""}, None, None, ""),
        ({"board": 7}, None, None, "7"),
    ],
)
def test_what_is_no_board_is_told_with_its_place(
    client: FlaskClient, body: dict[str, object], line: int | None, column: int | None, quoted: str
) -> None:
    answer = client.post(CHECK, json=body)
    assert answer.status_code == 200
    verdict = answer.json
    assert (verdict["valid"], verdict["solvable"]) == (False, None)
    assert verdict["fault"]["part"] == ("goal" if "goal" in body else "board")
    assert (verdict["fault"]["line"], verdict["fault"]["column"]) == (line, column)
    assert quoted in verdict["fault"]["detail"]


def test_a_board_over_the_limit_is_told_so(make_app) -> None:
    client = make_app(max_cells=9).test_client()
    verdict = client.post(CHECK, json={"board": [*range(1, 16), 0]}).json
    assert "up to 9 cells" in verdict["fault"]["detail"]


@pytest.mark.parametrize("size", [(1, 1), (1, 5), (2, 2), (4, 4), (7, 3)])
@pytest.mark.parametrize("goal", ["blank-last", "blank-first", "spiral"])
@pytest.mark.parametrize("moves", [None, 25])
def test_a_made_board_can_be_solved_and_is_the_same_for_the_same_seed(
    client: FlaskClient, size: tuple[int, int], goal: str, moves: int | None
) -> None:
    options = {"width": size[0], "height": size[1], "goal": goal, "seed": 5, "moves": moves}
    first, second = (client.post(SCRAMBLE, json=options).json for _ in range(2))
    assert first == second
    board = Board(first["tiles"], *size)
    assert first["text"] == str(board)
    verdict = client.post(CHECK, json={"board": first["text"], "goal": goal}).json
    assert (verdict["tiles"], verdict["solvable"]) == (first["tiles"], True)


@pytest.mark.parametrize(
    "options",
    [
        {"width": 0},
        {"height": 32_769},
        {"width": 32_768, "height": 32_768},
        {"seed": -1},
        {"seed": 2**64},
        {"moves": -1},
        {"moves": 10**9},
        {"goal": "home"},
        {"goal": [1, 0]},
        {"depth": 3},
    ],
)
def test_what_cannot_be_made_is_refused(client: FlaskClient, options: dict[str, object]) -> None:
    assert client.post(SCRAMBLE, json=options).status_code == 422
