"""Symmetric parts: the entries of one that is another rotated or mirrored are the other's.

The blank's cell in the goal is no part of a placement; it only tells which blank cells are
reached at the start. So it need not be turned onto itself, but its set of cells must be.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tilework.core.puzzle.board import Size
from tilework.core.solver.pdb.parts import Part, region_of, weights

Words = NDArray[np.int64]


def places_in(source: Part, part: Part, size: Size) -> Words | None:
    """Say how the entries of one part serve another.

    Returns
    -------
    int64 array, shape (tiles, cells), or None
        By place in the other's pattern and cell, what the tile there adds to the index. None where
        the part is not the other one rotated or mirrored.
    """
    if len(part.pattern) != len(source.pattern):
        return None
    region, target = region_of(*part, size), region_of(*source, size)
    for turned in _board_symmetries(size):
        images = [int(turned[tile - 1]) + 1 for tile in part.pattern]
        if set(images) == set(source.pattern) and {int(turned[cell]) for cell in region} == target:
            of_source = dict(zip(source.pattern, weights(source.pattern, size), strict=True))
            return np.array([of_source[image] * turned for image in images], dtype=np.int64)
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
