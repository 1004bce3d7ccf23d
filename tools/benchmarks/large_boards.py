"""The boards of `tools.benchmarks.large`: uniformly random ones by seed, and ordered ones."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from tilework.core.puzzle.board import Board, Size
from tilework.core.puzzle.goals import blank_last
from tilework.core.puzzle.scramble import scramble

FIRST_SEED = 9_000
"""Seeds from here on are for this benchmark: nothing is trained or tuned on their boards."""

Grid = NDArray[np.int32]


def random_boards(size: Size, count: int) -> list[Board]:
    """Return boards of which each solvable one is equally likely, the same ones each time."""
    return [scramble(size, blank_last(size), seed=FIRST_SEED + place) for place in range(count)]


def _half_turn(grid: Grid) -> Grid:
    return grid[::-1, ::-1]


def _mirror(grid: Grid) -> Grid:
    return grid[:, ::-1]


def _rows_cycled(grid: Grid) -> Grid:
    return np.roll(grid, len(grid) // 2, axis=0)


ORDERED: dict[str, Callable[[Grid], Grid]] = {
    "half turn": _half_turn,
    "mirror": _mirror,
    "rows cycled": _rows_cycled,
}
"""By name, what is done to the goal."""


def ordered_board(kind: str, size: Size) -> Board:
    """Return the goal turned, mirrored or cycled; two tiles are exchanged where it is unsolvable.

    Parameters
    ----------
    kind : str
        One of `ORDERED`.
    size : Size
    """
    goal = blank_last(size).cells.reshape(size.height, size.width)
    cells = np.array(ORDERED[kind](goal).reshape(-1), dtype=np.int32)
    if not Board(cells, *size).is_solvable():
        first, second = np.flatnonzero(cells)[:2]
        cells[[first, second]] = cells[[second, first]]
    return Board(cells, *size)
