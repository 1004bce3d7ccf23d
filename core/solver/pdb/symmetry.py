"""Symmetric patterns: the entries of one that is another rotated or mirrored need no search.

The blank's cell in the goal is no part of a placement; it only tells which blank cells are
reached at the start. So it need not be turned onto itself, but its set of cells must be.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tilework.core.puzzle.board import Size
from tilework.core.solver.kernels.pdb.turning import copy_turned
from tilework.core.solver.pdb.patterns import Partition, Pattern, weights

Words = NDArray[np.int64]


@dataclass(frozen=True)
class PatternSymmetry:
    """How one pattern's entries follow from those of another.

    Attributes
    ----------
    source : Pattern
        The other one.
    offsets : int64 array, shape (tiles, cells)
        By place in the pattern and cell, what the tile there adds to the index in the other's
        entries.
    """

    source: Pattern
    offsets: Words

    def copy(self, source: NDArray[np.uint8], target: NDArray[np.uint8]) -> None:
        """Fill the entries of the pattern from those of the other one."""
        copy_turned(source, target, self.offsets)


def symmetries(partition: Partition) -> dict[Pattern, PatternSymmetry]:
    """Return by pattern the symmetry that maps it to an earlier one of its partition.

    A ranked partition has none: ranking again takes about as long as a search.
    """
    found: dict[Pattern, PatternSymmetry] = {}
    if partition.ranked:
        return found
    searched: list[Pattern] = []
    for pattern in partition.patterns:
        for source in searched:
            if (symmetry := _symmetry(pattern, source, partition.size)) is not None:
                found[pattern] = symmetry
                break
        else:
            searched.append(pattern)
    return found


def _symmetry(pattern: Pattern, source: Pattern, size: Size) -> PatternSymmetry | None:
    if len(pattern) != len(source):
        return None
    region = _blank_region(pattern, size)
    for turned in _board_symmetries(size):
        images = [int(turned[tile - 1]) + 1 for tile in pattern]
        if set(images) == set(source) and {int(turned[cell]) for cell in region} == _blank_region(
            source, size
        ):
            source_weights = dict(zip(source, weights(source, size), strict=True))
            offsets = np.array([source_weights[image] * turned for image in images])
            return PatternSymmetry(source, offsets)
    return None


def _board_symmetries(size: Size) -> list[Words]:
    """By symmetry of the board and cell, the cell that it goes to; a square has eight."""
    grid = np.arange(size.cells, dtype=np.int64).reshape(size.height, size.width)
    grids = [grid, grid.T] if size.width == size.height else [grid]
    return [
        mirrored.reshape(-1)
        for turned in grids
        for flipped in (turned, turned[::-1])
        for mirrored in (flipped, flipped[:, ::-1])
    ]


def _blank_region(pattern: Pattern, size: Size) -> set[int]:
    """Return the cells that the blank reaches from the goal's last while the pattern rests."""
    taken = {tile - 1 for tile in pattern}
    region = {size.cells - 1}
    edge = [size.cells - 1]
    while edge:
        row, column = divmod(edge.pop(), size.width)
        for down, right in ((1, 0), (-1, 0), (0, 1), (0, -1)):
            cell = (row + down) * size.width + column + right
            on_board = 0 <= row + down < size.height and 0 <= column + right < size.width
            if on_board and cell not in taken and cell not in region:
                region.add(cell)
                edge.append(cell)
    return region
