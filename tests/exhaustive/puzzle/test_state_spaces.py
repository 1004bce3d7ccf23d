"""Canonical forms and moves on all 3×3 boards."""

import numpy as np
import pytest

from tests.support import naive
from tilework.core.puzzle.board import Board, Size
from tilework.core.puzzle.canonical import canonicalize
from tilework.core.puzzle.goals import blank_at


@pytest.mark.parametrize("blank", [8, 4])
def test_boards_with_the_same_key_have_the_same_length(blank):
    goal = blank_at(Size(3, 3), blank)
    depth = naive.distances(tuple(goal.cells.tolist()), 3)
    lengths = {}
    for tiles, length in depth.items():
        board = Board.trusted(np.array(tiles, dtype=np.int32), goal.size)
        assert lengths.setdefault(canonicalize(board, goal).key, length) == length
    assert len(lengths) < len(depth) * 0.6
