"""The distances of one pattern's placements, level by level."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from core.kernels.flood import flood_level, start_flood
from core.puzzle.board import Size

Entries = NDArray[np.uint8]

_WORD_BITS = 64


def fill_distances(
    entries: Entries,
    size: Size,
    goal_cells: NDArray[np.int64],
    goal_blank: int,
    placed: Callable[[int], object] = int,
) -> None:
    """Compute the fewest moves of a pattern's tiles to their goal, wherever they lie.

    Parameters
    ----------
    entries : uint8 array, shape (cells ** tiles,), changed in place
        All `UNREACHED` at first; those of two tiles in one cell stay so. The cell of tile i is
        the index's digit i in base ``cells``.
    size : Size
        At most 36 cells.
    goal_cells : int64 array, shape (tiles,)
    goal_blank : int
        The blank's cell in the goal.
    placed : callable
        Called a few times a second with how many more placements have their distance.

    Notes
    -----
    Beside the entries this takes two to eight times their memory: a set of cells for each.
    """
    weights = size.cells ** np.arange(goal_cells.size, dtype=np.int64)
    seen = np.zeros(entries.size, dtype=_set_of(size.cells))
    marked = np.zeros(-(-entries.size // _WORD_BITS), dtype=np.uint64)
    marked_next = np.zeros_like(marked)
    start_flood(entries, seen, marked, goal_cells, goal_blank, weights, *size)
    states = placements = 1
    moved = 0
    while states:
        placed(placements)
        moved += 1
        states, placements = flood_level(entries, seen, marked, marked_next, moved, weights, *size)
        marked, marked_next = marked_next, marked


def _set_of(cells: int) -> type[np.unsignedinteger]:
    """Return the smallest dtype with a bit for each cell: the builder's memory is mostly this."""
    return np.uint16 if cells <= 16 else np.uint32 if cells <= 32 else np.uint64
