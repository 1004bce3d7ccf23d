"""Checking pattern databases as far as possible without building them again."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from tilework.core.errors import DamagedFileError
from tilework.core.puzzle.board import Size
from tilework.core.solver.kernels.constants import UNREACHED
from tilework.core.solver.pdb.building.flooding import ShareListener
from tilework.core.solver.pdb.distances import Entries
from tilework.core.solver.pdb.parts import Part
from tilework.core.solver.pdb.patterns import Partition
from tilework.core.solver.pdb.slabs import DigitSlabs, RankedSlabs, Slabs
from tilework.core.solver.pdb.slow_search import SlowSearch

_SLAB = 1 << 24
"""Entries that are checked at a time, which bounds the memory."""

_SAMPLE = 200
"""Entries of a pattern that are searched for."""


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
        Called with the share that is checked, from 0 to 1.

    Raises
    ------
    DamagedFileError
        At the first wrong entry.
    """
    checked = 0
    kind = RankedSlabs if partition.ranked else DigitSlabs
    for part, of_part in _by_part(partition, entries):
        slabs = kind(part.pattern, partition.size, _SLAB)
        check = _Check(part, partition.size, slabs)
        for first in range(0, of_part.size, slabs.length):
            check.every_entry(of_part, first)
            checked += of_part[first : first + slabs.length].size
            tell(checked / partition.length)
        check.some_entries(of_part, _SAMPLE)


def verify_some(partition: Partition, entries: Entries, count: int) -> None:
    """Compare some random entries of each pattern with what a slow search finds.

    Parameters
    ----------
    partition : Partition
    entries : uint8 array, shape (partition.length,)
    count : int
        Entries of each pattern; one takes some milliseconds.

    Raises
    ------
    DamagedFileError
        At the first wrong entry.
    """
    kind = RankedSlabs if partition.ranked else DigitSlabs
    for part, of_part in _by_part(partition, entries):
        slabs = kind(part.pattern, partition.size, _SLAB)
        _Check(part, partition.size, slabs).some_entries(of_part, count)


def _by_part(partition: Partition, entries: Entries) -> Iterator[tuple[Part, Entries]]:
    return zip(partition.parts, np.split(entries, partition.offsets[1:]), strict=True)


class _Check:
    """The checks of one part's entries."""

    def __init__(self, part: Part, size: Size, slabs: Slabs) -> None:
        self._pattern, self._blank = part
        self._size = size
        self._slabs = slabs

    def every_entry(self, entries: Entries, first: int) -> None:
        """Check the slab that begins at an index."""
        slab = entries[first : first + self._slabs.length]
        distance, clash = self._slabs.known(first)
        wrong = (slab < distance) | ((slab ^ distance) & 1 == 1) | ((slab == 0) != (distance == 0))
        unreached = slab == UNREACHED
        wrong &= ~unreached
        # Only a pattern of all the tiles has placements of the wrong parity as well.
        whole = len(self._pattern) == self._size.cells - 1
        wrong |= clash & ~unreached if whole else clash != unreached
        if wrong.any():
            self._refuse(entries, first + int(np.flatnonzero(wrong)[0]))

    def some_entries(self, entries: Entries, count: int) -> None:
        """Check a random sample by a search of its own."""
        goal = tuple(tile - 1 for tile in self._pattern)
        slabs = self._slabs
        search = SlowSearch(
            goal, self._blank, self._size, lambda cells: int(entries[slabs.index_of(cells)])
        )
        if entries.size <= count:
            indices = np.arange(entries.size)
        else:
            indices = np.random.default_rng().integers(entries.size, size=count)
        for index in indices[entries[indices] != UNREACHED].tolist():
            cells = slabs.placement_of(index)
            moves = int(entries[index])
            # One move less changes the parity, which was checked.
            if search.reaches_goal(cells, moves - 2) or not search.reaches_goal(cells, moves):
                self._refuse(entries, index)

    def _refuse(self, entries: Entries, index: int) -> None:
        cells = [*self._slabs.placement_of(index)]
        raise DamagedFileError(
            "pdb-entry",
            "the database of {pattern} on boards of {size} has the entry {entry} for its tiles on "
            "the cells {cells}, which cannot be",
            pattern=self._pattern,
            size=self._size,
            entry=entries[index],
            cells=cells,
        )
