"""Solving one line of a large board, tile by tile.

A *view* is a rectangle of the board, oriented so that the line to be solved is its row 0, which is
filled from column 0 on. It is an int64 array with the indices below. Its strides can be negative
and can exchange rows and columns, so the same code handles all eight orientations.

Arrays: ``cells`` int32[n] contains the *goal cell* of the tile on each cell, or of the blank;
``positions`` int32[n] is its inverse; the moves are written to ``out`` uint8[]; ``gains``
int64[REACH, REACH] is scratch.
"""

from __future__ import annotations

import numpy as np

from tilework.core.compiling import int32, int64, kernel, subroutine, uint8

# Indices in a view. BASE: the cell of row 0, column 0. ROW_STEP, COLUMN_STEP: strides. ROWS and
# COLUMNS: extent. WIDTH: of the whole board. BLANK_ROW, BLANK_COLUMN: the blank's cell in the view.
# LENGTH: the number of moves in ``out``.
BASE, ROW_STEP, COLUMN_STEP, ROWS, COLUMNS, WIDTH, BLANK_ROW, BLANK_COLUMN, LENGTH = range(9)
VIEW_SIZE = 9

# Sides of the rectangles in which the blank's paths are compared
REACH = 32

INFINITE = 1 << 30


@subroutine
def slide(cells, positions, out, view, row_step, column_step):
    """Move the blank by one cell; if that undoes the last move, remove both from the output."""
    width = view[WIDTH]
    cell = view[BASE] + view[BLANK_ROW] * view[ROW_STEP] + view[BLANK_COLUMN] * view[COLUMN_STEP]
    step = row_step * view[ROW_STEP] + column_step * view[COLUMN_STEP]
    next_cell = cell + step
    blank = cells[cell]
    tile = cells[next_cell]
    cells[cell] = tile
    cells[next_cell] = blank
    positions[tile] = cell
    positions[blank] = next_cell
    view[BLANK_ROW] += row_step
    view[BLANK_COLUMN] += column_step
    if step == width:
        move = 0
    elif step == -width:
        move = 1
    elif step == 1:
        move = 2
    else:
        move = 3
    length = view[LENGTH]
    if length > 0 and out[length - 1] == move ^ 1:
        view[LENGTH] = length - 1
    else:
        out[length] = move
        view[LENGTH] = length + 1


@subroutine
def _step_gain(cells, view, row, column, row_step, column_step):
    """Return 1 if the blank's step moves a tile closer to its goal, otherwise -1."""
    width = view[WIDTH]
    step = row_step * view[ROW_STEP] + column_step * view[COLUMN_STEP]
    next_cell = view[BASE] + row * view[ROW_STEP] + column * view[COLUMN_STEP] + step
    if abs(step) == width:
        steps_left = cells[next_cell] // width - next_cell // width
    else:
        steps_left = cells[next_cell] % width - next_cell % width
    # The tile moves in the opposite direction to the blank.
    return 1 if (steps_left < 0 and step > 0) or (steps_left > 0 and step < 0) else -1


