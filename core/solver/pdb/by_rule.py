"""Patterns of sizes that have none chosen by hand: compact blocks along bands."""

from __future__ import annotations

import numpy as np

from tilework.core.puzzle.board import Size
from tilework.core.solver.pdb.parts import Pattern

_MOST_BYTES = 1_000_000_000
"""Of all patterns together."""


def patterns_by_rule(size: Size) -> tuple[Pattern, ...]:
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
    return min(cuts, key=lambda cut: sum(_spread(pattern, size) for pattern in cut))


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
