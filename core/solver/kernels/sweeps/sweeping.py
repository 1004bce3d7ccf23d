"""Sweeps of the blank one after another, each the best there is where the blank stands.

At a *price* of a move a path is worth what it gains less the price of its moves. While some path
is worth enough, the best of the four directions is played and the price goes up a little; where
none is, it goes down. So the moves that gain most come first.
"""

from __future__ import annotations

import numpy as np

from tilework.core.compiling import int16, int32, int64, kernel, part, types, uint8
from tilework.core.solver.kernels.sweeps.best_sweep import (
    CELL_BEFORE,
    LINE_BEFORE,
    NEXT_CELL,
    NEXT_LINE,
    best_sweep,
    trace,
)
from tilework.core.solver.kernels.sweeps.line_scan import LANES

# Places in the state. BLANK: its cell. HOME: its goal cell. PRICE: of a move. LENGTH: of `out`.
# LOOKED_AT: cells, by all sweeps. AWAY: the sum of the tiles' Manhattan distances.
BLANK, HOME, PRICE, LENGTH, LOOKED_AT, AWAY = range(6)
STATE_SIZE = 6

# Places in the settings. MOST_PRICE, LEAST_PRICE: bounds of the price. DROP, RISE: its steps.
# LEAST_WORTH: of a path that is played. SHARE: of a path that is played, of 256. REACH: how many
# lines and cells away a sweep looks.
MOST_PRICE, LEAST_PRICE, DROP, RISE, LEAST_WORTH, SHARE, REACH = range(7)
SETTINGS_SIZE = 7

PRICED_OUT, OUT_OF_ROOM, OUT_OF_BUDGET = range(3)


