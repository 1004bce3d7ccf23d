"""Databases of small boards never overestimate, for any goal, and change by one move at a time."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support import naive
from tilework.core.puzzle.board import Board, Size
from tilework.core.puzzle.goals import blank_last
from tilework.core.solver.heuristics.small_board_patterns import SmallBoardPatterns


@pytest.mark.parametrize("size", [(2, 2), (3, 2), (2, 3), (2, 4), (4, 2)], ids=str)
@given(data=st.data())
@settings(max_examples=5)
def test_estimates_are_lower_bounds(size, data):
    width, height = size
    goal = tuple(data.draw(st.permutations(range(width * height))))
    patterns = SmallBoardPatterns(Board(goal, *size))
    lengths = naive.distances(goal, width)
    estimates = {tiles: patterns.estimate(np.array(tiles)) for tiles in lengths}
    assert estimates[goal] == 0
    assert all(estimates[tiles] <= length for tiles, length in lengths.items())
    assert all((lengths[tiles] - estimates[tiles]) % 2 == 0 for tiles in lengths)
    assert sum(estimates.values()) >= sum(naive.manhattan(tiles, goal, width) for tiles in lengths)


def test_a_move_changes_the_indices_by_its_step():
    goal = blank_last(Size(4, 3))
    patterns = SmallBoardPatterns(goal)
    board = goal
    random = np.random.default_rng(1)
    for _ in range(200):
        after = random.choice(list(board.neighbors()))
        move = ((board.width, -board.width, 1, -1)).index(after.blank - board.blank)
        tile = board.cells[after.blank]
        indices = patterns.indices(board.cells)
        for view in range(2):
            indices[patterns.slots[view, tile]] += patterns.steps[view, tile, move]
        assert np.array_equal(indices, patterns.indices(after.cells))
        board = after
