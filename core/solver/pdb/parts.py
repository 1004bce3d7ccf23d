"""The parts of a file of pattern databases: whose distances it has, and for which goals.

A pattern's distances are those to the goal with the blank last. Another goal blank lies on a cell
where that goal has a tile, and has a tile on the last cell instead. It needs distances of its own
only for the pattern that loses the tile, and for one that would shut the last cell in: those of the
others stay the same, as the blank may begin anywhere that it can reach while the pattern rests.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tilework.core.puzzle.board import Size

Pattern = tuple[int, ...]
"""Tiles by their goal cells: tile t belongs to cell t - 1. Only a goal with the blank elsewhere has
one on the last cell."""


class Part(NamedTuple):
    """The distances of one pattern's placements.

    Attributes
    ----------
    pattern : Pattern
    blank : int
        The goal's blank, or any cell that it reaches from there while the pattern rests.
    """

    pattern: Pattern
    blank: int


def weights(pattern: Pattern, size: Size) -> NDArray[np.int64]:
    """By place in the pattern, what one cell further adds to an index that is not ranked."""
    return np.array([size.cells**place for place in range(len(pattern))], dtype=np.int64)


def parts_elsewhere(patterns: tuple[Pattern, ...], size: Size) -> tuple[Part, ...]:
    """Return the parts that serve no goal with the blank last, each once."""
    found = {
        part: None
        for blank in range(size.cells - 1)
        for part in parts_for(patterns, size, blank)
        if part.blank != size.cells - 1
    }
    return tuple(found)


def parts_for(patterns: tuple[Pattern, ...], size: Size, blank: int) -> tuple[Part, ...]:
    """Return the parts whose sum estimates boards towards goals with the blank on a cell."""
    last = size.cells - 1
    if blank == last:
        return tuple(Part(pattern, last) for pattern in patterns)
    parts = []
    for pattern in patterns:
        rest = tuple(tile for tile in pattern if tile != blank + 1)
        region = region_of(rest, blank, size)
        whole = len(rest) == len(pattern)
        parts.append(Part(rest, last if whole and last in region else min(region)))
    return (*parts, Part((size.cells,), 0))


def region_of(pattern: Pattern, blank: int, size: Size) -> frozenset[int]:
    """Return the cells that the blank reaches from one while a pattern rests at its goal."""
    taken = {tile - 1 for tile in pattern}
    region = {blank}
    edge = [blank]
    while edge:
        row, column = divmod(edge.pop(), size.width)
        for down, right in ((1, 0), (-1, 0), (0, 1), (0, -1)):
            cell = (row + down) * size.width + column + right
            on_board = 0 <= row + down < size.height and 0 <= column + right < size.width
            if on_board and cell not in taken and cell not in region:
                region.add(cell)
                edge.append(cell)
    return frozenset(region)