def pitch_of(cells: int) -> int:
    """Return the length of a line of so many cells in a relief."""
    return -(-cells // LANES) * LANES


def relief_size(lines: int, cells: int) -> int:
    """Return the numbers of a relief, with a line of zeros at its end."""
    return (4 * lines + 1) * pitch_of(cells)


def longest_path(rows: int, columns: int, reach: int) -> int:
    """Return the most moves of one sweep: it visits no cell twice."""
    across = 2 * (reach + LANES)
    return max(
        min(rows, reach + 1) * min(columns, across), min(columns, reach + 1) * min(rows, across)
    )


@part
def _put(upright, lying, nearer, rows, columns, row, column, home):
    """Write into both reliefs what the tile on a cell gains by each move."""
    upright_pitch = (columns + LANES - 1) // LANES * LANES
    lying_pitch = (rows + LANES - 1) // LANES * LANES
    upright_plane = rows * upright_pitch
    lying_plane = columns * lying_pitch
    middle = nearer.size // 2
    down = home // columns - row
    right = home % columns - column
    here = row * upright_pitch + column
    there = column * lying_pitch + row
    gain = nearer[middle + down]
    upright[NEXT_LINE * upright_plane + here] = gain
    lying[NEXT_CELL * lying_plane + there] = gain
    gain = nearer[middle - down]
    upright[LINE_BEFORE * upright_plane + here] = gain
    lying[CELL_BEFORE * lying_plane + there] = gain
    gain = nearer[middle + right]
    upright[NEXT_CELL * upright_plane + here] = gain
    lying[NEXT_LINE * lying_plane + there] = gain
    gain = nearer[middle - right]
    upright[CELL_BEFORE * upright_plane + here] = gain
    lying[LINE_BEFORE * lying_plane + there] = gain


@kernel(types.void(int32[::1], int16[::1], int16[::1], int16[::1], int64, int64))
def fill_reliefs(cells, nearer, upright, lying, rows, columns):
    """Fill the relief of the rows and that of the columns.

    ``nearer`` int16[odd] says, from its middle, what a tile gains that moves one cell on, by how
    many cells on its home is; what it gains by moving back is the same the other way round.
    """
    upright[:] = 0
    lying[:] = 0
    for row in range(rows):
        for column in range(columns):
            home = cells[row * columns + column]
            _put(upright, lying, nearer, rows, columns, row, column, home)


_longest_path = part(longest_path)


@part
def _window(place, reach, cells):
    """The cells of a line that are looked at: whole blocks around a place."""
    low = max(0, place - reach) // LANES * LANES
    high = (place + reach + LANES) // LANES * LANES
    return low, min(high, cells)


@kernel(
    int64(
        int32[::1],
        int16[::1],
        int16[::1],
        int16[::1],
        int64,
        int64,
        int64[::1],
        int64[::1],
        int64,
        int32[:, ::1],
        int32[::1],
        uint8[::1],
    )
)
def sweep_on(
    cells, nearer, upright, lying, rows, columns, settings, state, budget, came, values, out
):
    """Play sweeps until the price, the room for moves or the budget runs out; return which did.

    Parameters
    ----------
    cells : int32[rows · columns]; on each cell the goal cell of its tile
    nearer, upright, lying; as `fill_reliefs` has them
    budget : int64; cells to look at, about
    came : int32[4, :]; scratch; a row has room for the lines in reach, at the greater pitch
    values : int32[:]; scratch; has room for a line at the greater pitch
    out : uint8[:]; moves are written from ``state[LENGTH]`` on; no sweep begins with less room than
        `longest_path`
    """
    upright_pitch = (columns + LANES - 1) // LANES * LANES
    lying_pitch = (rows + LANES - 1) // LANES * LANES
    upright_moves = (0, 1, 2, 3)
    lying_moves = (2, 3, 0, 1)
    reach = settings[REACH]
    room = _longest_path(rows, columns, reach)
    end = state[LOOKED_AT] + budget
    while True:
        if state[PRICE] < settings[LEAST_PRICE]:
            return PRICED_OUT
        if state[LOOKED_AT] >= end:
            return OUT_OF_BUDGET
        if out.size - state[LENGTH] < room:
            return OUT_OF_ROOM
        blank = state[BLANK]
        row = blank // columns
        column = blank % columns
        price = np.int32(state[PRICE])
        left, right = _window(column, reach, columns)
        top, bottom = _window(row, reach, rows)
        best = (np.int32(0), 0, 0)
        way = 0
        for direction in range(4):
            step = 1 - 2 * (direction & 1)
            if direction < 2:
                most = min(reach, rows - 1 - row if step > 0 else row) + 1
                found = best_sweep(
                    upright,
                    rows,
                    columns,
                    upright_pitch,
                    row,
                    column,
                    step,
                    most,
                    left,
                    right,
                    price,
                    came[direction],
                    values,
                )
                state[LOOKED_AT] += most * (right - left)
            else:
                most = min(reach, columns - 1 - column if step > 0 else column) + 1
                found = best_sweep(
                    lying,
                    columns,
                    rows,
                    lying_pitch,
                    column,
                    row,
                    step,
                    most,
                    top,
                    bottom,
                    price,
                    came[direction],
                    values,
                )
                state[LOOKED_AT] += most * (bottom - top)
            if found[0] > best[0]:
                best = found
                way = direction
        if best[0] <= 0 or best[0] < settings[LEAST_WORTH]:
            state[PRICE] -= settings[DROP]
            continue
        step = 1 - 2 * (way & 1)
        path = out[state[LENGTH] :]
        if way < 2:
            count = trace(
                upright,
                rows,
                upright_pitch,
                row,
                step,
                left,
                right,
                price,
                came[way],
                best,
                upright_moves,
                path,
            )
        else:
            count = trace(
                lying,
                columns,
                lying_pitch,
                column,
                step,
                top,
                bottom,
                price,
                came[way],
                best,
                lying_moves,
                path,
            )
        count = max(1, count * settings[SHARE] >> 8)
        for i in range(count):
            move = path[i]
            next_row = row + (move == 0) - (move == 1)
            next_column = column + (move == 2) - (move == 3)
            next_blank = next_row * columns + next_column
            home = cells[next_blank]
            cells[blank] = home
            if move < 2:
                nearer_now = home // columns - next_row if move == 1 else next_row - home // columns
            else:
                nearer_now = (
                    home % columns - next_column if move == 3 else next_column - home % columns
                )
            state[AWAY] += -1 if nearer_now > 0 else 1
            _put(upright, lying, nearer, rows, columns, row, column, home)
            blank = next_blank
            row = next_row
            column = next_column
        cells[blank] = state[HOME]
        state[BLANK] = blank
        state[LENGTH] += count
        state[PRICE] = min(state[PRICE] + settings[RISE], settings[MOST_PRICE])
