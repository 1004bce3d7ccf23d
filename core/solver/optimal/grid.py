"""How the blank can go on a board of some size, as kernels want to know it."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from core.puzzle.board import Size
from core.puzzle.moves import blank_steps


@lru_cache(maxsize=64)
def grid(size: Size) -> tuple[NDArray[np.int64], NDArray[np.uint8]]:
    """Return the blank's step by move, and by cell the set of legal moves (bit m for move m)."""
    ways = np.array(blank_steps(size.width), dtype=np.int64)
    rows, columns = np.divmod(np.arange(size.cells), size.width)
    legal = (
        (rows + 1 < size.height) << 0
        | (rows > 0) << 1
        | (columns + 1 < size.width) << 2
        | (columns > 0) << 3
    )
    return ways, legal.astype(np.uint8)
