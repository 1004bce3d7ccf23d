"""The kernel that slides tiles along paths of millions of moves."""

from __future__ import annotations

import numpy as np

from tilework.core.compiling import int32, int64, kernel, types, uint8


@kernel(int64(int32[::1], int64, int64, int64, types.Array(uint8, 1, "C", readonly=True)))
def slide(cells, width, height, blank, moves):
    """Make moves on a flat int32 array; return where the blank is, -1 at an illegal move.

    ``moves`` is a contiguous uint8 array of codes.
    """
    row = np.int64(blank) // width
    column = np.int64(blank) % width
    for move in moves:
        if move == 0:
            row += 1
        elif move == 1:
            row -= 1
        elif move == 2:
            column += 1
        else:
            column -= 1
        if move > 3 or row < 0 or row >= height or column < 0 or column >= width:
            return np.int64(-1)
        cell = row * width + column
        cells[blank] = cells[cell]
        blank = cell
    return np.int64(blank)
