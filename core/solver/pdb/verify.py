"""Verifies pattern databases by computing them again, and by slow searches."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from tilework.core.errors import DamagedFileError
from tilework.core.puzzle.board import Size
from tilework.core.solver.kernels.constants import UNREACHED, VALUE
from tilework.core.solver.pdb.building.breadth_first import (
    ProgressListener,
    fill_part,
    make_progress_reporter,
)
from tilework.core.solver.pdb.parts import Entries, Part, find_region, list_neighbors
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
        """Whether the pattern's tiles can reach the goal in this many moves.

        The blank can be in any cell at the start.
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

        return moves >= 0 and any(
            reaches(cells, region, moves) for region in self._list_regions(cells)
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
            return int(entries[partition.rank_placement(part.pattern, cells)])

        goal = tuple(tile - 1 for tile in part.pattern)
        search = SlowSearch(goal, part.blank, partition.size, estimate)
        if part_entries.size <= count:
            indices = np.arange(part_entries.size)
        else:
            indices = np.random.default_rng().integers(part_entries.size, size=count)
        for index in indices[part_entries[indices] != UNREACHED].tolist():
            cells = partition.unrank_placement(part.pattern, index)
            moves = int(part_entries[index])
            # All solutions have the same parity, so the next smaller number of moves is two less.
            if search.reaches_goal(cells, moves - 2) or not search.reaches_goal(cells, moves):
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
