"""Sweeps of the blank: each one is the best from the blank's cell, improved locally.

Moves have a *price*, and the value of a path is its gain minus the price of its moves. While a path
has enough value, the best of the four directions is played and the price rises a little; otherwise
the price falls. So the moves that gain most come first.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tilework.core.compiling import int8, int16, int32, int64, kernel, subroutine, types, uint8
from tilework.core.solver.kernels.sweeps.best_sweep import (
    NEXT_CELL,
    NEXT_LINE,
    PREVIOUS_CELL,
    PREVIOUS_LINE,
    cell_index,
    find_best_sweep,
    gain_index,
    trace_sweep,
)
from tilework.core.solver.kernels.sweeps.line_scan import LANES
from tilework.core.solver.kernels.sweeps.path_improvement import BORDER, FREE, improve_path

# Indices in the state. BLANK: the blank's cell. HOME: its goal cell. PRICE: price of a move.
# LENGTH: number of moves in `out`. EXAMINED: number of cells examined by all sweeps. DISTANCE: the
# sum of the tiles' Manhattan distances. ALONG: 0 if the last sweep crossed rows, 1 if it crossed
# columns.
BLANK, HOME, PRICE, LENGTH, EXAMINED, DISTANCE, ALONG = range(7)
STATE_SIZE = 7

# Indices in the settings. MAX_PRICE, MIN_PRICE: bounds of the price. DROP, RISE: its changes.
# MIN_VALUE: minimum value of a path to play. SHARE: share of the path to play, in units of 1/256.
# REACH: number of lines that a sweep looks ahead. BAND: number of cells that it looks to each side.
# PASSES: maximum number of times that a path is examined for local changes. ALTERNATES: 1 if sweeps
# across rows and across columns take turns, as far as they are worth it.
MAX_PRICE, MIN_PRICE, DROP, RISE, MIN_VALUE, SHARE, REACH, BAND, PASSES, ALTERNATES = range(10)
SETTINGS_SIZE = 10

PRICED_OUT, OUT_OF_ROOM, OUT_OF_BUDGET = range(3)


def compute_pitch(cells: int) -> int:
    """Return the padded length of a line in a gain table."""
    return -(-cells // LANES) * LANES


def compute_gain_table_size(lines: int, cells: int) -> int:
    """Return the length of a gain table."""
    return 4 * (lines + 1) * (compute_pitch(cells) + 2 * LANES)


def make_directions(rows: int, columns: int) -> NDArray[np.int8]:
    """Return the scratch of `improve_path`: the cells of all strips, and a strip on either side."""
    pitch = compute_pitch(columns)
    cells = np.full((rows, pitch), BORDER, dtype=np.int8)
    cells[:, :columns] = FREE
    strips = np.full((pitch // LANES + 2, rows + 1, LANES), BORDER, dtype=np.int8)
    strips[1:-1, :rows] = cells.reshape(rows, -1, LANES).swapaxes(0, 1)
    return strips.reshape(-1)


@subroutine
def _set_gains(by_rows, by_columns, forward_gains, rows, columns, row, column, home):
    """Write the gains of the tile on a cell for each move to both gain tables.

    Return the steps to its goal, downwards and to the right.
    """
    home_row = np.int64(np.uint32(home) // np.uint32(columns))
    down = home_row - row
    right = home - home_row * columns - column
    middle = forward_gains.size // 2
    by_row = gain_index(cell_index(rows, row, column), 0)
    by_column = gain_index(cell_index(columns, column, row), 0)
    gain = forward_gains[middle + down]
    by_rows[by_row + LANES * NEXT_LINE] = gain
    by_columns[by_column + LANES * NEXT_CELL] = gain
    gain = forward_gains[middle - down]
    by_rows[by_row + LANES * PREVIOUS_LINE] = gain
    by_columns[by_column + LANES * PREVIOUS_CELL] = gain
    gain = forward_gains[middle + right]
    by_rows[by_row + LANES * NEXT_CELL] = gain
    by_columns[by_column + LANES * NEXT_LINE] = gain
    gain = forward_gains[middle - right]
    by_rows[by_row + LANES * PREVIOUS_CELL] = gain
    by_columns[by_column + LANES * PREVIOUS_LINE] = gain
    return down, right


@kernel(types.void(int32[::1], int16[::1], int16[::1], int16[::1], int64, int64))
def fill_gain_tables(cells, forward_gains, by_rows, by_columns, rows, columns):
    """Fill the gain tables of the rows and of the columns.

    ``forward_gains``, int16 of odd length, is the gain of moving a tile one cell forward by the
    signed distance to its goal, with 0 in the middle. For moves backward, it is read from the other
    end.
    """
    by_rows[:] = 0
    by_columns[:] = 0
    for row in range(rows):
        for column in range(columns):
            home = cells[row * columns + column]
            _set_gains(by_rows, by_columns, forward_gains, rows, columns, row, column, home)


@subroutine
def _play(cells, forward_gains, by_rows, by_columns, rows, columns, state, path, count):
    """Move the blank along the first ``count`` moves of a path."""
    blank = state[BLANK]
    row = blank // columns
    column = blank % columns
    approaching = 0
    for i in range(count):
        # Without branches, which would be hard to predict
        move = np.int64(path[i])
        step = 1 - 2 * (move & 1)
        is_horizontal = move >> 1
        down_step = step * (1 - is_horizontal)
        right_step = step * is_horizontal
        next_blank = blank + down_step * columns + right_step
        home = np.int64(cells[next_blank])
        cells[blank] = home
        down, right = _set_gains(
            by_rows, by_columns, forward_gains, rows, columns, row, column, home
        )
        # The tile has moved in the opposite direction.
        approaching += np.int64(down * down_step + right * right_step <= 0)
        blank = next_blank
        row += down_step
        column += right_step
    cells[blank] = state[HOME]
    state[BLANK] = blank
    state[DISTANCE] += count - 2 * approaching


@subroutine
def _find_window(cell, band, cells):
    """Return the range of cells of a line to examine: whole blocks around a cell."""
    low = max(0, cell - band) // LANES * LANES
    high = (cell + band + LANES) // LANES * LANES
    return low, min(high, cells)


@kernel(
    int64(
        int32[::1], int16[::1], int16[::1], int16[::1], int64, int64, int64[::1], int64[::1],
        int64, int32[:, ::1], int32[::1], int8[::1], uint8[::1],
    )
)  # fmt: skip
def run_sweeps(
    cells, forward_gains, by_rows, by_columns, rows, columns, settings, state, budget, entry_values,
    values, directions, out,
):  # fmt: skip
    """Play sweeps until the price is too low, or no room or budget is left; return the reason.

    Parameters
    ----------
    cells : int32[rows · columns]; the goal cell of the tile on each cell
    forward_gains, by_rows, by_columns; see `fill_gain_tables`
    budget : int64; approximate number of cells to examine
    entry_values : int32[4, :]; scratch; a row has room for the cells in reach of each direction
    values : int32[:]; scratch; has room for a line at the greater pitch
    directions : int8[:]; scratch, see `make_directions`
    out : uint8[:]; moves are written from ``state[LENGTH]`` on. No sweep starts with room for fewer
        than ``rows · columns`` moves.
    """
    row_moves = (0, 1, 2, 3)
    column_moves = (2, 3, 0, 1)
    reach = settings[REACH]
    band = settings[BAND]
    end = state[EXAMINED] + budget
    while True:
        if state[PRICE] < settings[MIN_PRICE]:
            return PRICED_OUT
        if state[EXAMINED] >= end:
            return OUT_OF_BUDGET
        if out.size - state[LENGTH] < rows * columns:
            return OUT_OF_ROOM
        blank = state[BLANK]
        row = blank // columns
        column = blank % columns
        price = np.int32(state[PRICE])
        first_column, end_column = _find_window(column, band, columns)
        first_row, end_row = _find_window(row, band, rows)
        best = (np.int32(0), 0, 0)
        best_direction = 0
        for turn in range(4):
            direction = turn
            if settings[ALTERNATES]:
                if turn == 2 and best[0] >= settings[MIN_VALUE]:
                    break
                direction ^= 2 * (1 - state[ALONG])
            step = 1 - 2 * (direction & 1)
            if direction < 2:
                max_lines = min(reach, rows - 1 - row if step > 0 else row) + 1
                candidate = find_best_sweep(
                    by_rows, rows, row, column, step, max_lines, first_column,
                    end_column, price, entry_values[direction], values,
                )  # fmt: skip
                state[EXAMINED] += max_lines * (end_column - first_column)
            else:
                max_lines = min(reach, columns - 1 - column if step > 0 else column) + 1
                candidate = find_best_sweep(
                    by_columns, columns, column, row, step, max_lines, first_row,
                    end_row, price, entry_values[direction], values,
                )  # fmt: skip
                state[EXAMINED] += max_lines * (end_row - first_row)
            if candidate[0] > best[0]:
                best = candidate
                best_direction = direction
        if best[0] <= 0 or best[0] < settings[MIN_VALUE]:
            state[PRICE] -= settings[DROP]
            continue
        state[ALONG] = best_direction >> 1
        step = 1 - 2 * (best_direction & 1)
        path = out[state[LENGTH] :]
        if best_direction < 2:
            count = trace_sweep(
                by_rows, rows, row, step, first_column, end_column, price,
                entry_values[best_direction], best, row_moves, path,
            )  # fmt: skip
        else:
            count = trace_sweep(
                by_columns, columns, column, step, first_row, end_row, price,
                entry_values[best_direction], best, column_moves, path,
            )  # fmt: skip
        count = improve_path(
            by_rows, rows, np.int64(price), row, column, path, count, directions, settings[PASSES],
        )  # fmt: skip
        count = max(1, count * settings[SHARE] >> 8)
        _play(cells, forward_gains, by_rows, by_columns, rows, columns, state, path, count)
        state[LENGTH] += count
        state[PRICE] = min(state[PRICE] + settings[RISE], settings[MAX_PRICE])
