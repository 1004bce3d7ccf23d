"""Checking pattern databases: every entry by its neighbours, or some by a slow search."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from tilework.core.errors import DamagedFileError
from tilework.core.puzzle.board import Size
from tilework.core.solver.kernels.constants import UNREACHED
from tilework.core.solver.pdb.building.flooding import ShareListener
from tilework.core.solver.pdb.distances import Entries
from tilework.core.solver.pdb.parts import Part
from tilework.core.solver.pdb.patterns import Partition
from tilework.core.solver.pdb.slabs import DigitSlabs, RankedSlabs, Slabs

Cells = tuple[int, ...]
Region = frozenset[int]


class SlowSearch:
    """Searches for the goal of one pattern."""

    def __init__(
        self, goal: Cells, blank: int, size: Size, estimate: Callable[[Cells], int]
    ) -> None:
        self._goal = goal
        self._blank = blank
        self._cells = size.cells
        self._estimate = estimate
        self._beside = [_beside(cell, size) for cell in range(size.cells)]

    def reaches_goal(self, cells: Cells, moves: int) -> bool:
        """Whether that many moves of the pattern's tiles suffice, the blank starting anywhere."""
        in_vain: set[tuple[Cells, Region, int]] = set()

        def reaches(here: Cells, region: Region, left: int) -> bool:
            if here == self._goal and self._blank in region:
                return True
            if (here, region, left) in in_vain:
                return False
            for after, its_region in self._moved(here, region):
                if self._estimate(after) < left and reaches(after, its_region, left - 1):
                    return True
            in_vain.add((here, region, left))
            return False

        return moves >= 0 and any(reaches(cells, region, moves) for region in self._regions(cells))

    def _moved(self, cells: Cells, region: Region) -> Iterator[tuple[Cells, Region]]:
        for place, cell in enumerate(cells):
            for target in self._beside[cell]:
                if target in region:
                    after = (*cells[:place], target, *cells[place + 1 :])
                    yield after, self._region(after, cell)

    def _regions(self, cells: Cells) -> set[Region]:
        return {self._region(cells, blank) for blank in range(self._cells) if blank not in cells}

    def _region(self, cells: Cells, blank: int) -> Region:
        region = {blank}
        edge = [blank]
        while edge:
            for cell in self._beside[edge.pop()]:
                if cell not in region and cell not in cells:
                    region.add(cell)
                    edge.append(cell)
        return frozenset(region)


def _beside(cell: int, size: Size) -> list[int]:
    row, column = divmod(cell, size.width)
    return [
        (row + down) * size.width + column + right
        for down, right in ((1, 0), (-1, 0), (0, 1), (0, -1))
        if 0 <= row + down < size.height and 0 <= column + right < size.width
    ]


_SLAB = 1 << 24  # entries that are checked at a time, which bounds the memory
_SAMPLE = 200  # entries of a pattern that are searched for


def verify(partition: Partition, entries: Entries, tell: ShareListener = float) -> None:
    """Check every entry of a partition's databases.

    The goal alone has distance 0; no distance is less than the pattern's Manhattan distance, nor
    of another parity; the placements with two tiles in one cell, and no others, have none. A
    random sample is compared with what a slow search finds.
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
    """Compare some random entries of each pattern with what a slow search finds."""
    kind = RankedSlabs if partition.ranked else DigitSlabs
    for part, of_part in _by_part(partition, entries):
        slabs = kind(part.pattern, partition.size, _SLAB)
        _Check(part, partition.size, slabs).some_entries(of_part, count)


def _by_part(partition: Partition, entries: Entries) -> Iterator[tuple[Part, Entries]]:
    return zip(partition.parts, np.split(entries, partition.offsets[1:]), strict=True)


class _Check:
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
