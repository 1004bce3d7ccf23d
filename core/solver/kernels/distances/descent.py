"""The way down to the goal over distances that are known modulo 3."""

from __future__ import annotations

import numpy as np

from tilework.core.compiling import int64, kernel, types
from tilework.core.solver.kernels.array_types import BYTES, OPEN_BYTES, OPEN_WORDS, WORDS
from tilework.core.solver.kernels.constants import INDEX
from tilework.core.solver.kernels.distances.ranking import number_change, read_code

_NEIGHBORS = types.Array(types.int8, 2, "C", readonly=True)


@kernel(int64(BYTES, int64, int64, WORDS, BYTES, _NEIGHBORS, OPEN_BYTES, OPEN_WORDS))
def descend(entries, number, goal, weights, parities, neighbors, moves, numbers):
    """Go to the goal by moves that each lead one nearer, the first of several in their order.

    Distances of neighbors differ by one, so that modulo 3 the nearer ones are told from the others.

    Parameters
    ----------
    entries, weights, parities, neighbors
        As `tilework.core.solver.kernels.distances.flood.flood_distances` has them.
    number, goal : int
        Of the board and of the goal.
    moves : uint8 array, changed in place
        The moves that are made; with room for the longest way.
    numbers : int64 array, shape (moves.size,), changed in place
        The boards that they lead to.

    Returns
    -------
    int
        How many moves, or -1 where no way leads down: the entries are wrong.
    """
    code = np.empty(weights.size, dtype=np.int64)
    ranks = weights[0] * weights.size
    here = entries[INDEX(number >> 2)] >> (2 * (number & 3)) & 3
    for made in range(moves.size + 1):
        if number == goal:
            return made
        if made == moves.size or here == 3:
            return -1
        nearer = (here + 2) % 3
        blank = number // ranks
        read_code(number - blank * ranks, weights, parities[blank], code)
        before = number
        for move in range(4):
            cell = np.int64(neighbors[blank, move])
            if cell < 0:
                continue
            after = before + number_change(code, blank, cell, weights)
            if entries[INDEX(after >> 2)] >> (2 * (after & 3)) & 3 == nearer:
                moves[made], numbers[made] = move, after
                number, here = after, nearer
                break
        if number == before:
            return -1
    return -1
