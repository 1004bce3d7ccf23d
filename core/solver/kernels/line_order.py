"""Linear conflicts of boards of any size, and Manhattan distance with them."""

from __future__ import annotations

import numpy as np

from tilework.core.compiling import boolean, int64, kernel
from tilework.core.solver.kernels.array_types import CELLS
from tilework.core.solver.kernels.line_conflicts import conflicts_of, tile_on


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
    """
    height = cells.size // width
    total = np.int64(0)
    blank = 0
    for cell in range(cells.size):
        tile = cells[cell]
        if tile == 0:
            blank = cell
        else:
            home = goal_cells[tile]
            total += abs(home // width - cell // width) + abs(home % width - cell % width)
    if not conflicts:
        return total
    rows = np.empty(cells.size, dtype=np.int64)
    columns = np.empty(cells.size, dtype=np.int64)
    for tile in range(cells.size):
        rows[tile] = goal_cells[tile] // width
        columns[tile] = goal_cells[tile] % width
    tails = np.empty(max(width, height), dtype=np.int64)
    for row in range(height):
        total += conflicts_of(
            tile_on, cells, blank, rows, columns, row, row * width, 1, width, tails
        )
    for column in range(width):
        total += conflicts_of(
            tile_on, cells, blank, columns, rows, column, column, width, height, tails
        )
    return total
