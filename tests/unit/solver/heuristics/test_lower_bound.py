"""Manhattan distance and linear conflicts, against naive distances and exact lengths."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support import naive
from tests.support.strategies import boards
from tilework.core.puzzle.board import Board
from tilework.core.solver.heuristics.lower_bound import lower_bound


@given(data=st.data())
def test_without_conflicts_it_is_manhattan_distance(data):
    goal = data.draw(boards(most=9))
    board = data.draw(boards(size=tuple(goal.size)))
    expected = naive.manhattan(board.cells.tolist(), goal.cells.tolist(), goal.width)
    assert lower_bound(board, goal, conflicts=False) == expected
    assert (lower_bound(board, goal) - expected) % 2 == 0
    assert lower_bound(board, goal) >= expected


@pytest.mark.parametrize("goal", [(1, 2, 3, 4, 5, 0), (3, 0, 1, 5, 2, 4)])
@pytest.mark.parametrize("width", [2, 3])
def test_with_conflicts_it_is_still_a_lower_bound(goal, width):
    lengths = naive.distances(goal, width)
    wanted = Board(goal, width)
    assert all(lower_bound(Board(b, width), wanted) <= d for b, d in lengths.items())


@pytest.mark.parametrize(
    ("tiles", "extra"),
    [
        ([2, 1, 3, 4, 5, 6, 7, 8, 0], 2),
        ([3, 2, 1, 4, 5, 6, 7, 8, 0], 4),
        ([2, 3, 1, 4, 5, 6, 7, 8, 0], 2),
        ([7, 2, 3, 4, 5, 6, 1, 8, 0], 4),
        ([3, 2, 1, 6, 5, 4, 0, 8, 7], 10),
    ],
)
def test_tiles_that_must_step_aside_cost_two_moves_each(tiles, extra):
    board = Board(tiles)
    goal = Board([1, 2, 3, 4, 5, 6, 7, 8, 0])
    distance = naive.manhattan(tiles, goal.cells.tolist(), 3)
    assert lower_bound(board, goal) == distance + extra
