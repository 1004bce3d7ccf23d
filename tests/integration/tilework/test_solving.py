"""Solving by the public names."""

from __future__ import annotations

from itertools import pairwise

import pytest

from tests.support import naive
from tests.support.instances import instances
from tilework import Board, Solver, TileworkError, UnsolvableError, compare, hint, scramble, solve

EASY = "0 1 3 / 4 2 5 / 7 8 6"
UNSOLVABLE = "1 2 3 / 4 5 6 / 8 7 0"
HARDEST = "8 6 7 / 2 5 4 / 3 0 1"


def test_a_solution_is_proved_and_replays() -> None:
    found = solve(HARDEST)
    assert (len(found), found.lower_bound, found.is_optimal, bool(found)) == (31, 31, True, True)
    start = tuple(Board.from_text(HARDEST).cells.tolist())
    assert naive.played(start, 3, found.moves) == (1, 2, 3, 4, 5, 6, 7, 8, 0)
    boards = list(found.boards())
    assert len(boards) == 32
    assert boards[0] == found.board
    assert boards[-1].is_goal()
    for one, other in pairwise(boards):
        assert other in set(one.neighbors())


def test_a_hint_is_the_first_move_of_a_shortest_solution() -> None:
    found = hint(HARDEST)
    assert (found.lower_bound, found.is_optimal, found.is_solved) == (31, True, False)
    after = Board.from_text(HARDEST).moved((found.moves or "")[0])
    assert len(solve(after)) == 30
    assert Board.from_text(HARDEST).cells[after.blank] == found.tile
    assert hint(Board.goal(3)).is_solved
    with pytest.raises(UnsolvableError):
        hint(UNSOLVABLE)


def test_formats_of_a_solution() -> None:
    found = solve(EASY)
    assert found.text("udlr") == "LULU\n"
    assert found.text().startswith("Minimum number of moves = 4\n")
    with pytest.raises(TileworkError, match="unknown format 'poem'"):
        found.text("poem")


def test_a_solved_board_has_a_solution_of_no_moves() -> None:
    found = solve(Board.goal(3))
    assert (found.moves, len(found), bool(found), found.is_optimal) == ("", 0, True, True)
    assert list(found.boards()) == [Board.goal(3)]


def test_a_large_board_has_a_solution_and_a_bound() -> None:
    found = solve(scramble(10, seed=1), target="any")
    assert 0 < found.lower_bound < len(found)
    assert not found.is_optimal


def test_a_target_between() -> None:
    found = solve(scramble(5, seed=1), target=0.5)
    assert len(found) <= 1.5 * found.lower_bound


def test_no_solution_within_the_limit() -> None:
    board = Board(instances("hardest_15puzzle.txt")[0].tiles)
    found = solve(board, seconds=0.0, algorithm="ida-star")
    assert (found.moves, bool(found), found.is_optimal) == (None, False, False)
    with pytest.raises(ValueError, match="no solution was found"):
        len(found)


def test_an_unsolvable_board() -> None:
    with pytest.raises(UnsolvableError) as refused:
        solve(UNSOLVABLE)
    assert "nversions" in str(refused.value.explanation)
    solver = Solver(UNSOLVABLE)
    assert (solver.is_solvable(), solver.moves(), solver.solution()) == (False, -1, None)


def test_the_assignments_solver() -> None:
    solver = Solver(Board.from_text(EASY))
    assert solver.is_solvable()
    assert solver.moves() == 4
    assert [str(board).split()[1:] for board in solver.solution()] == [
        ["0", "1", "3", "4", "2", "5", "7", "8", "6"],
        ["1", "0", "3", "4", "2", "5", "7", "8", "6"],
        ["1", "2", "3", "4", "0", "5", "7", "8", "6"],
        ["1", "2", "3", "4", "5", "0", "7", "8", "6"],
        ["1", "2", "3", "4", "5", "6", "7", "8", "0"],
    ]


@pytest.mark.parametrize("solving", [Solver, solve, compare])
def test_none_is_a_type_error(solving) -> None:
    with pytest.raises(TypeError, match="expected a board, got None"):
        solving(None)


def test_other_goals() -> None:
    assert len(solve("3 2 / 0 1", "0 1 / 2 3")) == 5
    assert len(solve("1 2 3 / 8 0 4 / 7 6 5", "spiral")) == 0
    with pytest.raises(TileworkError, match="a goal of 2×2 does not fit a board of 3×3"):
        solve(EASY, Board.goal(2))


def test_searches_are_compared() -> None:
    breadth, star = compare(EASY, ["breadth-first", "a-star:manhattan"])
    assert (breadth.method, star.method) == ("breadth-first", "a-star:manhattan")
    assert breadth.moves == star.moves == "LULU"
    assert star.visited < breadth.visited
    assert star.stopped_by is None
    (limited,) = compare(HARDEST, ["breadth-first"], nodes=100)
    assert (limited.moves, limited.stopped_by) == (None, "nodes")
    assert len(compare(EASY)) == 10
    with pytest.raises(TileworkError, match="'guess'"):
        compare(EASY, ["guess"])
