"""The distances of all boards of a size, breadth first, two bits a board."""

from __future__ import annotations

import numpy as np

from tilework.core.compiling import int64, kernel, types, uint8, uint64
from tilework.core.solver.kernels.array_types import BYTES, WORDS
from tilework.core.solver.kernels.constants import INDEX
from tilework.core.solver.kernels.distances.ranking import number_change, read_code

UNSEEN = 3
"""Entry of a board that was not met yet; the others are distances modulo 3."""

_NEIGHBORS = types.Array(types.int8, 2, "C", readonly=True)


@kernel(int64(uint8[::1], uint64[::1], uint64[::1], int64, WORDS, BYTES, _NEIGHBORS))
def flood_distances(entries, level, next_level, remainder, weights, parities, neighbors):
    """Make every move that one level of the search has.

    Parameters
    ----------
    entries : uint8 array, changed in place
        Four boards a byte, the first in its lowest bits.
    level, next_level : uint64 array
        A bit a board: those of this level, and, all clear before, those of the next.
    remainder : int
        The distance of the next level, modulo 3.
    weights : int64 array, shape (tiles,)
        See `tilework.core.solver.kernels.distances.ranking`.
    parities : uint8 array, shape (cells,)
        By the blank's cell, whether the tiles are an odd permutation.
    neighbors : int8 array, shape (cells, 4)
        By cell and move the cell that the blank goes to, in the order of the cells; -1 for none.

    Returns
    -------
    int
        Boards of the next level.
    """
    code = np.empty(weights.size, dtype=np.int64)
    ranks = weights[0] * weights.size
    found = 0
    for place in range(level.size):
        word = level[place]
        while word:
            lowest = word & (~word + np.uint64(1))
            word ^= lowest
            bit = 0
            while lowest > np.uint64(1):
                lowest >>= np.uint64(1)
                bit += 1
            number = 64 * place + bit
            blank = number // ranks
            read_code(number - blank * ranks, weights, parities[blank], code)
            for move in range(4):
                cell = np.int64(neighbors[blank, move])
                if cell < 0:
                    continue
                after = number + number_change(code, blank, cell, weights)
                shift = np.uint8(2 * (after & 3))
                entry = entries[INDEX(after >> 2)]
                if entry >> shift & UNSEEN == UNSEEN:
                    entries[INDEX(after >> 2)] = entry ^ np.uint8((UNSEEN ^ remainder) << shift)
                    next_level[INDEX(after >> 6)] |= np.uint64(1) << np.uint64(after & 63)
                    found += 1
    return found
