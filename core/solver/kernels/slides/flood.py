"""Building a pattern database of slides: breadth first over where the blank and some tiles lie.

A slide moves the blank to any other cell of its row or column, and each tile that it passes by one
cell. It counts as one move whatever it moves, so that the blank belongs to the pattern.
"""

from __future__ import annotations

import numpy as np

from tilework.core.compiling import int8, int64, kernel, types, uint8, uint32
from tilework.core.solver.kernels.constants import INDEX, UNREACHED


@kernel(
    int64(
        uint8[::1], uint32[::1], int64, uint32[::1], int64,
        types.Array(int64, 1, "C", readonly=True), types.Array(int8, 2, "C", readonly=True),
    )
)  # fmt: skip
def flood_slides(entries, level, count, next_level, moved, weights, neighbors):
    """Make every slide that one level of the search has.

    Parameters
    ----------
    entries : uint8 array, shape (cells ** pieces,), changed in place
        By placement the distance, `UNREACHED` where none is known yet.
    level : uint32 array
        The placements of this level: the first ``count`` entries.
    next_level : uint32 array, changed in place
        With room for every placement that there is.
    moved : int
        The distance of the next level.
    weights : int64 array, shape (pieces,)
        A placement's index is the sum of weight times cell over its pieces, the blank first: the
        powers of the number of cells.
    neighbors : int8 array, shape (cells, 4)
        The cell whose tile makes each move when the blank is on a cell; -1 for none.

    Returns
    -------
    int
        Placements of the next level.
    """
    cells = neighbors.shape[0]
    pieces = weights.size
    weight_at = np.zeros(cells, dtype=np.int64)
    placed = np.empty(pieces, dtype=np.int64)
    found = 0
    for number in range(count):
        start = np.int64(level[number])
        rest = start
        for piece in range(pieces):
            placed[piece] = rest % cells
            rest //= cells
            if piece > 0:
                weight_at[placed[piece]] = weights[piece]
        for move in range(4):
            index = start
            blank = placed[0]
            while True:
                cell = np.int64(neighbors[blank, move])
                if cell < 0:
                    break
                # A tile that is passed comes to where the blank was.
                index += (weights[0] - weight_at[cell]) * (cell - blank)
                blank = cell
                if entries[INDEX(index)] == UNREACHED:
                    entries[INDEX(index)] = moved
                    next_level[found] = index
                    found += 1
        for piece in range(1, pieces):
            weight_at[placed[piece]] = 0
    return found
