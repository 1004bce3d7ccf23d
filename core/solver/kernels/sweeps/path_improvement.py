"""Local improvement of a sweep, as long as a change adds value.

The dynamic program only finds paths that never return to an earlier line. Afterwards, each step is
examined together with the square of four cells on either side of it: the path can take the other
three sides of the square (a detour), exchange two sides for the other two (a corner), or skip
three sides (a shortcut). The path is also extended at its end, step by step. It still visits no
cell twice, so the gain of a step does not depend on earlier steps.
"""

import numpy as np

from tilework.core.compiling import subroutine
from tilework.core.solver.kernels.sweeps.best_sweep import gain_index

FREE = -1  # direction of a cell that is not on the path
_END = 4  # direction of the last cell of the path
_DETOUR, _CORNER, _SHORTCUT, _NONE = range(4)


@subroutine
def _is_legal(cell, column, move, rows, columns, pitch):
    if move == 0:
        return cell < (rows - 1) * pitch
    if move == 1:
        return cell >= pitch
    if move == 2:
        return column < columns - 1
    return column > 0


@subroutine
def _step_value(gains, cell, move, price):
    """Return the value of a step of the blank to a cell by a move."""
    # The tile moves in the opposite direction; moves have the order of a gain table.
    return np.int64(gains[gain_index(cell, move ^ 1)]) - price


@subroutine
def improve_path(
    gains, rows, columns, pitch, price, row, column, path, length, directions, max_passes
):  # fmt: skip
    """Improve a path in place; return its new length.

    Parameters
    ----------
    gains : int16[:]; gain table of the rows (`tilework.core.solver.kernels.sweeps.best_sweep`)
    price : int64; cost of a move
    row, column : int64; the blank's cell
    path : uint8[rows · columns or more], changed in place; the first ``length``
        entries are moves
    directions : int8[rows · pitch], all `FREE`; scratch, restored at the end
    max_passes : int64; maximum number of times to examine the path
    """
    offsets = np.empty(4, dtype=np.int64)
    offsets[0] = pitch
    offsets[1] = -pitch
    offsets[2] = 1
    offsets[3] = -1
    start = row * pitch + column
    cell = start
    for i in range(length):
        directions[cell] = path[i]
        cell += offsets[path[i]]
    directions[cell] = _END
    for _ in range(max_passes):
        is_changed = False
        cell = start
        cell_column = column
        while directions[cell] != _END:
            move = np.int64(directions[cell])
            next_cell = cell + offsets[move]
            value = _step_value(gains, next_cell, move, price)
            best = np.int64(0)
            change = _NONE
            detour_move = np.int64(0)
            first_side_move = 2 if move < 2 else 0
            for side_move in range(first_side_move, first_side_move + 2):
                if not _is_legal(cell, cell_column, side_move, rows, columns, pitch):
                    continue
                near_cell = cell + offsets[side_move]
                far_cell = next_cell + offsets[side_move]
                if directions[near_cell] != FREE or directions[far_cell] != FREE:
                    continue
                gain = (
                    _step_value(gains, near_cell, side_move, price)
                    + _step_value(gains, far_cell, move, price)
                    + _step_value(gains, next_cell, side_move ^ 1, price)
                    - value
                )
                if gain > best:
                    best = gain
                    change = _DETOUR
                    detour_move = side_move
            side_move = np.int64(directions[next_cell])
            if side_move != _END and (side_move < 2) != (move < 2):
                corner = next_cell + offsets[side_move]
                pair_value = value + _step_value(gains, corner, side_move, price)
                near_cell = cell + offsets[side_move]
                if directions[near_cell] == FREE:
                    gain = (
                        _step_value(gains, near_cell, side_move, price)
                        + _step_value(gains, corner, move, price)
                        - pair_value
                    )
                    if gain > best:
                        best = gain
                        change = _CORNER
                elif directions[corner] == move ^ 1:
                    gain = (
                        _step_value(gains, near_cell, side_move, price)
                        - pair_value
                        - _step_value(gains, near_cell, move ^ 1, price)
                    )
                    if gain > best:
                        best = gain
                        change = _SHORTCUT
            if change == _NONE:
                cell = next_cell
                cell_column += (move == 2) - (move == 3)
                continue
            is_changed = True
            if change == _DETOUR:
                directions[cell] = detour_move
                directions[cell + offsets[detour_move]] = move
                directions[next_cell + offsets[detour_move]] = detour_move ^ 1
                continue
            directions[next_cell] = FREE
            directions[cell] = side_move
            if change == _CORNER:
                directions[cell + offsets[side_move]] = move
            else:
                directions[next_cell + offsets[side_move]] = FREE
        is_extended = _extend(
            gains, rows, columns, pitch, price, cell, cell_column, directions, offsets
        )
        if not (is_changed or is_extended):
            break
    cell = start
    length = 0
    while directions[cell] != _END:
        move = np.int64(directions[cell])
        directions[cell] = FREE
        path[length] = move
        length += 1
        cell += offsets[move]
    directions[cell] = FREE
    return length


@subroutine
def _extend(gains, rows, columns, pitch, price, cell, column, directions, offsets):
    """Extend the path by the best step while that has value; return whether it was extended."""
    is_extended = False
    while True:
        best = np.int64(0)
        best_move = -1
        for move in range(4):
            if not _is_legal(cell, column, move, rows, columns, pitch):
                continue
            next_cell = cell + offsets[move]
            if directions[next_cell] == FREE:
                value = _step_value(gains, next_cell, move, price)
                if value > best:
                    best = value
                    best_move = move
        if best_move < 0:
            return is_extended
        directions[cell] = best_move
        cell += offsets[best_move]
        column += (best_move == 2) - (best_move == 3)
        directions[cell] = _END
        is_extended = True
