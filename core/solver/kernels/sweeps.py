"""Sweeps of the blank: each one is the best from the blank's cell, improved locally.

Moves have a *price*, and the value of a path is its gain minus the price of its moves. While a path
has enough value, the best of the four directions is played and the price rises a little; otherwise
the price falls. So the moves that gain most come first.

The dynamic program only finds paths that never return to an earlier line. Afterwards, each step is
examined together with the square of four cells on either side of it, as long as a change adds
value: the path can take the other three sides of the square (a detour), exchange two sides for the
other two (a corner), or skip three sides (a shortcut). The path is also extended at its end, step
by step. It still visits no cell twice, so the gain of a step does not depend on earlier steps.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tilework.core.compiling import int8, int16, int32, int64, kernel, subroutine, types, uint8
from tilework.core.solver.kernels.best_sweep import (
    LANES,
    NEXT_CELL,
    NEXT_LINE,
    PREVIOUS_CELL,
    PREVIOUS_LINE,
    cell_index,
    find_best_sweep,
    gain_index,
    strip_size,
    trace_sweep,
)

FREE = -1  # direction of a cell that is not on the path
_END = 4  # direction of the last cell of the path
BORDER = 5  # direction of what is not a cell of the board
_DETOUR, _CORNER, _SHORTCUT, _NONE = range(4)


@subroutine
def _make_offsets(strip):
    """Return the change of a cell's index by a move, for each lane and move."""
    offsets = np.empty(4 * LANES, dtype=np.int64)
    for lane in range(LANES):
        offsets[4 * lane] = LANES
        offsets[4 * lane + 1] = -LANES
        offsets[4 * lane + 2] = 1 if lane < LANES - 1 else strip - LANES + 1
        offsets[4 * lane + 3] = -1 if lane > 0 else LANES - 1 - strip
    return offsets


@subroutine
def _after(offsets, cell, move):
    """Return the cell after a move from a cell."""
    return cell + offsets[4 * (cell & (LANES - 1)) + move]


@subroutine
def _step_value(gains, cell, move, price):
    """Return the value of a step of the blank to a cell by a move."""
    # The tile moves in the opposite direction; moves have the order of a gain table.
    return np.int64(gains[gain_index(cell, move ^ 1)]) - price


@subroutine
def improve_path(
    gains, rows, price, row, column, path, length, directions, max_passes
):  # fmt: skip
    """Improve a path in place; return its new length.

    Parameters
    ----------
    gains : int16[:]; gain table of the rows (`tilework.core.solver.kernels.best_sweep`)
    price : int64; cost of a move
    row, column : int64; the blank's cell
    path : uint8[rows · columns or more], changed in place; the first ``length``
        entries are moves
    directions : int8[:]; scratch, as `make_directions` returns it and restored at the end
    max_passes : int64; maximum number of times to examine the path
    """
    strip = strip_size(rows)
    offsets = _make_offsets(strip)
    start = cell_index(rows, row, column)
    cell = start
    for i in range(length):
        directions[cell] = path[i]
        cell = _after(offsets, cell, path[i])
    directions[cell] = _END
    for _ in range(max_passes):
        is_changed = False
        cell = start
        while directions[cell] != _END:
            move = np.int64(directions[cell])
            next_cell = _after(offsets, cell, move)
            value = _step_value(gains, next_cell, move, price)
            best = np.int64(0)
            change = _NONE
            detour_move = np.int64(0)
            first_side_move = 2 if move < 2 else 0
            for side_move in range(first_side_move, first_side_move + 2):
                near_cell = _after(offsets, cell, side_move)
                far_cell = _after(offsets, next_cell, side_move)
                gain = (
                    _step_value(gains, near_cell, side_move, price)
                    + _step_value(gains, far_cell, move, price)
                    + _step_value(gains, next_cell, side_move ^ 1, price)
                    - value
                )
                # Checked last, because it is hard to predict.
                if gain > best and directions[near_cell] & directions[far_cell] == FREE:
                    best = gain
                    change = _DETOUR
                    detour_move = side_move
            side_move = np.int64(directions[next_cell])
            if side_move != _END:
                # If the path goes straight on, neither change is possible.
                corner = _after(offsets, next_cell, side_move)
                near_cell = _after(offsets, cell, side_move)
                pair_value = value + _step_value(gains, corner, side_move, price)
                side_value = _step_value(gains, near_cell, side_move, price)
                gain = side_value + _step_value(gains, corner, move, price) - pair_value
                if gain > best and directions[near_cell] == FREE:
                    best = gain
                    change = _CORNER
                if directions[corner] == move ^ 1:
                    gain = side_value - pair_value - _step_value(gains, near_cell, move ^ 1, price)
                    if gain > best:
                        best = gain
                        change = _SHORTCUT
            if change == _NONE:
                cell = next_cell
                continue
            is_changed = True
            if change == _DETOUR:
                directions[cell] = detour_move
                directions[_after(offsets, cell, detour_move)] = move
                directions[_after(offsets, next_cell, detour_move)] = detour_move ^ 1
                continue
            directions[next_cell] = FREE
            directions[cell] = side_move
            if change == _CORNER:
                directions[_after(offsets, cell, side_move)] = move
            else:
                directions[_after(offsets, next_cell, side_move)] = FREE
        is_extended = _extend(gains, price, cell, directions, offsets)
        if not (is_changed or is_extended):
            break
    cell = start
    length = 0
    while directions[cell] != _END:
        move = np.int64(directions[cell])
        directions[cell] = FREE
        path[length] = move
        length += 1
        cell = _after(offsets, cell, move)
    directions[cell] = FREE
    return length


@subroutine
def _extend(gains, price, cell, directions, offsets):
    """Extend the path by the best step while that has value; return whether it was extended."""
    is_extended = False
    while True:
        best = np.int64(0)
        best_move = -1
        for move in range(4):
            next_cell = _after(offsets, cell, move)
            if directions[next_cell] == FREE:
                value = _step_value(gains, next_cell, move, price)
                if value > best:
                    best = value
                    best_move = move
        if best_move < 0:
            return is_extended
        directions[cell] = best_move
        cell = _after(offsets, cell, best_move)
        directions[cell] = _END
        is_extended = True


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
