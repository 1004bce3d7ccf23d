"""Patterns and partitions of pattern databases.

The parts of a file are patterns with their goals. Parts that are rotations or reflections of each
other share their entries: the blank's goal cell is not part of a placement, it only determines
which blank cells are reached initially.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from math import perm
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tilework.core.errors import OptionError
from tilework.core.puzzle.board import Size
from tilework.core.puzzle.moves import neighbor_table
from tilework.core.solver.kernels.constants import MAX_CELLS
from tilework.core.solver.pdb.ranks import rank_placement, unrank_placement

Words = NDArray[np.int64]
Entries = NDArray[np.uint8]


def find_entry_terms(source: Part, part: Part, size: Size) -> Words | None:
    """Return the index terms, by tile and cell, that look up ``part`` in the entries of ``source``.

    Return None if the parts are not symmetric to each other.
    """
    if len(part.pattern) != len(source.pattern):
        return None
    region, target = goal_region(*part, size), goal_region(*source, size)
    for symmetry in _board_symmetries(size):
        images = [int(symmetry[tile - 1]) + 1 for tile in part.pattern]
        if (
            set(images) == set(source.pattern)
            and {int(symmetry[cell]) for cell in region} == target
        ):
            weight = dict(zip(source.pattern, weights(source.pattern, size), strict=True))
            return np.array([weight[tile] * symmetry for tile in images], dtype=np.int64)
    return None


def _board_symmetries(size: Size) -> list[Words]:
    """Return the image of each cell for each symmetry of the board; a square has eight."""
    grid = np.arange(size.cells, dtype=np.int64).reshape(size.height, size.width)
    grids = [grid, grid.T] if size.width == size.height else [grid]
    return [
        mirrored.reshape(-1)
        for rotated in grids
        for flipped in (rotated, rotated[::-1])
        for mirrored in (flipped, flipped[:, ::-1])
    ]


_MAX_BYTES = 1_000_000_000  # of all patterns together


def generate_patterns(size: Size) -> tuple[Pattern, ...]:
    """Partition the tiles along bands of rows or columns, whichever makes patterns more compact."""
    for max_tiles in (6, 5):
        if size.cells**max_tiles * ((size.cells - 1) // max_tiles) <= _MAX_BYTES:
            break
    by_rows = _order_by_bands(size)
    by_columns = [
        column * size.width + row
        for row, column in (divmod(cell, size.height) for cell in _order_by_bands(size[::-1]))
    ]
    partitions = [
        _split([cell + 1 for cell in order if cell + 1 < size.cells], max_tiles)
        for cells in (by_rows, by_columns)
        for order in (cells, cells[::-1])
    ]
    return min(
        partitions,
        key=lambda patterns: sum(_sum_distances(pattern, size) for pattern in patterns),
    )


def _split(tiles: list[int], length: int) -> tuple[Pattern, ...]:
    starts = range(0, len(tiles), length)
    return tuple(tuple(sorted(tiles[start : start + length])) for start in starts)


def _sum_distances(pattern: Pattern, size: Size) -> int:
    """Return the sum of the distances between the tiles' cells."""
    rows, columns = np.divmod(np.array(pattern) - 1, size.width)
    return int(sum(abs(np.subtract.outer(line, line)).sum() for line in (rows, columns)))


def _order_by_bands(size: tuple[int, int]) -> list[int]:
    """Return the cells in a zigzag along bands of two rows; the last band may have three."""
    width, height = size
    last_band = height // 2 - 1
    cells = []
    for band in range(last_band + 1):
        rows = range(2 * band, height if band == last_band else 2 * band + 2)
        for column in reversed(range(width)) if band % 2 else range(width):
            cells += [row * width + column for row in rows]
    return cells


# Tiles, named by goal cell: tile t belongs on cell t - 1. A tile belongs on the last cell only if
# the goal's blank is on another one.
Pattern = tuple[int, ...]


class Part(NamedTuple):
    """The distances of one pattern's placements."""

    pattern: Pattern
    blank: int  # the goal's blank, or any cell that it can reach without moving the pattern


def weights(pattern: Pattern, size: Size) -> NDArray[np.int64]:
    """Return the weight of each tile's cell in an index that is not ranked."""
    return np.array([size.cells**index for index in range(len(pattern))], dtype=np.int64)


def extra_parts(patterns: tuple[Pattern, ...], size: Size) -> tuple[Part, ...]:
    """Return the parts that only goals whose blank is not last need."""
    parts = {
        part: None
        for blank in range(size.cells - 1)
        for part in parts_for(patterns, size, blank)
        if part.blank != size.cells - 1
    }
    return tuple(parts)