@subroutine
def locate(view, cell):
    """Return the row and column in the view of a cell of the board."""
    width = view[WIDTH]
    down = cell // width - view[BASE] // width
    right = cell % width - view[BASE] % width
    if abs(view[ROW_STEP]) == width:
        return down * (view[ROW_STEP] // width), right * view[COLUMN_STEP]
    return right * view[ROW_STEP], down * (view[COLUMN_STEP] // width)


@subroutine
def _is_between(a, b, c):
    return (a < b < c) or (c < b < a)


@subroutine
def is_path_blocked(row, column, to_row, to_column, tile_row, tile_column):
    """Whether the tile blocks the straight path from a cell to another one on its line."""
    if row == to_row and row == tile_row:
        return _is_between(column, tile_column, to_column)
    if column == to_column and column == tile_column:
        return _is_between(row, tile_row, to_row)
    return False


@subroutine
def _follow_best_path(
    cells, positions, out, view, to_row, to_column, tile_row, tile_column, solved, gains
):
    """Move the blank towards a cell by the path that is best for the tiles on it.

    The best of all shortest paths to the cell, or to one on the way if it is far, is found by
    dynamic programming. A path never crosses itself, so the gain of a step does not depend on
    earlier steps. Returns False if there is no such path.
    """
    row = view[BLANK_ROW]
    column = view[BLANK_COLUMN]
    down = to_row - row
    right = to_column - column
    distance = max(abs(down), abs(right))
    if distance >= REACH:
        down = down * (REACH - 1) // distance if down > 0 else -(-down * (REACH - 1) // distance)
        right = (
            right * (REACH - 1) // distance if right > 0 else -(-right * (REACH - 1) // distance)
        )
        if is_path_blocked(row + down, column + right, to_row, to_column, tile_row, tile_column):
            return False
    if down == 0 or right == 0:
        return False
    row_step = 1 if down > 0 else -1
    column_step = 1 if right > 0 else -1
    rows = abs(down) + 1
    columns = abs(right) + 1
    for i in range(rows - 1, -1, -1):
        for j in range(columns - 1, -1, -1):
            cell_row = row + i * row_step
            cell_column = column + j * column_step
            best = -INFINITE
            if (cell_row == tile_row and cell_column == tile_column) or (
                cell_row == 0 and cell_column < solved
            ):
                best = -INFINITE
            elif i == rows - 1 and j == columns - 1:
                best = 0
            else:
                if i < rows - 1 and gains[i + 1, j] > -INFINITE:
                    best = gains[i + 1, j] + _step_gain(
                        cells, view, cell_row, cell_column, row_step, 0
                    )
                if j < columns - 1 and gains[i, j + 1] > -INFINITE:
                    best = max(
                        best,
                        gains[i, j + 1]
                        + _step_gain(cells, view, cell_row, cell_column, 0, column_step),
                    )
            gains[i, j] = best
    if gains[0, 0] == -INFINITE:
        return False
    i = 0
    j = 0
    while i < rows - 1 or j < columns - 1:
        moves_down = i < rows - 1 and gains[i + 1, j] > -INFINITE
        if moves_down:
            gain = _step_gain(
                cells, view, row + i * row_step, column + j * column_step, row_step, 0
            )
            moves_down = gains[i + 1, j] + gain == gains[i, j]
        if moves_down:
            slide(cells, positions, out, view, row_step, 0)
            i += 1
        else:
            slide(cells, positions, out, view, 0, column_step)
            j += 1
    return True


@subroutine
def _detour_gain(cells, view, row, column, to_row, to_column, row_step, column_step):
    """Return the gain of the path past a tile and back into the line, after a step sideways."""
    down = 0
    right = 0
    if row_step == 0:
        down = 1 if to_row > row else -1
    else:
        right = 1 if to_column > column else -1
    gain = 0
    while row != to_row if row_step == 0 else column != to_column:
        gain += _step_gain(cells, view, row, column, down, right)
        row += down
        column += right
    return gain + _step_gain(cells, view, row, column, -row_step, -column_step)


@subroutine
def _walk(cells, positions, out, view, to_row, to_column, tile_row, tile_column, solved, gains):
    """Move the blank to a cell, around the tile and the first ``solved`` cells of row 0.

    The path is a shortest one: along rows and columns towards the cell, first sideways if the tile
    is directly in the way. Of several possible steps, it takes one that moves a tile towards its
    goal.
    """
    while True:
        row = view[BLANK_ROW]
        column = view[BLANK_COLUMN]
        if row == to_row and column == to_column:
            return
        if _follow_best_path(
            cells, positions, out, view, to_row, to_column, tile_row, tile_column, solved, gains
        ):
            continue
        best = -INFINITE
        best_row = 0
        best_column = 0
        is_blocked = is_path_blocked(row, column, to_row, to_column, tile_row, tile_column)
        for direction in range(4):
            row_step = 0
            column_step = 0
            if direction == 0:
                row_step = 1
            elif direction == 1:
                row_step = -1
            elif direction == 2:
                column_step = 1
            else:
                column_step = -1
            next_row = row + row_step
            next_column = column + column_step
            if is_blocked:
                if (row == to_row) == (row_step == 0):
                    continue
            elif abs(to_row - next_row) + abs(to_column - next_column) > abs(to_row - row) + abs(
                to_column - column
            ):
                continue
            if next_row < 0 or next_row >= view[ROWS]:
                continue
            if next_column < 0 or next_column >= view[COLUMNS]:
                continue
            if next_row == 0 and next_column < solved:
                continue
            if next_row == tile_row and next_column == tile_column:
                continue
            if not is_blocked and is_path_blocked(
                next_row, next_column, to_row, to_column, tile_row, tile_column
            ):
                continue
            if is_blocked and next_row == 0 and to_column < solved:
                continue
            gain = _step_gain(cells, view, row, column, row_step, column_step)
            if is_blocked:
                gain += _detour_gain(
                    cells, view, next_row, next_column, to_row, to_column, row_step, column_step
                )
            if gain > best:
                best = gain
                best_row = row_step
                best_column = column_step
        slide(cells, positions, out, view, best_row, best_column)


@subroutine
def send_blank(
    cells, positions, out, view, to_row, to_column, tile_row, tile_column, solved, gains
):
    """Move the blank to a cell, around the tile and the first ``solved`` cells of row 0.

    The corner between a tile below and the solved cells can only be reached by the long path around
    the tile.
    """
    if (
        to_row == 0
        and to_column == solved
        and tile_row == 1
        and tile_column == to_column
        and view[BLANK_COLUMN] <= to_column
        and view[BLANK_ROW] > 0
    ):
        _walk(cells, positions, out, view, 1, to_column + 1, tile_row, tile_column, solved, gains)
    _walk(cells, positions, out, view, to_row, to_column, tile_row, tile_column, solved, gains)


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
    cells, positions, out; see `tilework.core.solver.kernels.constructive`; ``out`` has room for
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
