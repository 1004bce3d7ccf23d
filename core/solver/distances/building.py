"""Building a table of distances from scratch."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from tilework.core.solver.distances.table import DistanceTable
from tilework.core.solver.kernels.distances.flood import UNSEEN, flood_distances

_WORD = 64


def build(table: DistanceTable, tell: Callable[[float], object] = float) -> NDArray[np.uint8]:
    """Compute every entry, in memory of twice the table's size.

    Parameters
    ----------
    table : DistanceTable
    tell : callable
        Called with the share that is built, from 0 to 1, after each level.

    Returns
    -------
    uint8 array, shape (table.length,)
        Four boards a byte, the first in its lowest bits: the distance modulo 3. What is left of the
        last byte is all ones.
    """
    entries = np.full(table.length, 0xFF, dtype=np.uint8)
    level, following = np.zeros((2, -(-table.boards // _WORD)), dtype=np.uint64)
    goal = table.number(table.goal)
    entries[goal // 4] ^= UNSEEN << 2 * (goal % 4)
    level[goal // _WORD] = np.uint64(1 << goal % _WORD)
    found, done, depth = 1, 1, 0
    while found:
        depth += 1
        found = flood_distances(
            entries, level, following, depth % 3, table.weights, table.parities, table.neighbors
        )
        level[:] = 0
        level, following = following, level
        done += found
        tell(done / table.boards)
    return entries
