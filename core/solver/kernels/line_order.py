"""Linear conflicts of boards of any size, and Manhattan distance with them."""

from __future__ import annotations

import numpy as np
from numba import boolean, int64

from core.compiling import kernel
from core.solver.kernels.array_types import CELLS


@kernel(int64(CELLS, CELLS, int64, boolean))
def distance(cells, goal_cells, width, conflicts):
    """Sum of the tiles' Manhattan distances, and two moves for each tile that must step aside.

    Parameters
    ----------
    cells : int32[n]
        The board, row by row; 0 is the blank.
    goal_cells : int32[n]
        Each tile's cell in the goal.
    width : int64
    conflicts : bool
        Whether to count tiles that must leave their goal line to let others pass.

    Notes
    -----
    In a line, the tiles that are at home in it and stay can be no more than the longest run in
    goal order (patience sorting: ``tails``); each of the others steps aside and back.
    """
    height = cells.size // width
    total = np.int64(0)
    for cell in range(cells.size):
        tile = cells[cell]
        if tile != 0:
            home = goal_cells[tile]
            total += abs(home // width - cell // width) + abs(home % width - cell % width)
    if not conflicts:
        return total
    tails = np.empty(max(width, height), dtype=np.int64)
    for upright in range(2):
        lines = width if upright else height
        length = height if upright else width
        for line in range(lines):
            home = 0
            longest = 0
            for place in range(length):
                cell = place * width + line if upright else line * width + place
                tile = cells[cell]
                if tile == 0:
                    continue
                row = goal_cells[tile] // width
                column = goal_cells[tile] % width
                if (column if upright else row) != line:
                    continue
                home += 1
                key = row if upright else column
                low = 0
                high = longest
                while low < high:
                    middle = (low + high) // 2
                    if tails[middle] < key:
                        low = middle + 1
                    else:
                        high = middle
                tails[low] = key
                if low == longest:
                    longest += 1
            total += 2 * (home - longest)
    return total
