"""Bringing distances by set of cells and order of tiles to the index of a pattern database."""

from __future__ import annotations

import numpy as np

from tilework.core.compiling import int64, kernel, types, uint8, uint64
from tilework.core.solver.kernels.array_types import TABLE
from tilework.core.solver.kernels.bits import lowest_bit
from tilework.core.solver.kernels.constants import INDEX

_BLOCK = 64
"""Orders that are taken at a time: a cache line of each set's distances."""


@kernel(types.void(uint8[::1], uint8[:, ::1], int64, int64))
def place_by_rank(entries, distances, first, last):
    """Place the distances of some orders of the tiles.

    Parameters
    ----------
    entries : uint8 array, shape (orders * sets,), changed in place
    distances : uint8 array, shape (sets, orders)
    first, last : int
        The orders: from the first to before the last.
    """
    sets = distances.shape[0]
    for block in range(first, last, _BLOCK):
        end = min(block + _BLOCK, last)
        for number in range(sets):
            for order in range(block, end):
                entries[INDEX(order * sets + number)] = distances[INDEX(number), INDEX(order)]


@kernel(
    types.void(
        uint8[::1], uint8[:, ::1], types.Array(uint64, 1, "C", readonly=True), TABLE, int64, int64
    )
)
def place_by_digits(entries, distances, sets, weights, first, last):
    """Place the distances of some sets of cells.

    Parameters
    ----------
    entries : uint8 array, shape (cells ** tiles,), changed in place
    distances : uint8 array, shape (sets, orders)
    sets : uint64 array
        The cells of each set.
    weights : int64 array, shape (orders, tiles)
        By order and number of a tile, by rising cell, what a cell further adds to the index.
    first, last : int
        The sets: from the first to before the last.
    """
    orders, tiles = weights.shape
    cells = np.empty(tiles, dtype=np.int64)
    for number in range(first, last):
        occupied = sets[INDEX(number)]
        for place in range(tiles):
            cells[place] = lowest_bit(occupied)
            occupied &= occupied - np.uint64(1)
        for order in range(orders):
            index = 0
            for place in range(tiles):
                index += cells[INDEX(place)] * weights[INDEX(order), INDEX(place)]
            entries[INDEX(index)] = distances[INDEX(number), INDEX(order)]
