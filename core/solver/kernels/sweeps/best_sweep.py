"""The best path of the blank across the lines of a board, by dynamic programming.

The blank moves from line to line in one direction, and along each line any distance in one
direction. It visits no cell twice, so the gain of a step does not depend on earlier steps, and the
time is proportional to the number of cells considered.

A *gain table* contains the gain of each tile for each move: int16[4 · lines · pitch + pitch], with
four planes for moves to the next line, the previous line, the next cell and the previous cell, then
a line of zeros. Gains are integers in units of 1/`ONE` moves. ``pitch`` is the length of a line,
padded to a multiple of `LANES`.
"""

import numpy as np

from tilework.core.compiling import subroutine
from tilework.core.solver.kernels.sweeps.line_scan import LANES, UNREACHABLE, scan_line

ONE = 4096  # cost of a move at a price of one
NEXT_LINE, PREVIOUS_LINE, NEXT_CELL, PREVIOUS_CELL = range(4)


@subroutine
def find_best_sweep(
    gains, lines, cells, pitch, line, cell, step, max_lines, low, high, price, entry_values, values
):
    """Find the best path from the blank through a rectangle of cells.

    Parameters
    ----------
    gains : int16[:]; the gain table of ``lines`` lines of ``cells`` cells each
    line, cell : int64; of the blank
    step : int64; 1 or -1, towards higher or lower lines
    max_lines : int64; number of lines, including the blank's
    low, high : int64; the cells ``low`` to ``high - 1`` of each line are considered, in whole
        blocks of `LANES`, except that ``high`` can be ``cells``
    price : int32; cost of a move
    entry_values : int32[max_lines · pitch], filled; best value of a path that enters a line there
    values : int32[pitch]; scratch

    Returns
    -------
    value, last line relative to the blank's line, last cell relative to ``low``; the value is 0 if
        no path is worth its cost
    """
    count = high - low
    blocks = (count + LANES - 1) // LANES
    plane = lines * pitch
    entry_plane = plane * (PREVIOUS_LINE if step > 0 else NEXT_LINE)
    best = np.int32(0)
    best_line = 0
    best_cell = 0
    values[: blocks * LANES] = UNREACHABLE
    values[cell - low] = 0
    for k in range(max_lines):
        row_start = (line + step * k) * pitch + low
        entry = entry_plane + row_start if k > 0 else 4 * plane
        cost = price if k > 0 else np.int32(0)
        line_best = scan_line(
            gains, values, entry_values, entry, plane * PREVIOUS_CELL + row_start,
            plane * NEXT_CELL + row_start, k * pitch, price, cost, blocks,
        )  # fmt: skip
        for i in range(count, blocks * LANES):
            values[i] = UNREACHABLE
        if line_best > best:
            best = line_best
            best_line = k
            best_cell = 0
            while values[best_cell] != line_best:
                best_cell += 1
    return best, best_line, best_cell


@subroutine
def trace_sweep(
    gains, lines, pitch, line, step, low, high, price, entry_values, sweep, moves, path
):
    """Write the moves of the path that `find_best_sweep` found; return their number.

    ``sweep`` is its result. ``moves`` are the codes of the blank's steps to the next line, the
    previous line, the next cell and the previous cell; the path is written to ``path`` uint8[].
    """
    count = high - low
    plane = lines * pitch
    entry_plane = plane * (PREVIOUS_LINE if step > 0 else NEXT_LINE)
    step_move = moves[NEXT_LINE] if step > 0 else moves[PREVIOUS_LINE]
    length = 0
    value = np.int64(sweep[0])
    last_line = sweep[1]
    cell = sweep[2]
    for k in range(last_line, -1, -1):
        row_start = (line + step * k) * pitch + low
        row = k * pitch
        # The path entered the line at the nearest cell on either side that explains the value.
        steps_below = 0
        steps_above = 0
        from_below = np.int64(value)
        from_above = np.int64(value)
        while True:
            if entry_values[row + cell - steps_below] == from_below:
                path[length : length + steps_below] = moves[NEXT_CELL]
                length += steps_below
                cell -= steps_below
                value = from_below
                break
            if entry_values[row + cell + steps_above] == from_above:
                path[length : length + steps_above] = moves[PREVIOUS_CELL]
                length += steps_above
                cell += steps_above
                value = from_above
                break
            if steps_below < cell:
                from_below -= gains[plane * PREVIOUS_CELL + row_start + cell - steps_below] - price
                steps_below += 1
            if cell + steps_above + 1 < count:
                from_above -= gains[plane * NEXT_CELL + row_start + cell + steps_above] - price
                steps_above += 1
        if k > 0:
            path[length] = step_move
            length += 1
            value -= gains[entry_plane + row_start + cell] - price
    for i in range(length // 2):
        path[i], path[length - 1 - i] = path[length - 1 - i], path[i]
    return length