def parts_for(patterns: tuple[Pattern, ...], size: Size, blank: int) -> tuple[Part, ...]:
    """Return the parts for goals with the blank on a cell."""
    last = size.cells - 1
    if blank == last:
        return tuple(Part(pattern, last) for pattern in patterns)
    parts = []
    for pattern in patterns:
        tiles = tuple(tile for tile in pattern if tile != blank + 1)
        region = goal_region(tiles, blank, size)
        is_complete = len(tiles) == len(pattern)
        parts.append(Part(tiles, last if is_complete and last in region else min(region)))
    return (*parts, Part((size.cells,), 0))


def goal_region(pattern: Pattern, blank: int, size: Size) -> frozenset[int]:
    """Return the cells that the blank can reach while a pattern stays at its goal."""
    return find_region(blank, [tile - 1 for tile in pattern], size)


def find_region(blank: int, occupied: Collection[int], size: Size) -> frozenset[int]:
    """Return the cells that the blank can reach without passing occupied ones."""
    neighbors = list_neighbors(size)
    region = {blank}
    stack = [blank]
    while stack:
        for cell in neighbors[stack.pop()]:
            if cell not in occupied and cell not in region:
                region.add(cell)
                stack.append(cell)
    return frozenset(region)


@lru_cache(maxsize=4)
def list_neighbors(size: Size) -> list[list[int]]:
    """Return the neighbours of each cell."""
    return [[cell for cell in cells if cell >= 0] for cells in neighbor_table(size).tolist()]


_QUICK_PLACEMENTS = 30_000_000


class PatternEntries(NamedTuple):
    """A pattern and its entries in a partition."""

    pattern: Pattern
    offset: int  # of the pattern's entries
    # Terms of the index, by position in the pattern and cell; not for ranked partitions
    terms: NDArray[np.int64]


