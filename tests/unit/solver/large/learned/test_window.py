"""Shorter ways between two boards of a solution."""

import numpy as np
import pytest

from tilework.core.puzzle.board import Size
from tilework.core.puzzle.goals import blank_last
from tilework.core.puzzle.replay import apply
from tilework.core.puzzle.scramble import scramble
from tilework.core.solver.large.learned.window import shorter_way


@pytest.mark.parametrize("size", [Size(3, 3), Size(9, 6), Size(40, 50)], ids=str)
def test_a_detour_is_taken_out(size: Size) -> None:
    start = scramble(size, blank_last(size), 3)
    # Eight times round a square of three tiles: the third part of it leads back.
    moves = np.array([0, 2, 1, 3] * 8, dtype=np.uint8)
    if start.blank // size.width == size.height - 1 or (start.blank + 1) % size.width == 0:
        moves ^= 1
    end = apply(start, moves)
    found = shorter_way(start, end, moves, 100).moves
    assert found is not None
    assert found.size == 4
    assert apply(start, found) == end


def test_a_shortest_way_stays() -> None:
    start = blank_last(Size(6, 6))
    # Straight lines of the blank, which have no shorter way.
    moves = np.array([1, 1, 1, 3, 3], dtype=np.uint8)
    assert shorter_way(start, apply(start, moves), moves, 100).moves is None
