"""Local improvement of a sweep, as long as a change adds value.

The dynamic program only finds paths that never return to an earlier line. Afterwards, each step is
examined together with the square of four cells on either side of it: the path can take the other
three sides of the square (a detour), exchange two sides for the other two (a corner), or skip
three sides (a shortcut). At its end, it is extended step by step. The path still visits no cell
twice, so the gain of a step does not depend on earlier steps.
"""

import numpy as np

from tilework.core.compiling import subroutine

FREE = -1  # direction of a cell that is not on the path
_END = 4  # direction of the last cell of the path
_MAX_PASSES = 20
_DETOUR, _CORNER, _SHORTCUT, _NONE = range(4)


@subroutine
def _is_legal(cell, move, rows, columns):
    if move == 0:
        return cell < (rows - 1) * columns
    if move == 1:
        return cell >= columns
    if move == 2:
        return cell % columns < columns - 1
    return cell % columns > 0


@subroutine
def _step_value(gains, rows, columns, pitch, cell, move, price):
    """Return the value of a step of the blank to a cell by a move."""
    # The tile moves in the opposite direction, and the planes are in the order of the moves.
    index = (move ^ 1) * rows * pitch + cell // columns * pitch + cell % columns
    return np.int64(gains[index]) - price


@subroutine
def improve(gains, rows, columns, pitch, price, start, path, length, directions):
    """Improve a path in place; return its new length.

    Parameters
    ----------
    gains : int16[:]; gain table of the rows (`tilework.core.solver.kernels.sweeps.best_sweep`)
    price : int64; cost of a move
    start : int64; the blank's cell
    path : uint8[rows · columns or more]; the moves, ``length`` of them
    directions : int8[rows · columns], all `FREE`; scratch, restored at the end
    """
    offsets = np.empty(4, dtype=np.int64)
    offsets[0] = columns
    offsets[1] = -columns
    offsets[2] = 1
    offsets[3] = -1
    cell = start
    for i in range(length):
        directions[cell] = path[i]
        cell += offsets[path[i]]
    directions[cell] = _END
    for _ in range(_MAX_PASSES):
        is_changed = False
        cell = start
        while directions[cell] != _END:
            move = np.int64(directions[cell])
            after = cell + offsets[move]
            value = _step_value(gains, rows, columns, pitch, after, move, price)
            best = np.int64(0)
            change = _NONE
            side = np.int64(0)
            first_side = 2 if move < 2 else 0
            for turn in range(first_side, first_side + 2):
                if not _is_legal(cell, turn, rows, columns):
                    continue
                near = cell + offsets[turn]
                far = after + offsets[turn]
                if directions[near] != FREE or directions[far] != FREE:
                    continue
                added = (
                    _step_value(gains, rows, columns, pitch, near, turn, price)
                    + _step_value(gains, rows, columns, pitch, far, move, price)
                    + _step_value(gains, rows, columns, pitch, after, turn ^ 1, price)
                    - value
                )
                if added > best:
                    best = added
                    change = _DETOUR
                    side = turn
            turn = np.int64(directions[after])
            if turn != _END and (turn < 2) != (move < 2):
                corner = after + offsets[turn]
                both = value + _step_value(gains, rows, columns, pitch, corner, turn, price)
                near = cell + offsets[turn]
                if directions[near] == FREE:
                    added = (
                        _step_value(gains, rows, columns, pitch, near, turn, price)
                        + _step_value(gains, rows, columns, pitch, corner, move, price)
                        - both
                    )
                    if added > best:
                        best = added
                        change = _CORNER
                elif directions[corner] == move ^ 1:
                    added = (
                        _step_value(gains, rows, columns, pitch, near, turn, price)
                        - both
                        - _step_value(gains, rows, columns, pitch, near, move ^ 1, price)
                    )
                    if added > best:
                        best = added
                        change = _SHORTCUT
            if change == _NONE:
                cell = after
                continue
            is_changed = True
            if change == _DETOUR:
                directions[cell] = side
                directions[cell + offsets[side]] = move
                directions[after + offsets[side]] = side ^ 1
                continue
            directions[after] = FREE
            directions[cell] = turn
            if change == _CORNER:
                directions[cell + offsets[turn]] = move
            else:
                directions[after + offsets[turn]] = FREE
        is_extended = _extend(gains, rows, columns, pitch, price, cell, directions, offsets)
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
def _extend(gains, rows, columns, pitch, price, cell, directions, offsets):
    """Extend the path from its last cell by the best step while it has value; return whether."""
    is_extended = False
    while True:
        best = np.int64(0)
        best_move = -1
        for move in range(4):
            if not _is_legal(cell, move, rows, columns):
                continue
            after = cell + offsets[move]
            if directions[after] == FREE:
                value = _step_value(gains, rows, columns, pitch, after, move, price)
                if value > best:
                    best = value
                    best_move = move
        if best_move < 0:
            return is_extended
        directions[cell] = best_move
        cell += offsets[best_move]
        directions[cell] = _END
        is_extended = True