@dataclass(frozen=True)
class Partition:
    """Disjoint patterns of one board size; the sum of their distances is a lower bound.

    A placement of a k-tile pattern on a board of n cells has an index in base n: the cell of the
    pattern's i-th tile is digit i. One move changes one digit by a constant, so the index is
    updated by one addition, but entries for placements with two tiles on a cell are unused. With
    eight tiles, seven of eight entries would be unused, so such a partition is ranked instead (see
    `tilework.core.solver.pdb.ranks`).
    """

    name: str  # sizes of the patterns, as in ``6-6-3``; unique for a board size
    size: Size  # at most 36 cells
    patterns: tuple[Pattern, ...]  # of at most 8 tiles; each tile is in exactly one pattern
    ranked: bool = False  # whether indices have no gaps; at most 16 cells
    # Whether the goal's blank can be outside a corner, in which case symmetric patterns share their
    # entries; not if ranked
    allows_any_blank: bool = False

    @property
    def small_cells(self) -> int:
        """The size of the largest small region, or 0 if entries have no flags.

        A pattern's distance depends on the region that its tiles leave to the blank. Flags in its
        entries say whether it is two moves longer from small regions, or from large ones. That is
        an approximation of zero-aware databases: R. Clausecker and A. Reinefeld, "Zero-aware
        pattern databases with 1-bit compression for sliding tile puzzles", SoCS 2019.
        """
        if self.ranked:
            return 2
        return int(self.allows_any_blank)

    @property
    def title(self) -> str:
        """Size and name, as in ``5x5 6-6-6-6``; unique."""
        return f"{self.size.width}x{self.size.height} {self.name}"

    @cached_property
    def parts(self) -> tuple[Part, ...]:
        """The parts of the file; of symmetric parts, only the first one."""
        return tuple(part for part, (source, _) in self._sources.items() if part == source)

    @cached_property
    def _sources(self) -> dict[Part, tuple[Part, NDArray[np.int64]]]:
        """For each part, the part whose entries it uses and the terms of the index."""
        additional_parts = extra_parts(self.patterns, self.size) if self.allows_any_blank else ()
        sources_by_part: dict[Part, tuple[Part, NDArray[np.int64]]] = {}
        for part in (*parts_for(self.patterns, self.size, self.size.cells - 1), *additional_parts):
            sources = [other for other, (source, _) in sources_by_part.items() if other == source]
            for source in (*sources, part) if self.allows_any_blank else (part,):
                if (terms := find_entry_terms(source, part, self.size)) is not None:
                    sources_by_part[part] = source, terms
                    break
        return sources_by_part

    @cached_property
    def lengths(self) -> tuple[int, ...]:
        cells = self.size.cells
        return tuple(
            perm(cells, len(pattern)) if self.ranked else cells ** len(pattern)
            for pattern, _ in self.parts
        )

    @cached_property
    def offsets(self) -> tuple[int, ...]:
        return tuple(sum(self.lengths[:index]) for index in range(len(self.parts)))

    def split(self, entries: Entries) -> list[tuple[Part, Entries]]:
        """Return the parts with their entries."""
        return list(zip(self.parts, np.split(entries, self.offsets[1:]), strict=True))

    def rank_placement(self, pattern: Pattern, placement: Sequence[int]) -> int:
        """Return the index of a placement within a pattern's entries."""
        if self.ranked:
            return rank_placement(placement, self.size.cells)
        return int(weights(pattern, self.size) @ np.array(placement))

    def unrank_placement(self, pattern: Pattern, index: int) -> tuple[int, ...]:
        """Return the placement with an index: the inverse of `rank_placement`."""
        cells = self.size.cells
        if self.ranked:
            return unrank_placement(index, len(pattern), cells)
        return tuple(index // cells**digit % cells for digit in range(len(pattern)))

    def entries_for_blank(self, blank: int) -> tuple[PatternEntries, ...]:
        """Return the patterns for goals with the blank on a cell, and their entries."""
        offsets = dict(zip(self.parts, self.offsets, strict=True))
        entries = []
        for part in parts_for(self.patterns, self.size, blank):
            source, terms = self._sources[part]
            entries.append(PatternEntries(part.pattern, offsets[source], terms))
        return tuple(entries)

    @property
    def is_quick(self) -> bool:
        """Whether the databases are built in a few seconds, so that a search can wait for them."""
        cells = self.size.cells
        return sum(perm(cells, len(part.pattern)) for part in self.parts) <= _QUICK_PLACEMENTS

    @property
    def length(self) -> int:
        return sum(self.lengths)

    def header(self) -> dict[str, Any]:
        # These fields are optional, because older files lack them.
        index = {"index": "ranks"} if self.ranked else {}
        regions = {"small_region": self.small_cells} if self.small_cells else {}
        blank = {"blank": "anywhere"} if self.allows_any_blank else {}
        return {
            "width": self.size.width,
            "height": self.size.height,
            "partition": self.name,
            "patterns": self.patterns,
            **index,
            **regions,
            **blank,
        }

    def build(self, report: Callable[[float], object] = float) -> NDArray[np.uint8]:
        # Imported here, because it loads kernels.
        from tilework.core.solver.pdb.breadth_first import build

        return build(self, report)

    def check_sample(self, entries: NDArray[np.uint8], count: int) -> None:
        from tilework.core.solver.pdb.verify import verify_sample

        verify_sample(self, entries, count)


# Hand-picked partitions, the best one of each size first
_HAND_PICKED = (
    Partition(
        "7-8", Size(4, 4), ((1, 5, 6, 9, 10, 13, 14), (2, 3, 4, 7, 8, 11, 12, 15)), ranked=True
    ),
    # Of a dozen candidates, the partition with the fewest nodes on Korf's boards.
    Partition("6-6-3", Size(4, 4), ((5, 6, 9, 10, 13, 14), (4, 7, 8, 11, 12, 15), (1, 2, 3))),
    # Korf and Felner (2002), rotated by 180 degrees, because their blank comes first.
    Partition(
        "6-6-6-6",
        Size(5, 5),
        (
            (1, 2, 3, 6, 7, 8),
            (4, 5, 9, 10, 14, 15),
            (11, 12, 16, 17, 21, 22),
            (13, 18, 19, 20, 23, 24),
        ),
        allows_any_blank=True,
    ),
    Partition(
        "5-5-5-5-4",
        Size(5, 5),
        (
            (3, 4, 5, 8, 9),
            (10, 14, 15, 19, 20),
            (11, 12, 16, 17, 21),
            (13, 18, 22, 23, 24),
            (1, 2, 6, 7),
        ),
        allows_any_blank=True,
    ),
)

# The sizes whose pattern databases are built by default, the most useful ones first
DEFAULT_SIZES = (Size(5, 5), Size(4, 4))


def partitions_for(size: Size) -> tuple[Partition, ...]:
    """Return the partitions for a board size, the best first.

    Sizes without a hand-picked partition get a generated one: compact blocks of up to six tiles, or
    of up to five if six would take over a gigabyte. There is none for a single row or column, or
    for over 36 cells.
    """
    hand_picked = tuple(partition for partition in _HAND_PICKED if partition.size == size)
    if hand_picked or 1 in size or size.cells > MAX_CELLS:
        return hand_picked
    patterns = generate_patterns(size)
    return (Partition("-".join(str(len(pattern)) for pattern in patterns), size, patterns),)


def find_partition(size: Size, name: str) -> Partition:
    choices = partitions_for(size)
    for partition in choices:
        if partition.name == name:
            return partition
    if not choices:
        raise OptionError(
            "no-databases", "there are no pattern databases for {size} boards", size=size
        )
    names = ", ".join(partition.name for partition in choices)
    raise OptionError(
        "partition",
        "{size} boards have no partition {name!r}; choose from {choices}",
        size=size,
        name=name[:60],
        choices=names,
    )


def find_partition_by_title(title: str) -> Partition:
    size, _, name = title.partition(" ")
    width, _, height = size.partition("x")
    if not (width.isdecimal() and height.isdecimal()):
        raise OptionError(
            "partition-title",
            "{title!r} is not the title of a partition; write one like {example!r}",
            title=title[:60],
            example="5x5 6-6-6-6",
        )
    return find_partition(Size(int(width), int(height)), name)
