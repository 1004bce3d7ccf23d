"""Verifies pattern databases by computing them again, and by slow searches."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

import numpy as np

from tilework.core.errors import DamagedFileError
from tilework.core.puzzle.board import Size
from tilework.core.solver.kernels.constants import (
    DISTANCE,
    LARGE_FLAG,
    SMALL_FLAG,
    UNREACHED,
    VALUE,
)
from tilework.core.solver.pdb.breadth_first import (
    ProgressListener,
    fill_part,
    make_progress_reporter,
)
from tilework.core.solver.pdb.partitions import (
    Entries,
    Part,
    Partition,
    find_region,
    list_neighbors,
)

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

    def reaches_goal(self, regions: Iterable[Region], cells: Cells, moves: int) -> bool:
        """Whether the pattern's tiles can reach the goal in this many moves.

        The blank is in one of the regions at the start.
        """
        failed_states: set[tuple[Cells, Region, int]] = set()

        def reaches(current: Cells, region: Region, moves_left: int) -> bool:
            if current == self._goal and self._blank in region:
                return True
            if (current, region, moves_left) in failed_states:
                return False
            for successor, next_region in self._list_successors(current, region):
                if self._estimate(successor) < moves_left and reaches(
                    successor, next_region, moves_left - 1
                ):
                    return True
            failed_states.add((current, region, moves_left))
            return False

        return moves >= 0 and any(reaches(cells, region, moves) for region in regions)

    def has_entry(self, cells: Cells, entry: int, small_cells: int) -> bool:
        """Whether an entry is right."""
        regions = self._list_regions(cells)
        moves = entry & DISTANCE if small_cells else entry
        # All solutions have the same parity, so the next smaller number of moves is two less.
        if self.reaches_goal(regions, cells, moves - 2):
            return False
        if not small_cells:
            return self.reaches_goal(regions, cells, moves)
        small = {region for region in regions if len(region) <= small_cells}
        return self.reaches_goal(regions, cells, moves) and all(
            bool(entry & flag) == bool(group and not self.reaches_goal(group, cells, moves))
            for group, flag in ((small, SMALL_FLAG), (regions - small, LARGE_FLAG))
        )

    def _list_successors(self, cells: Cells, region: Region) -> Iterator[tuple[Cells, Region]]:
        for index, cell in enumerate(cells):
            for target in list_neighbors(self._size)[cell]:
                if target in region:
                    moved_cells = (*cells[:index], target, *cells[index + 1 :])
                    yield moved_cells, find_region(cell, moved_cells, self._size)

    def _list_regions(self, cells: Cells) -> set[Region]:
        return {
            find_region(blank, cells, self._size)
            for blank in range(self._size.cells)
            if blank not in cells
        }


_CHUNK = 1 << 24  # entries compared at a time, to limit memory use
_SAMPLE_SIZE = 200  # entries per pattern to check by a search


def verify(partition: Partition, entries: Entries, report: ProgressListener = float) -> None:
    """Compute all entries of a partition's databases again, and check some by a search."""
    on_placements = make_progress_reporter(partition, report)
    for part, part_entries in partition.split(entries):
        recomputed = np.full(part_entries.size, UNREACHED, dtype=VALUE)
        fill_part(partition, part, recomputed, on_placements)
        for first in range(0, part_entries.size, _CHUNK):
            mismatches = np.flatnonzero(
                recomputed[first : first + _CHUNK] != part_entries[first : first + _CHUNK]
            )
            if mismatches.size:
                raise _wrong_entry(partition, part, part_entries, first + int(mismatches[0]))
    verify_sample(partition, entries, _SAMPLE_SIZE)


def verify_sample(partition: Partition, entries: Entries, count: int) -> None:
    """Check random entries of each pattern by a slow search."""
    for part, part_entries in partition.split(entries):

        def estimate(cells: Cells, part: Part = part, entries: Entries = part_entries) -> int:
            entry = int(entries[partition.rank_placement(part.pattern, cells)])
            return entry & DISTANCE if partition.small_cells else entry

        goal = tuple(tile - 1 for tile in part.pattern)
        search = SlowSearch(goal, part.blank, partition.size, estimate)
        if part_entries.size <= count:
            indices = np.arange(part_entries.size)
        else:
            indices = np.random.default_rng().integers(part_entries.size, size=count)
        for index in indices[part_entries[indices] != UNREACHED].tolist():
            cells = partition.unrank_placement(part.pattern, index)
            entry = int(part_entries[index])
            if not search.has_entry(cells, entry, partition.small_cells):
                raise _wrong_entry(partition, part, part_entries, index)


def _wrong_entry(
    partition: Partition, part: Part, entries: Entries, index: int
) -> DamagedFileError:
    return DamagedFileError(
        "pdb-entry",
        "the database for pattern {pattern} on {size} boards has the wrong entry {entry} for "
        "its tiles on cells {cells}",
        pattern=part.pattern,
        size=partition.size,
        entry=entries[index],
        cells=[*partition.unrank_placement(part.pattern, index)],
    )
