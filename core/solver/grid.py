"""How the blank can move on a board of some size, as arrays for kernels."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from tilework.core.puzzle.board import Size
from tilework.core.puzzle.moves import blank_steps, legal_moves


@lru_cache(maxsize=64)
def grid(size: Size) -> tuple[NDArray[np.int64], NDArray[np.uint8]]:
    """Return the blank's step by move, and by cell the set of legal moves (bit m for move m)."""
    ways = np.array(blank_steps(size.width), dtype=np.int64)
    legal = legal_moves(np.arange(size.cells), *size)
    return ways, legal.astype(np.uint8)


@lru_cache(maxsize=64)
def neighbors_of(size: Size) -> NDArray[np.int8]:
    """Return the cell whose tile makes each move when the blank is on a cell; -1 for none.

    Shape (cells, 4), for up to 128 cells.
    """
    ways, legal = grid(size)
    cells = np.arange(size.cells)[:, None] + ways
    return np.where(legal[:, None] >> np.arange(4) & 1, cells, -1).astype(np.int8)
