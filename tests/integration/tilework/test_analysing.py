"""Programs that look at games."""

from __future__ import annotations

import pytest

from tests.support.here import Here
from tilework import Board, Client, Loss, TileworkError, UnsolvableError, analyse, scramble, solve

START = "1 2 3 / 4 5 6 / 0 7 8"


def test_where_a_game_lost_moves() -> None:
    found = analyse(START, "LRLL")
    assert len(found) == 4
    assert (found.is_solution, found.is_exact) == (True, True)
    assert found.lower == found.upper == (2, 1, 2, 1, 0)
    assert found.losses == (Loss(2, 1, "L"),)
    assert (found.loops, found.slides, found.lost) == (((0, 2),), 3, (2, 2))


def test_a_shortest_solution_loses_nothing() -> None:
    board = scramble(4, seed=5, moves=20)
    solution = solve(board)
    assert solution.moves is not None
    found = analyse(board, solution.moves)
    assert found.lower == tuple(range(len(solution), -1, -1))
    assert (found.losses, found.lost) == ((), (0, 0))


def test_other_formats_and_goals() -> None:
    goal = Board.goal(3, name="blank-first")
    back = solve(START, goal)
    found = analyse(START, back.text("tiles"), goal)
    assert (found.is_solution, found.lost) == (True, (0, 0))


def test_what_cannot_be_analysed() -> None:
    with pytest.raises(TileworkError, match="move 1, R, is illegal"):
        analyse(START, "R")
    with pytest.raises(UnsolvableError):
        analyse("1 2 3 / 4 5 6 / 0 8 7", "")


def test_a_server_analyses_games(running: Here) -> None:
    running.may_work.set()
    with Client(running.url) as client:
        assert client.analyse(START, "LRLL", timeout=60) == analyse(START, "LRLL")
        with pytest.raises(TileworkError, match="illegal"):
            client.analyse(START, "R")
