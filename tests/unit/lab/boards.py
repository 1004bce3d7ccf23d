"""Boards of 3×3 by their seeds, and how far each is from the goal."""

from __future__ import annotations

from functools import lru_cache

from tests.support import naive
from tilework.core.puzzle.board import Size
from tilework.core.puzzle.goals import blank_last
from tilework.core.puzzle.scramble import scramble

SIZE = Size(3, 3)
GOAL = naive.solved(3, 3)
HARDEST = ((8, 6, 7, 2, 5, 4, 3, 0, 1), (6, 4, 7, 8, 5, 0, 3, 2, 1))
"""The two boards at 31 moves, farther than any other."""


@lru_cache
def random_boards(count):
    """Every solvable board is equally likely; half of them are at 22 moves or more."""
    return tuple(_tiles(scramble(SIZE, blank_last(SIZE), seed)) for seed in range(count))


@lru_cache
def walked_boards(count):
    """Boards a few random moves from the goal, at most 15."""
    return tuple(
        _tiles(scramble(SIZE, blank_last(SIZE), seed, moves=seed % 16)) for seed in range(count)
    )


def depth_of(tiles):
    """The length of a shortest solution, by a table of all boards."""
    return naive.distances(GOAL, 3)[tiles]


def _tiles(board):
    return tuple(board.cells.tolist())
