"""Patterns and partitions: which tiles a database looks at together."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from core.errors import OptionError
from core.kernels.constants import MAX_CELLS, MAX_PATTERN
from core.puzzle.board import Size

Pattern = tuple[int, ...]
"""Tiles of the blank-last goal: tile t belongs to cell t - 1."""


@dataclass(frozen=True)
class Partition:
    """Disjoint patterns of one size of board; the sum of their distances never overestimates.

    A placement of a k-tile pattern on a board of n cells has an index in base n: the cell of the
    pattern's i-th tile is digit i. One move changes one digit by a constant, so the index is
    updated by one addition; the price is unused entries where two tiles would share a cell.

    Attributes
    ----------
    name : str
        Sizes of the patterns, as in ``6-6-3``.
    size : Size
        At most 36 cells.
    patterns : tuple of Pattern
        Each tile in exactly one, so that a sum of 0 means the goal.

    Raises
    ------
    OptionError
        For patterns that are not a partition of the board's tiles.
    """

    name: str
    size: Size
    patterns: tuple[Pattern, ...]

    def __post_init__(self) -> None:
        tiles = [tile for pattern in self.patterns for tile in pattern]
        cells = self.size.cells
        if cells > MAX_CELLS:
            raise OptionError(
                f"{self.size} has {cells} cells; pattern databases go up to {MAX_CELLS}"
            )
        if sorted(tiles) != list(range(1, cells)):
            raise OptionError(f"{self.patterns} do not hold each tile of 1..{cells - 1} once")
        if not all(0 < len(pattern) <= MAX_PATTERN for pattern in self.patterns):
            raise OptionError(f"{self.patterns}: a pattern has from 1 to {MAX_PATTERN} tiles")

    @cached_property
    def lengths(self) -> tuple[int, ...]:
        """Entries of each pattern's database."""
        return tuple(self.size.cells ** len(pattern) for pattern in self.patterns)

    @cached_property
    def offsets(self) -> tuple[int, ...]:
        """Where each pattern's database begins in the partition's flat array."""
        return tuple(sum(self.lengths[:place]) for place in range(len(self.patterns)))

    @property
    def length(self) -> int:
        """Entries of all the databases, one byte each."""
        return sum(self.lengths)


def weights(pattern: Pattern, size: Size) -> NDArray[np.int64]:
    """By place in the pattern, what one cell further adds to the index."""
    return np.array([size.cells**place for place in range(len(pattern))], dtype=np.int64)


# 4×4: of the dozen ways to cut that were tried, the one with the fewest nodes on Korf's boards.
_BY_SIZE = {
    Size(4, 4): Partition(
        "6-6-3", Size(4, 4), ((5, 6, 9, 10, 13, 14), (4, 7, 8, 11, 12, 15), (1, 2, 3))
    ),
}


def partition_for(size: Size) -> Partition | None:
    """Return the partition that boards of a size are searched with; None where there is none."""
    return _BY_SIZE.get(size)
