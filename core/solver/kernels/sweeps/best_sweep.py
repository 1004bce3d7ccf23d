"""The best path of the blank across the lines of a board, by dynamic programming.

The blank moves from line to line in one direction, and along each line any distance in one
direction. It visits no cell twice, so the gain of a step does not depend on earlier steps, and the
time is proportional to the number of cells considered.

The board is divided into *strips* of `LANES` cells of each line, and stored strip by strip, so that
a search in a narrow band reads memory in order. Each strip ends with an additional line, and there
is an additional strip before the first and after the last. The *index* of a cell is its position in
this order.

A *gain table* contains the gain of each tile for each move, in this order: int16[4 · cells]. Each
block of `LANES` cells has its gains for moves to the next line, then to the previous line, the next
cell and the previous cell. The additional lines and strips contain zeros. Gains are integers in
units of 1/`ONE` moves.
"""

import numpy as np

from tilework.core.compiling import subroutine
from tilework.core.solver.kernels.sweeps.line_scan import LANES, UNREACHABLE, scan_line

ONE = 4096  # cost of a move at a price of one
NEXT_LINE, PREVIOUS_LINE, NEXT_CELL, PREVIOUS_CELL = range(4)


@subroutine
def strip_size(lines):
    """Return the number of cells of a strip."""
    return (lines + 1) * LANES


@subroutine
def cell_index(lines, line, cell):
    """Return the index of a cell of a line."""
    lane = cell & (LANES - 1)
    return (cell - lane + LANES) * (lines + 1) + line * LANES + lane


@subroutine
def gain_index(index, move):
    """Return the position in a gain table of the gain of a move of the tile on a cell."""
    return 4 * index - 3 * (index & (LANES - 1)) + LANES * move


@subroutine
def find_best_sweep(
    gains, lines, line, cell, step, max_lines, low, high, price, entry_values, values
):
    """Find the best path from the blank through a rectangle of cells.

    Parameters
    ----------
    gains : int16[:]; the gain table of ``lines`` lines
    line, cell : int64; of the blank
    step : int64; 1 or -1, towards higher or lower lines
    max_lines : int64; number of lines, including the blank's
    low, high : int64; the cells ``low`` to ``high - 1`` of each line are considered, in whole
        blocks of `LANES`, except that ``high`` can be the end of the lines
    price : int32; cost of a move
    entry_values : int32[max_lines · the length of a line], filled; best value of a path that enters
        a line there
    values : int32[the length of a line, in whole blocks]; scratch

    Returns
    -------
    value, last line relative to the blank's line, last cell relative to ``low``; the value is 0 if
        no path is worth its cost
    """
    count = high - low
    blocks = (count + LANES - 1) // LANES
    stride = blocks * LANES
    entry_move = PREVIOUS_LINE if step > 0 else NEXT_LINE
    best = np.int32(0)
    best_line = 0
    best_cell = 0
    values[:stride] = UNREACHABLE
    values[cell - low] = 0
    strip_gains = 4 * strip_size(lines)
    zeros = gain_index(cell_index(lines, lines, low), 0)
    for k in range(max_lines):
        first = cell_index(lines, line + step * k, low)
        entry = gain_index(first, entry_move) if k > 0 else zeros
        cost = price if k > 0 else np.int32(0)
        line_best = scan_line(
            gains, values, entry_values, entry, gain_index(first, PREVIOUS_CELL),
            gain_index(first, NEXT_CELL), strip_gains, k * stride, price, cost, blocks,
        )  # fmt: skip
        for i in range(count, stride):
            values[i] = UNREACHABLE
        if line_best > best:
            best = line_best
            best_line = k
            best_cell = 0
            while values[best_cell] != line_best:
                best_cell += 1
    return best, best_line, best_cell


@subroutine
def trace_sweep(gains, lines, line, step, low, high, price, entry_values, sweep, moves, path):
    """Write the moves of the path that `find_best_sweep` found; return their number.

    ``sweep`` is its result. ``moves`` are the codes of the blank's steps to the next line, the
    previous line, the next cell and the previous cell; the path is written to ``path`` uint8[].
    """
    count = high - low
    stride = (count + LANES - 1) // LANES * LANES
    entry_move = PREVIOUS_LINE if step > 0 else NEXT_LINE
    step_move = moves[NEXT_LINE] if step > 0 else moves[PREVIOUS_LINE]
    length = 0
    value = np.int64(sweep[0])
    last_line = sweep[1]
    cell = sweep[2]
    for k in range(last_line, -1, -1):
        line_k = line + step * k
        row = k * stride
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
                index = gain_index(
                    cell_index(lines, line_k, low + cell - steps_below), PREVIOUS_CELL
                )
                from_below -= gains[index] - price
                steps_below += 1
            if cell + steps_above + 1 < count:
                index = gain_index(cell_index(lines, line_k, low + cell + steps_above), NEXT_CELL)
                from_above -= gains[index] - price
                steps_above += 1
        if k > 0:
            path[length] = step_move
            length += 1
            value -= gains[gain_index(cell_index(lines, line_k, low + cell), entry_move)] - price
    for i in range(length // 2):
        path[i], path[length - 1 - i] = path[length - 1 - i], path[i]
    return length
