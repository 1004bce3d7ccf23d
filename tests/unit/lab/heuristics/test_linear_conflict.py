from __future__ import annotations

import pytest

from tilework.core.lab.heuristics.linear_conflict import LinearConflict
from tilework.core.lab.problem import Problem
from tilework.core.puzzle.board import Size
from tilework.core.puzzle.goals import blank_last


@pytest.mark.parametrize(
    ("tiles", "moves"),
    [
        ("1 2 3 4 5 0", 0),
        ("2 1 3 4 5 0", 2),
        ("3 2 1 4 5 0", 4),
        ("5 4 3 2 1 0", 8),  # all but one step aside
        ("2 3 4 5 1 0", 2),  # one in conflict with four others steps aside alone
        ("4 5 1 2 3 0", 4),
        ("1 0 2 3 4 5", 0),
    ],
)
@pytest.mark.parametrize("upright", [False, True])
def test_the_fewest_tiles_of_a_line_step_aside(tiles, moves, upright):
    row = [int(tile) for tile in tiles.split()]
    size = Size(1, 6) if upright else Size(6, 1)
    goal = blank_last(size)
    distance = sum(abs(tile - 1 - cell) for cell, tile in enumerate(row) if tile)
    assert LinearConflict(Problem(goal, goal))(tuple(row)) == distance + moves


def test_a_tile_may_step_aside_in_its_row_and_in_its_column():
    goal = blank_last(Size(3, 3))
    # 6 5 4 in the middle row and 8 5 2 in the middle column: all but one step aside in each.
    crossed = (1, 8, 3, 6, 5, 4, 7, 2, 0)
    assert LinearConflict(Problem(goal, goal))(crossed) == 8 + 4 + 4


def test_what_was_forgotten_is_worked_out_again(monkeypatch):
    goal = blank_last(Size(3, 3))
    monkeypatch.setattr("tilework.core.lab.heuristics.linear_conflict._LINES_KEPT", 6)
    estimate = LinearConflict(Problem(goal, goal))
    boards = [(2, 1, 3, 4, 5, 6, 7, 8, 0), (1, 2, 3, 5, 4, 6, 7, 8, 0), tuple(goal.cells.tolist())]
    assert [estimate(board) for board in boards * 2] == [4, 4, 0, 4, 4, 0]
