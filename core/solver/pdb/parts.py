"""The parts of a file of pattern databases: patterns with their goals.

Parts that are rotations or reflections of each other share their entries: the blank's goal cell is
not part of a placement, it only determines which blank cells are reached initially.
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
