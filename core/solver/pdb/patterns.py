"""Patterns and partitions: which tiles a pattern database covers together."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from math import perm
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tilework.core.errors import OptionError
from tilework.core.puzzle.board import Size
from tilework.core.solver.kernels.constants import MAX_CELLS, MAX_PATTERN
from tilework.core.solver.pdb.ranks import MAX_RANKED_CELLS

_QUICK_PLACEMENTS = 30_000_000

Pattern = tuple[int, ...]
"""Tiles of the blank-last goal: tile t belongs to cell t - 1."""


@dataclass(frozen=True)
class Partition:
    """Disjoint patterns of one size of board; the sum of their distances never overestimates.

    A placement of a k-tile pattern on a board of n cells has an index in base n: the cell of the
    pattern's i-th tile is digit i. One move changes one digit by a constant, so the index is
    updated by one addition; the price is unused entries where two tiles would share a cell. With
    eight tiles those are seven in eight: such a partition is ranked (see
    `tilework.core.solver.pdb.ranks`).

    Attributes
    ----------
    name : str
        Sizes of the patterns, as in ``6-6-3``; no two partitions of a size share it.
    size : Size
        At most 36 cells.
    patterns : tuple of Pattern
        Of at most 8 tiles, each tile in exactly one, so that a sum of 0 means the goal.
    ranked : bool
        Whether the placements of all patterns have indices without gaps; at most 16 cells then.

    Raises
    ------
    OptionError
        For patterns that are not a partition of the board's tiles, or too large.
    """

    name: str
    size: Size
    patterns: tuple[Pattern, ...]
    ranked: bool = False

    def __post_init__(self) -> None:
        tiles = [tile for pattern in self.patterns for tile in pattern]
        cells = self.size.cells
        if cells > MAX_CELLS:
            raise OptionError(
                "pdb-cells",
                "pattern databases are limited to {most} cells; a board of {size} has {cells}",
                most=MAX_CELLS,
                size=self.size,
                cells=cells,
            )
        if sorted(tiles) != list(range(1, cells)):
            raise OptionError(
                "partition-tiles",
                "the patterns {patterns} do not contain each tile from 1 to {last} once",
                patterns=self.patterns,
                last=cells - 1,
            )
        if not all(0 < len(pattern) <= MAX_PATTERN for pattern in self.patterns):
            raise OptionError(
                "pattern-tiles",
                "a pattern has 1 to {most} tiles, unlike one of {patterns}",
                most=MAX_PATTERN,
                patterns=self.patterns,
            )
        if self.ranked and cells > MAX_RANKED_CELLS:
            raise OptionError(
                "ranked-cells",
                "ranked placements are limited to {most} cells; a board of {size} has {cells}",
                most=MAX_RANKED_CELLS,
                size=self.size,
                cells=cells,
            )

    @property
    def title(self) -> str:
        """Size and name, as in ``5x5 6-6-6-6``: no other partition is called so."""
        return f"{self.size.width}x{self.size.height} {self.name}"

    @cached_property
    def lengths(self) -> tuple[int, ...]:
        """Entries of each pattern."""
        cells = self.size.cells
        return tuple(
            perm(cells, len(pattern)) if self.ranked else cells ** len(pattern)
            for pattern in self.patterns
        )

    @cached_property
    def offsets(self) -> tuple[int, ...]:
        """Where each pattern's entries begin in the partition's flat array."""
        return tuple(sum(self.lengths[:place]) for place in range(len(self.patterns)))

    @property
    def is_quick(self) -> bool:
        """Whether all patterns are built in a few seconds, so that a job may wait for it."""
        cells = self.size.cells
        return sum(perm(cells, len(pattern)) for pattern in self.patterns) <= _QUICK_PLACEMENTS

    @property
    def length(self) -> int:
        """Entries of all patterns, one byte each."""
        return sum(self.lengths)

    def header(self) -> dict[str, Any]:
        """Return what a file's header says of the patterns; see `pdb.files.Stored`."""
        # Only what is ranked says so: files of digits are older than the word.
        index = {"index": "ranks"} if self.ranked else {}
        return {
            "width": self.size.width,
            "height": self.size.height,
            "partition": self.name,
            "patterns": self.patterns,
            **index,
        }

    def build(self, tell: Callable[[float], object] = float) -> NDArray[np.uint8]:
        """Compute every entry; see `pdb.building.flooding.build`."""
        # Here: patterns are named where nothing is built, and no kernel is loaded.
        from tilework.core.solver.pdb.building.flooding import build

        return build(self, tell)

    def check_some(self, entries: NDArray[np.uint8], count: int) -> None:
        """Check random entries; see `pdb.verify.verify_some`."""
        from tilework.core.solver.pdb.verify import verify_some

        verify_some(self, entries, count)


