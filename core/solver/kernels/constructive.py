"""Solving one line of a large board, tile by tile."""

from __future__ import annotations

import numpy as np

from tilework.core.compiling import int32, int64, kernel, subroutine, uint8
from tilework.core.solver.kernels.blank_paths import (
    BASE,
    BLANK_COLUMN,
    BLANK_ROW,
    COLUMN_STEP,
    COLUMNS,
    INFINITE,
    LENGTH,
    REACH,
    is_path_blocked,
    locate,
    send_blank,
    slide,
)


@subroutine
def _count_carrying_moves(across, along):
    """Return the number of moves that carry a tile by further steps, after a step across.

    A step after a turn takes three moves of the blank, a straight step five.
    """
    straight = along - across - 1 if along > across else across - along
    return 3 * (across + along) + 2 * straight


@subroutine
def _carry(cells, positions, out, view, goal, to_row, to_column, solved, gains):
    """Move the tile whose goal cell is ``goal`` to a cell of the view.

    It takes the path with the most turns, because turns cost the blank the fewest moves, and enters
    row 0 only at unsolved columns.
    """
    row, column = locate(view, positions[goal])
    while row != to_row or column != to_column:
        down = to_row - row
        right = to_column - column
        best = INFINITE
        best_row = 0
        best_column = 0
        for direction in range(2):
            row_step = 0
            column_step = 0
            if direction == 0:
                if down == 0 or (down < 0 and row == 1 and column < solved):
                    continue
                row_step = 1 if down > 0 else -1
                cost = _count_carrying_moves(abs(down) - 1, abs(right))
            else:
                if right == 0:
                    continue
                column_step = 1 if right > 0 else -1
                cost = _count_carrying_moves(abs(right) - 1, abs(down))
            next_row = row + row_step
            next_column = column + column_step
            cost += abs(next_row - view[BLANK_ROW]) + abs(next_column - view[BLANK_COLUMN])
            if is_path_blocked(
                view[BLANK_ROW], view[BLANK_COLUMN], next_row, next_column, row, column
            ):
                cost += 2
            if cost < best:
                best = cost
                best_row = row_step
                best_column = column_step
        send_blank(
            cells, positions, out, view, row + best_row, column + best_column, row, column, solved,
            gains,
        )  # fmt: skip
        slide(cells, positions, out, view, -best_row, -best_column)
        row += best_row
        column += best_column


@subroutine
def _solve_last_cells(
    cells, positions, out, view, first, second, left_column, rows, columns, queue, arrival_moves
):
    """Solve the last two cells of the row by breadth-first search in the corner's window."""
    n = rows * columns
    origin = 1 if columns == 3 else 0
    row, column = locate(view, positions[first])
    a = row * columns + column - left_column
    row, column = locate(view, positions[second])
    b = row * columns + column - left_column
    blank = view[BLANK_ROW] * columns + view[BLANK_COLUMN] - left_column
    arrival_moves[: n * n * n] = -1
    start = (blank * n + a) * n + b
    queue[0] = start
    arrival_moves[start] = 4
    head = 0
    tail = 1
    state = start
    while head < tail:
        state = queue[head]
        head += 1
        b = state % n
        a = state // n % n
        blank = state // (n * n)
        if a == columns - 2 and b == columns - 1:
            break
        for direction in range(4):
            next_blank = blank
            if direction == 0 and blank // columns + 1 < rows:
                next_blank = blank + columns
            elif direction == 1 and blank >= columns:
                next_blank = blank - columns
            elif direction == 2 and blank % columns + 1 < columns:
                next_blank = blank + 1
            elif direction == 3 and blank % columns > 0:
                next_blank = blank - 1
            if next_blank == blank or next_blank < origin:
                continue
            next_a = blank if a == next_blank else a
            next_b = blank if b == next_blank else b
            next_state = (next_blank * n + next_a) * n + next_b
            if arrival_moves[next_state] < 0:
                arrival_moves[next_state] = direction
                queue[tail] = next_state
                tail += 1
    # Follow the path backwards; the moves overwrite the front of the queue.
    steps = 0
    while state != start:
        direction = arrival_moves[state]
        b = state % n
        a = state // n % n
        blank = state // (n * n)
        if direction == 0:
            previous = blank - columns
        elif direction == 1:
            previous = blank + columns
        elif direction == 2:
            previous = blank - 1
        else:
            previous = blank + 1
        if a == previous:
            a = blank
        elif b == previous:
            b = blank
        state = (previous * n + a) * n + b
        queue[steps] = direction
        steps += 1
    for i in range(steps - 1, -1, -1):
        direction = queue[i]
        if direction < 2:
            slide(cells, positions, out, view, 1 - 2 * direction, 0)
        else:
            slide(cells, positions, out, view, 0, 5 - 2 * direction)


@kernel(int64(int32[::1], int32[::1], uint8[::1], int64[::1], int64, int64))
def solve_line(cells, positions, out, view, start, end):
    """Solve columns ``start`` to ``end - 1`` of row 0 of the view.

    The last two columns are solved together, by the call whose ``end`` is beyond the last. Calls
    must be made from left to right, with unchanged arrays.

    Parameters
    ----------
    cells, positions, out; see `tilework.core.solver.kernels.blank_paths`; ``out`` has room for
        `line_move_limit` more than ``view[LENGTH]``
    view : int64[VIEW_SIZE]
        At least four rows and two columns; the blank's goal cell is not in row 0.
    start, end : int64; columns from 0; ``end`` can be beyond the last

    Returns
    -------
    int64; the new length of ``out``
    """
    gains = np.empty((REACH, REACH), dtype=np.int64)
    columns = view[COLUMNS]
    base = view[BASE]
    step = view[COLUMN_STEP]
    for column in range(start, min(end, columns - 2)):
        _carry(cells, positions, out, view, base + column * step, 0, column, column, gains)
    if end < columns:
        return view[LENGTH]
    first = base + (columns - 2) * step
    second = base + (columns - 1) * step
    window_columns = 3 if columns > 2 else 2
    window_rows = 3 if columns > 2 else 4
    left_column = columns - window_columns
    _carry(cells, positions, out, view, first, 0, columns - 1, columns - 2, gains)
    row, column = locate(view, positions[second])
    if row >= window_rows or column < left_column:
        if view[BLANK_ROW] == 0:
            slide(cells, positions, out, view, 1, 0)
        to_row = min(row, window_rows - 1)
        to_column = max(column, left_column)
        _carry(cells, positions, out, view, second, to_row, to_column, columns, gains)
        row = to_row
        column = to_column
    if view[BLANK_ROW] >= window_rows or view[BLANK_COLUMN] < left_column:
        # Move the blank into the window, but not through the tile.
        to_row = min(view[BLANK_ROW], window_rows - 1)
        to_column = max(view[BLANK_COLUMN], left_column)
        if row > 0 and (to_row == 0 or (to_row == row and to_column == column)):
            to_row = 2 if row == 1 else 1
        send_blank(cells, positions, out, view, to_row, to_column, row, column, columns, gains)
    queue = np.empty(729, dtype=np.int32)
    arrival_moves = np.empty(729, dtype=np.int16)
    _solve_last_cells(
        cells, positions, out, view, first, second, left_column, window_rows, window_columns, queue,
        arrival_moves,
    )  # fmt: skip
    return view[LENGTH]


def line_move_limit(rows: int, columns: int, solved: int) -> int:
    """Return an upper bound on the number of moves that solve ``solved`` columns of a line.

    ``rows`` and ``columns`` are the view's extent.
    """
    return (solved + 3) * 8 * (rows + columns + 8)
