"""Verification of pattern databases: by a new computation, and by slow searches."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from tilework.core.errors import DamagedFileError
from tilework.core.puzzle.board import Size
from tilework.core.solver.kernels.constants import UNREACHED, VALUE
from tilework.core.solver.pdb.building.breadth_first import ShareListener, fill_part, share_reporter
from tilework.core.solver.pdb.parts import Entries, Part, neighbors_on, region_around
from tilework.core.solver.pdb.patterns import Partition

Cells = tuple[int, ...]
Region = frozenset[int]


class SlowSearch:
    """A depth-first search for the goal of a pattern."""

    def __init__(
        self, goal: Cells, blank: int, size: Size, estimate: Callable[[Cells], int]
    ) -> None:
        self._goal = goal
        self._blank = blank
        self._size = size
        self._estimate = estimate

    def reaches_goal(self, cells: Cells, moves: int) -> bool:
        """Whether this many moves of the pattern's tiles suffice, for any start of the blank."""
        failed: set[tuple[Cells, Region, int]] = set()

        def reaches(here: Cells, region: Region, left: int) -> bool:
            if here == self._goal and self._blank in region:
                return True
            if (here, region, left) in failed:
                return False
            for after, its_region in self._successors(here, region):
                if self._estimate(after) < left and reaches(after, its_region, left - 1):
                    return True
            failed.add((here, region, left))
            return False

        return moves >= 0 and any(reaches(cells, region, moves) for region in self._regions(cells))

    def _successors(self, cells: Cells, region: Region) -> Iterator[tuple[Cells, Region]]:
        for place, cell in enumerate(cells):
            for target in neighbors_on(self._size)[cell]:
                if target in region:
                    after = (*cells[:place], target, *cells[place + 1 :])
                    yield after, region_around(cell, after, self._size)

    def _regions(self, cells: Cells) -> set[Region]:
        return {
            region_around(blank, cells, self._size)
            for blank in range(self._size.cells)
            if blank not in cells
        }


_CHUNK = 1 << 24  # entries that are compared at a time, which bounds the memory
_SAMPLE = 200  # entries of a pattern that are checked by a search


def verify(partition: Partition, entries: Entries, report: ShareListener = float) -> None:
    """Compute every entry of a partition's databases again, and check some by a search."""
    placed = share_reporter(partition, report)
    for part, of_part in partition.split(entries):
        again = np.full(of_part.size, UNREACHED, dtype=VALUE)
        fill_part(partition, part, again, placed)
        for first in range(0, of_part.size, _CHUNK):
            wrong = np.flatnonzero(again[first : first + _CHUNK] != of_part[first : first + _CHUNK])
            if wrong.size:
                raise _wrong_entry(partition, part, of_part, first + int(wrong[0]))
    verify_some(partition, entries, _SAMPLE)


def verify_some(partition: Partition, entries: Entries, count: int) -> None:
    """Check some random entries of each pattern by a slow search."""
    for part, of_part in partition.split(entries):

        def estimate(cells: Cells, part: Part = part, entries: Entries = of_part) -> int:
            return int(entries[partition.index_of(part.pattern, cells)])

        goal = tuple(tile - 1 for tile in part.pattern)
        search = SlowSearch(goal, part.blank, partition.size, estimate)
        if of_part.size <= count:
            indices = np.arange(of_part.size)
        else:
            indices = np.random.default_rng().integers(of_part.size, size=count)
        for index in indices[of_part[indices] != UNREACHED].tolist():
            cells = partition.placement_of(part.pattern, index)
            moves = int(of_part[index])
            # One move less changes the parity.
            if search.reaches_goal(cells, moves - 2) or not search.reaches_goal(cells, moves):
                raise _wrong_entry(partition, part, of_part, index)


def _wrong_entry(
    partition: Partition, part: Part, entries: Entries, index: int
) -> DamagedFileError:
    return DamagedFileError(
        "pdb-entry",
        "the database of {pattern} on {size} boards has the impossible entry {entry} for "
        "its tiles on the cells {cells}",
        pattern=part.pattern,
        size=partition.size,
        entry=entries[index],
        cells=[*partition.placement_of(part.pattern, index)],
    )
