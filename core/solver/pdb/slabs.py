"""What is known about a pattern's entries without a search, a slab at a time.

The two kinds of slabs go with the two kinds of index that a partition may have.
"""

from __future__ import annotations

from itertools import combinations
from math import comb
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from tilework.core.puzzle.board import Size
from tilework.core.solver.pdb.parts import Pattern, weights
from tilework.core.solver.pdb.ranks import PLACE_BITS, index_of, orders, placement_of, sets

Bytes = NDArray[np.uint8]
Flags = NDArray[np.bool_]
Cells = tuple[int, ...]


class Slabs(Protocol):
    """A pattern's entries, cut into slabs."""

    length: int  # entries of a slab; the last one may have fewer

    def known(self, first: int) -> tuple[Bytes, Flags]:
        """Return the Manhattan distances in the slab that begins at an index, and the clashes."""

    def index_of(self, placement: Cells) -> int:
        """Return the index of the tiles' cells."""

    def placement_of(self, index: int) -> Cells:
        """Return the tiles' cells that have an index."""


class DigitSlabs:
    """Slabs in which only the first tiles go through all cells while the others rest."""

    def __init__(self, pattern: Pattern, size: Size, most: int) -> None:
        self._tiles = len(pattern)
        self._cells = size.cells
        self._weights = weights(pattern, size)
        moving = self._tiles
        while self._cells**moving > most:
            moving -= 1
        self._moving = moving
        self.length = self._cells**moving
        self._distances = _distances(pattern, size)
        # Of the moving tiles alone.
        self._distance = np.zeros((self._cells,) * moving, dtype=np.uint8)
        for place in range(moving):
            self._distance += self._on_axis(self._distances[place], place)
        self._clash = np.zeros((self._cells,) * moving, dtype=np.bool_)
        cells = np.arange(self._cells)
        for one, other in combinations(range(moving), 2):
            self._clash |= self._on_axis(cells, one) == self._on_axis(cells, other)

    def known(self, first: int) -> tuple[Bytes, Flags]:
        resting = self.placement_of(first)[self._moving :]
        distance = self._distance + np.uint8(
            sum(self._distances[self._moving + place, cell] for place, cell in enumerate(resting))
        )
        clash = self._clash.copy()
        for cell in resting:
            for axis in range(self._moving):
                clash[(slice(None),) * axis + (cell,)] = True
        if len(set(resting)) < len(resting):
            clash[...] = True
        return distance.reshape(-1), clash.reshape(-1)

    def index_of(self, placement: Cells) -> int:
        return int(self._weights @ placement)

    def placement_of(self, index: int) -> Cells:
        return tuple(index // self._cells**place % self._cells for place in range(self._tiles))

    def _on_axis(self, values: NDArray[np.integer], place: int) -> NDArray[np.integer]:
        """Return values by cell of one moving tile, to be broadcast along the others' axes."""
        axis = self._moving - 1 - place
        return values.reshape([-1 if other == axis else 1 for other in range(self._moving)])


class RankedSlabs:
    """Slabs of whole orders, with all sets of cells for each."""

    def __init__(self, pattern: Pattern, size: Size, most: int) -> None:
        self._tiles = len(pattern)
        self._cells = size.cells
        self._sets = comb(self._cells, self._tiles)
        self.length = max(most // self._sets, 1) * self._sets
        words = sets(self._tiles)[: self._sets]
        occupied = words[:, np.newaxis] >> np.arange(self._cells) & 1 == 1
        rising = np.nonzero(occupied)[1].reshape(self._sets, self._tiles)
        # By number of a tile by rising cell, its place in the pattern, and the set.
        self._distances = _distances(pattern, size)[:, rising.T].swapaxes(0, 1)

    def known(self, first: int) -> tuple[Bytes, Flags]:
        ranks = slice(first // self._sets, (first + self.length) // self._sets)
        packed = orders(self._tiles)[ranks]
        distance = np.zeros((packed.size, self._sets), dtype=np.uint8)
        for number, by_place in enumerate(self._distances):
            distance += by_place[packed >> PLACE_BITS * number & 7]
        return distance.reshape(-1), np.zeros(distance.size, dtype=np.bool_)

    def index_of(self, placement: Cells) -> int:
        return index_of(placement, self._cells)

    def placement_of(self, index: int) -> Cells:
        return placement_of(index, self._tiles, self._cells)


def _distances(pattern: Pattern, size: Size) -> Bytes:
    """By place in the pattern and cell, the tile's Manhattan distance from its goal."""
    rows, columns = np.divmod(np.arange(size.cells), size.width)
    return np.array(
        [abs(rows - rows[tile - 1]) + abs(columns - columns[tile - 1]) for tile in pattern],
        dtype=np.uint8,
    )
