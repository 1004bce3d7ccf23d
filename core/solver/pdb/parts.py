"""The parts of a file of pattern databases: patterns, and the goals that they are for.

Parts that are rotations or reflections of each other share their entries: the blank's goal cell is
not part of a placement, it only determines which blank cells are reached at the start.
"""

from __future__ import annotations

from collections.abc import Collection
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tilework.core.puzzle.board import Size
from tilework.core.puzzle.moves import neighbor_table

Words = NDArray[np.int64]
Entries = NDArray[np.uint8]


def entry_places(source: Part, part: Part, size: Size) -> Words | None:
    """Return by tile and cell the index terms that look up ``part`` in ``source``'s entries.

    None if they are not symmetric.
    """
    if len(part.pattern) != len(source.pattern):
        return None
    region, target = region_of(*part, size), region_of(*source, size)
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
    """Return by symmetry of the board the image of each cell; a square has eight."""
    grid = np.arange(size.cells, dtype=np.int64).reshape(size.height, size.width)
    grids = [grid, grid.T] if size.width == size.height else [grid]
    return [
        mirrored.reshape(-1)
        for turned in grids
        for flipped in (turned, turned[::-1])
        for mirrored in (flipped, flipped[:, ::-1])
    ]


_MAX_BYTES = 1_000_000_000  # of all patterns together


def generated_patterns(size: Size) -> tuple[Pattern, ...]:
    """Partition the tiles along bands of rows or columns, whichever keeps patterns compact."""
    for most in (6, 5):
        if size.cells**most * ((size.cells - 1) // most) <= _MAX_BYTES:
            break
    across = _along_bands(size)
    along = [
        column * size.width + row
        for row, column in (divmod(cell, size.height) for cell in _along_bands(size[::-1]))
    ]
    divisions = [
        _cut([cell + 1 for cell in order if cell + 1 < size.cells], most)
        for cells in (across, along)
        for order in (cells, cells[::-1])
    ]
    return min(divisions, key=lambda parts: sum(_spread(pattern, size) for pattern in parts))


def _cut(tiles: list[int], most: int) -> tuple[Pattern, ...]:
    return tuple(tuple(sorted(tiles[first : first + most])) for first in range(0, len(tiles), most))


def _spread(pattern: Pattern, size: Size) -> int:
    """Return the sum of the distances between the tiles' cells."""
    rows, columns = np.divmod(np.array(pattern) - 1, size.width)
    return int(sum(abs(np.subtract.outer(line, line)).sum() for line in (rows, columns)))


def _along_bands(size: tuple[int, int]) -> list[int]:
    """Return the cells in a zigzag along bands of two rows, the last one possibly of three."""
    width, height = size
    last_band = height // 2 - 1
    cells = []
    for band in range(last_band + 1):
        rows = range(2 * band, height if band == last_band else 2 * band + 2)
        for column in reversed(range(width)) if band % 2 else range(width):
            cells += [row * width + column for row in rows]
    return cells


# Tiles by goal cell: tile t belongs on cell t - 1. Only goals with the blank elsewhere have a tile
# on the last cell.
Pattern = tuple[int, ...]


class Part(NamedTuple):
    """The distances of one pattern's placements."""

    pattern: Pattern
    blank: int  # the goal's blank, or any cell that it reaches without moving the pattern


def weights(pattern: Pattern, size: Size) -> NDArray[np.int64]:
    """Return the weight of each tile's cell in an index that is not ranked."""
    return np.array([size.cells**place for place in range(len(pattern))], dtype=np.int64)


def parts_elsewhere(patterns: tuple[Pattern, ...], size: Size) -> tuple[Part, ...]:
    """Return the parts that are only for goals whose blank is not last."""
    found = {
        part: None
        for blank in range(size.cells - 1)
        for part in parts_for(patterns, size, blank)
        if part.blank != size.cells - 1
    }
    return tuple(found)


def parts_for(patterns: tuple[Pattern, ...], size: Size, blank: int) -> tuple[Part, ...]:
    """Return the parts for goals with the blank on a cell."""
    last = size.cells - 1
    if blank == last:
        return tuple(Part(pattern, last) for pattern in patterns)
    parts = []
    for pattern in patterns:
        tiles = tuple(tile for tile in pattern if tile != blank + 1)
        region = region_of(tiles, blank, size)
        complete = len(tiles) == len(pattern)
        parts.append(Part(tiles, last if complete and last in region else min(region)))
    return (*parts, Part((size.cells,), 0))


def region_of(pattern: Pattern, blank: int, size: Size) -> frozenset[int]:
    """Return the cells that the blank reaches while a pattern stays at its goal."""
    return region_around(blank, [tile - 1 for tile in pattern], size)


def region_around(blank: int, occupied: Collection[int], size: Size) -> frozenset[int]:
    """Return the cells that the blank reaches without passing occupied ones."""
    neighbors = neighbors_on(size)
    region = {blank}
    edge = [blank]
    while edge:
        for cell in neighbors[edge.pop()]:
            if cell not in occupied and cell not in region:
                region.add(cell)
                edge.append(cell)
    return frozenset(region)


@lru_cache(maxsize=4)
def neighbors_on(size: Size) -> list[list[int]]:
    """Return the neighbours of each cell."""
    return [[cell for cell in cells if cell >= 0] for cells in neighbor_table(size).tolist()]
