"""Linear conflicts and Manhattan distance.

A board is an array, or up to 16 cells packed into the nibbles of an int64, with cell 0 in the
lowest one. It is signed only because Numba converts mixtures of uint64 and int64 to floats.
"""

import numpy as np

from tilework.core.compiling import boolean, inlined_subroutine, int64, kernel, subroutine, types
from tilework.core.solver.kernels.constants import CELLS, INDEX, WRITABLE_WORDS

PACKED_CELLS = 16


@subroutine
def hash_state(state):
    """Return a 62-bit hash of a packed state.

    The products of a 32-bit half and a 31-bit prime do not overflow.
    """
    mixed = ((state & 0xFFFFFFFF) * 1540483477) ^ (((state >> 32) & 0xFFFFFFFF) * 1979816573)
    return mixed ^ (mixed >> 31)


@subroutine
def get_packed_tile(state, cell):
    """Return the tile on a cell of a packed board, for `count_conflicts`."""
    return (state >> (4 * cell)) & 15


@subroutine
def get_tile(cells, cell):
    """Return the tile on a cell of a board in an array, for `count_conflicts`."""
    return cells[INDEX(cell)]


@inlined_subroutine
def count_conflicts(read_tile, board, blank, across, along, line, first, stride, length, tails):
    """Return the number of moves that tiles in a line need beyond their Manhattan distances.

    This is twice the number of tiles that must leave the line to let the others pass: all but those
    in a longest increasing subsequence of goal positions, found by patience sorting.

    Parameters
    ----------
    read_tile : subroutine; returns a board's tile on a cell, as `get_tile` does
    board; the first argument of ``read_tile``
    blank : int; the blank's cell
    across, along : int64 arrays; each tile's goal line, and its position in that line
    line, first, stride, length : int
        The line, its first cell, the step to the next one, and its number of cells.
    tails : int64[length]; scratch
    """
    line_tiles = 0
    longest = 0
    for step in range(length):
        cell = first + step * stride
        tile = INDEX(read_tile(board, cell))
        if cell == blank or across[tile] != line:
            continue
        position = along[tile]
        line_tiles += 1
        low = 0
        high = longest
        if longest > 0 and tails[INDEX(longest - 1)] < position:
            # Near the goal most tiles are in order.
            low = longest
        while low < high:
            middle = (low + high) // 2
            if tails[INDEX(middle)] < position:
                low = middle + 1
            else:
                high = middle
        tails[INDEX(low)] = position
        if low == longest:
            longest += 1
    return 2 * (line_tiles - longest)


@kernel(types.UniTuple(int64, 2)(CELLS, CELLS, int64, boolean, WRITABLE_WORDS))
def distance(cells, goal_cells, width, with_conflicts, conflicts):
    """Return the Manhattan distance and the linear conflicts, whose sum is a lower bound.

    O. Hansson, A. Mayer and M. Yung, "Criticizing solutions to relaxed models yields powerful
    admissible heuristics", 1992.

    Parameters
    ----------
    cells : int32[n]; the board, row by row; 0 is the blank
    goal_cells : int32[n]; each tile's cell in the goal
    with_conflicts : bool; whether to count conflicts
    conflicts : int64[height + width], filled if they are counted; by line, rows first
    """
    height = cells.size // width
    total_distance = np.int64(0)
    blank = 0
    for cell in range(cells.size):
        tile = cells[cell]
        if tile == 0:
            blank = cell
        else:
            home = goal_cells[tile]
            total_distance += abs(home // width - cell // width) + abs(home % width - cell % width)
    total_conflicts = np.int64(0)
    if not with_conflicts:
        return total_distance, total_conflicts
    rows = np.empty(cells.size, dtype=np.int64)
    columns = np.empty(cells.size, dtype=np.int64)
    for tile in range(cells.size):
        rows[tile] = goal_cells[tile] // width
        columns[tile] = goal_cells[tile] % width
    tails = np.empty(max(width, height), dtype=np.int64)
    for row in range(height):
        conflicts[row] = count_conflicts(
            get_tile, cells, blank, rows, columns, row, row * width, 1, width, tails
        )
        total_conflicts += conflicts[row]
    for column in range(width):
        conflicts[height + column] = count_conflicts(
            get_tile, cells, blank, columns, rows, column, column, width, height, tails
        )
        total_conflicts += conflicts[height + column]
    return total_distance, total_conflicts
