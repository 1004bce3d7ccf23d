"""Checking pattern databases against what can be said of them without building them again."""

from __future__ import annotations

from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from core.errors import DamagedFileError
from core.kernels.constants import UNREACHED
from core.pdb.build import ShareListener
from core.pdb.distances import Entries
from core.pdb.patterns import Partition, Pattern, weights
from core.pdb.slow_search import SlowSearch
from core.puzzle.board import Size

_SLAB = 1 << 24
"""Entries that are checked at a time: what bounds the memory."""

_SAMPLE = 200
"""Entries of a pattern that are searched for."""

Bytes = NDArray[np.uint8]


def verify(partition: Partition, entries: Entries, tell: ShareListener = float) -> None:
    """Check every entry of a partition's databases.

    The goal alone has distance 0; no distance is less than the pattern's Manhattan distance, nor
    of another parity; the placements with two tiles in one cell, and no others, have none. A
    random sample is compared with what a slow search finds.

    Parameters
    ----------
    partition : Partition
    entries : uint8 array, shape (partition.length,)
    tell : callable
        Hears the share that is checked, from 0 to 1.

    Raises
    ------
    DamagedFileError
        At the first wrong entry.
    """
    checked = 0
    parts = np.split(entries, partition.offsets[1:])
    for pattern, part in zip(partition.patterns, parts, strict=True):
        check = _Check(pattern, partition.size)
        for first in range(0, part.size, check.slab):
            check.every_entry(part, first)
            checked += check.slab
            tell(checked / partition.length)
        check.some_entries(part)


class _Check:
    """What is known of one pattern's entries.

    They are taken in slabs, in which only the first tiles go through all cells while the others
    rest. The index is a number in base n whose lowest digit is the first tile's cell, so the
    last axis of a slab is the first tile's.
    """

    def __init__(self, pattern: Pattern, size: Size) -> None:
        self._pattern = pattern
        self._size = size
        self._cells = size.cells
        tiles = len(pattern)
        while self._cells**tiles > _SLAB:
            tiles -= 1
        self._moving = tiles
        self.slab = self._cells**tiles
        self._distances = _distances(pattern, size)
        # Of the moving tiles alone.
        self._distance = np.zeros((self._cells,) * tiles, dtype=np.uint8)
        for place in range(tiles):
            self._distance += self._on_axis(self._distances[place], place)
        self._clash = np.zeros((self._cells,) * tiles, dtype=np.bool_)
        cells = np.arange(self._cells)
        for one, other in combinations(range(tiles), 2):
            self._clash |= self._on_axis(cells, one) == self._on_axis(cells, other)

    def every_entry(self, part: Entries, first: int) -> None:
        """Check the slab that begins at an index."""
        resting = _digits(first, self._cells, len(self._pattern))[self._moving :]
        slab = part[first : first + self.slab].reshape((self._cells,) * self._moving)
        distance = self._distance + np.uint8(
            sum(self._distances[self._moving + place, cell] for place, cell in enumerate(resting))
        )
        clash = self._clash.copy()
        for cell in resting:
            for axis in range(self._moving):
                clash[(slice(None),) * axis + (cell,)] = True
        if len(set(resting)) < len(resting):
            clash[...] = True
        wrong = (slab < distance) | ((slab ^ distance) & 1 == 1) | ((slab == 0) != (distance == 0))
        unreached = slab == UNREACHED
        wrong &= ~unreached
        # Only a pattern of all the tiles has placements of the wrong parity as well.
        whole = len(self._pattern) == self._cells - 1
        wrong |= clash & ~unreached if whole else clash != unreached
        if wrong.any():
            self._refuse(part, first + int(np.flatnonzero(wrong)[0]))

    def some_entries(self, part: Entries) -> None:
        """Check a random sample by a search of its own."""
        goal = tuple(tile - 1 for tile in self._pattern)
        base = weights(self._pattern, self._size)
        search = SlowSearch(goal, self._size, lambda cells: int(part[base @ cells]))
        if part.size <= _SAMPLE:
            indices = np.arange(part.size)
        else:
            indices = np.random.default_rng().integers(part.size, size=_SAMPLE)
        for index in indices[part[indices] != UNREACHED].tolist():
            cells = tuple(_digits(index, self._cells, len(self._pattern)))
            moves = int(part[index])
            # One move less changes the parity, which was checked.
            if search.reaches_goal(cells, moves - 2) or not search.reaches_goal(cells, moves):
                self._refuse(part, index)

    def _refuse(self, part: Entries, index: int) -> None:
        cells = _digits(index, self._cells, len(self._pattern))
        raise DamagedFileError(
            f"the database of {self._pattern} of {self._size} says {part[index]} with these "
            f"tiles on the cells {cells}, which cannot be"
        )

    def _on_axis(self, values: NDArray[np.integer], place: int) -> NDArray[np.integer]:
        """Return values by cell of one moving tile, to be broadcast along the others' axes."""
        axis = self._moving - 1 - place
        return values.reshape([-1 if other == axis else 1 for other in range(self._moving)])


def _distances(pattern: Pattern, size: Size) -> Bytes:
    """By place in the pattern and cell, the tile's Manhattan distance from its goal."""
    rows, columns = np.divmod(np.arange(size.cells), size.width)
    return np.array(
        [abs(rows - rows[tile - 1]) + abs(columns - columns[tile - 1]) for tile in pattern],
        dtype=np.uint8,
    )


def _digits(index: int, base: int, count: int) -> list[int]:
    """Return the digits of an index, the lowest first."""
    return [index // base**place % base for place in range(count)]
