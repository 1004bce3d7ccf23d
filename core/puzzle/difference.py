"""Where two boards differ: for boards near each other, little has to be examined twice."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tilework.core.puzzle.permutation import CHUNK

Cells = NDArray[np.int32]
Places = NDArray[np.int64]


def difference(cells: Cells, goal: Cells, most: int) -> Places | None:
    """Return the cells that two flat boards fill differently; None where they are over ``most``.

    Scratch memory is a chunk's, whatever the size; of boards that are far apart only the beginning
    is read.
    """
    found: list[Places] = []
    count = 0
    for start in range(0, cells.size, CHUNK):
        here, there = cells[start : start + CHUNK], goal[start : start + CHUNK]
        found.append((np.flatnonzero(here != there) + start).astype(np.int64))
        count += found[-1].size
        if count > most:
            return None
    return np.concatenate(found)


def rearrangement(cells: Cells, goal: Cells, off: Places) -> Places:
    """Return for all the cells that differ where, in ``off``, the goal has what each holds.

    Parameters
    ----------
    cells, goal : int32 arrays of shape (n,)
        Permutations of the same numbers.
    off : int64 array of shape (k,)
        As `difference` returns it.

    Returns
    -------
    int64 array of shape (k,)
        A permutation of ``0 .. k-1``.
    """
    order = np.argsort(goal[off])
    places: Places = order[np.searchsorted(goal[off], cells[off], sorter=order)]
    return places
