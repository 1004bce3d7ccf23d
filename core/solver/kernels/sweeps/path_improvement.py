"""Local improvement of a sweep, as long as a change adds value.

The dynamic program only finds paths that never return to an earlier line. Afterwards, each step is
examined together with the square of four cells on either side of it: the path can take the other
three sides of the square (a detour), exchange two sides for the other two (a corner), or skip
three sides (a shortcut). The path is also extended at its end, step by step. It still visits no
cell twice, so the gain of a step does not depend on earlier steps.
"""

import numpy as np

from tilework.core.compiling import subroutine
from tilework.core.solver.kernels.sweeps.best_sweep import cell_index, gain_index, strip_size
from tilework.core.solver.kernels.sweeps.line_scan import LANES

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
    gains : int16[:]; gain table of the rows (`tilework.core.solver.kernels.sweeps.best_sweep`)
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