def weights(pattern: Pattern, size: Size) -> NDArray[np.int64]:
    """By place in the pattern, what one cell further adds to an index that is not ranked."""
    return np.array([size.cells**place for place in range(len(pattern))], dtype=np.int64)


_NAMED = (
    Partition(
        "7-8", Size(4, 4), ((1, 5, 6, 9, 10, 13, 14), (2, 3, 4, 7, 8, 11, 12, 15)), ranked=True
    ),
    # Of a dozen such cuts that were tried, the one with the fewest nodes on Korf's boards.
    Partition("6-6-3", Size(4, 4), ((5, 6, 9, 10, 13, 14), (4, 7, 8, 11, 12, 15), (1, 2, 3))),
    # Korf and Felner (2002), turned by half a turn: their blank comes first.
    Partition(
        "6-6-6-6",
        Size(5, 5),
        (
            (1, 2, 3, 6, 7, 8),
            (4, 5, 9, 10, 14, 15),
            (11, 12, 16, 17, 21, 22),
            (13, 18, 19, 20, 23, 24),
        ),
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
    ),
)
"""Chosen by hand; the best of a size first."""

DEFAULT_SIZES = (Size(5, 5), Size(4, 4))
"""The sizes whose pattern databases every host should have, those that gain most first."""

_MOST_BYTES = 1_000_000_000
"""Of a partition that is made by rule."""


def partitions_for(size: Size) -> tuple[Partition, ...]:
    """Return the partitions that boards of a size can be searched with, the best first.

    Sizes without any of their own get one that is cut by rule: compact blocks of up to six
    tiles, of up to five where six would take over a gigabyte. Empty where there is no choice of
    ways (one row or column) or a set of cells is no word (over 36 cells).
    """
    named = tuple(partition for partition in _NAMED if partition.size == size)
    if named or 1 in size or size.cells > MAX_CELLS:
        return named
    return (_cut_by_rule(size),)


def partition_named(size: Size, name: str) -> Partition:
    """Return a size's partition by name.

    Raises
    ------
    OptionError
        If there is none; the message has those that there are.
    """
    choices = partitions_for(size)
    for partition in choices:
        if partition.name == name:
            return partition
    if not choices:
        raise OptionError(
            "no-databases", "there are no pattern databases for boards of {size}", size=size
        )
    names = ", ".join(partition.name for partition in choices)
    raise OptionError(
        "partition",
        "boards of {size} have no partition {name!r}; choose from {offered}",
        size=size,
        name=name[:60],
        offered=names,
    )


def partition_titled(title: str) -> Partition:
    """Return the partition of a title, as in ``5x5 6-6-6-6``.

    Raises
    ------
    OptionError
        If there is none.
    """
    size, _, name = title.partition(" ")
    width, _, height = size.partition("x")
    if not (width.isdecimal() and height.isdecimal()):
        raise OptionError(
            "partition-title",
            "{title!r} is not the title of a partition; one is {example!r}",
            title=title[:60],
            example="5x5 6-6-6-6",
        )
    return partition_named(Size(int(width), int(height)), name)


def _cut_by_rule(size: Size) -> Partition:
    """Cut along bands of rows or of columns, whichever leaves the patterns' tiles closer."""
    for most in (6, 5):
        if size.cells**most * ((size.cells - 1) // most) <= _MOST_BYTES:
            break
    across = _along_bands(size)
    along = [
        column * size.width + row
        for row, column in (divmod(cell, size.height) for cell in _along_bands(size[::-1]))
    ]
    cuts = [
        _cut([cell + 1 for cell in order if cell + 1 < size.cells], most)
        for cells in (across, along)
        for order in (cells, cells[::-1])
    ]
    patterns = min(cuts, key=lambda cut: sum(_spread(pattern, size) for pattern in cut))
    return Partition("-".join(str(len(pattern)) for pattern in patterns), size, patterns)


def _cut(tiles: list[int], most: int) -> tuple[Pattern, ...]:
    return tuple(tuple(sorted(tiles[first : first + most])) for first in range(0, len(tiles), most))


def _spread(pattern: Pattern, size: Size) -> int:
    """Sum the distances between the tiles' cells."""
    rows, columns = np.divmod(np.array(pattern) - 1, size.width)
    return int(sum(abs(np.subtract.outer(line, line)).sum() for line in (rows, columns)))


def _along_bands(size: tuple[int, int]) -> list[int]:
    """List the cells along bands of two rows, the last of three if need be, to and fro.

    Any few that follow one another in the list lie close together.
    """
    width, height = size
    last_band = height // 2 - 1
    cells = []
    for band in range(last_band + 1):
        rows = range(2 * band, height if band == last_band else 2 * band + 2)
        for column in reversed(range(width)) if band % 2 else range(width):
            cells += [row * width + column for row in rows]
    return cells
