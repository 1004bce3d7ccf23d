"""Solving one line of a big board, tile after tile.

All work is done on a *view*: the rectangle that is still open, turned so that the line to be
solved is its row 0 and is filled from column 0 on. A view is an int64 array (places below); its
strides may be negative and may swap rows with columns, so that one piece of code serves all
eight ways of looking at a board.

Arrays: ``cells`` int32[n] holds on each cell the *goal cell* of its tile, and the blank's goal
cell on the blank's; ``places`` int32[n] is its inverse; ``out`` uint8[] takes the moves.
A view has at least four rows and two columns.
"""

from __future__ import annotations

import numpy as np
from numba import int32, int64, njit, uint8

# Places in a view. BASE: cell of row 0, column 0. ROW_STEP, COLUMN_STEP: strides. ROWS, COLUMNS:
# extent. WIDTH: of the whole board. BLANK_ROW, BLANK_COLUMN: in the view. LENGTH: of ``out``.
BASE, ROW_STEP, COLUMN_STEP, ROWS, COLUMNS, WIDTH, BLANK_ROW, BLANK_COLUMN, LENGTH = range(9)
VIEW_SIZE = 9

_FAR = 1 << 30


@njit(nogil=True)
def _slide(cells, places, out, view, row_step, column_step):
    """Move the blank one cell; where that undoes the last move, both vanish."""
    width = view[WIDTH]
    here = view[BASE] + view[BLANK_ROW] * view[ROW_STEP] + view[BLANK_COLUMN] * view[COLUMN_STEP]
    step = row_step * view[ROW_STEP] + column_step * view[COLUMN_STEP]
    there = here + step
    blank = cells[here]
    tile = cells[there]
    cells[here] = tile
    cells[there] = blank
    places[tile] = here
    places[blank] = there
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


@njit(nogil=True)
def _gain(cells, view, row, column, row_step, column_step):
    """How much nearer its goal the tile comes that the blank, stepping from here, pushes back."""
    width = view[WIDTH]
    here = view[BASE] + row * view[ROW_STEP] + column * view[COLUMN_STEP]
    there = here + row_step * view[ROW_STEP] + column_step * view[COLUMN_STEP]
    goal = cells[there]
    goal_row = goal // width
    goal_column = goal - goal_row * width
    here_row = here // width
    there_row = there // width
    return (
        abs(goal_row - there_row)
        - abs(goal_row - here_row)
        + abs(goal_column - (there - there_row * width))
        - abs(goal_column - (here - here_row * width))
    )


@njit(nogil=True)
def _locate(view, cell):
    """Row and column, in the view, of a cell of the board."""
    width = view[WIDTH]
    down = cell // width - view[BASE] // width
    right = cell % width - view[BASE] % width
    if abs(view[ROW_STEP]) == width:
        return down * (view[ROW_STEP] // width), right * view[COLUMN_STEP]
    return right * view[ROW_STEP], down * (view[COLUMN_STEP] // width)


@njit(nogil=True)
def _between(a, b, c):
    return (a < b and b < c) or (c < b and b < a)


@njit(nogil=True)
def _blocked(row, column, to_row, to_column, tile_row, tile_column):
    """Whether the straight way from a cell to another on its line runs into the tile."""
    if row == to_row and row == tile_row:
        return _between(column, tile_column, to_column)
    if column == to_column and column == tile_column:
        return _between(row, tile_row, to_row)
    return False


@njit(nogil=True)
def _walk(cells, places, out, view, to_row, to_column, tile_row, tile_column, solved):
    """Take the blank to a cell, around the tile and the ``solved`` first cells of row 0.

    The way is a shortest one: along rows and columns towards the cell, aside first where the
    tile is right in the way. Where two steps are as short, the one that brings the tile it
    pushes nearer home is taken.
    """
    while True:
        row = view[BLANK_ROW]
        column = view[BLANK_COLUMN]
        if row == to_row and column == to_column:
            return
        best = -_FAR
        best_row = 0
        best_column = 0
        straight = _blocked(row, column, to_row, to_column, tile_row, tile_column)
        for way in range(4):
            row_step = 0
            column_step = 0
            if way == 0:
                row_step = 1
            elif way == 1:
                row_step = -1
            elif way == 2:
                column_step = 1
            else:
                column_step = -1
            next_row = row + row_step
            next_column = column + column_step
            if straight:
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
            if not straight and _blocked(
                next_row, next_column, to_row, to_column, tile_row, tile_column
            ):
                continue
            if straight and next_row == 0 and to_column < solved:
                continue
            gain = _gain(cells, view, row, column, row_step, column_step)
            if gain > best:
                best = gain
                best_row = row_step
                best_column = column_step
        _slide(cells, places, out, view, best_row, best_column)


@njit(nogil=True)
def _send_blank(cells, places, out, view, to_row, to_column, tile_row, tile_column, solved):
    """Take the blank to a cell, around the tile and the ``solved`` first cells of row 0.

    Into the corner between a tile below and the solved cells there is only the long way around
    the tile, by its other side.
    """
    if (
        to_row == 0
        and to_column == solved
        and tile_row == 1
        and tile_column == to_column
        and view[BLANK_COLUMN] <= to_column
        and view[BLANK_ROW] > 0
    ):
        _walk(cells, places, out, view, 1, to_column + 1, tile_row, tile_column, solved)
    _walk(cells, places, out, view, to_row, to_column, tile_row, tile_column, solved)


@njit(nogil=True)
def _turns_cost(across, along):
    """Moves to take a tile ``across`` + ``along`` steps more, the last one having been across.

    A turn takes the blank three moves, a step straight on five.
    """
    straight = along - across - 1 if along > across else across - along
    return 3 * (across + along) + 2 * straight


@njit(nogil=True)
def _carry(cells, places, out, view, goal, to_row, to_column, solved):
    """Bring the tile whose goal cell is ``goal`` to a cell of the view.

    It goes by the way that turns most often, since turning is cheapest for the blank. It enters
    row 0 only at columns that are not solved.
    """
    row, column = _locate(view, places[goal])
    while row != to_row or column != to_column:
        down = to_row - row
        right = to_column - column
        best = _FAR
        best_row = 0
        best_column = 0
        for way in range(2):
            row_step = 0
            column_step = 0
            if way == 0:
                if down == 0 or (down < 0 and row == 1 and column < solved):
                    continue
                row_step = 1 if down > 0 else -1
                cost = _turns_cost(abs(down) - 1, abs(right))
            else:
                if right == 0:
                    continue
                column_step = 1 if right > 0 else -1
                cost = _turns_cost(abs(right) - 1, abs(down))
            ahead_row = row + row_step
            ahead_column = column + column_step
            cost += abs(ahead_row - view[BLANK_ROW]) + abs(ahead_column - view[BLANK_COLUMN])
            if _blocked(view[BLANK_ROW], view[BLANK_COLUMN], ahead_row, ahead_column, row, column):
                cost += 2
            if cost < best:
                best = cost
                best_row = row_step
                best_column = column_step
        _send_blank(
            cells, places, out, view, row + best_row, column + best_column, row, column, solved
        )
        _slide(cells, places, out, view, -best_row, -best_column)
        row += best_row
        column += best_column


@njit(nogil=True)
def _finish(cells, places, out, view, first, second, left, rows, columns, queue, came):
    """Solve the row's last two cells by breadth-first search in the corner's window.

    The window is ``rows`` × ``columns`` cells from column ``left``; where it is three wide its
    first cell is solved already and stays. A state is (blank, first tile, second tile) as cells
    of the window; ``queue`` int32[] and ``came`` int16[] have room for all.
    """
    n = rows * columns
    origin = 1 if columns == 3 else 0
    row, column = _locate(view, places[first])
    a = row * columns + column - left
    row, column = _locate(view, places[second])
    b = row * columns + column - left
    blank = view[BLANK_ROW] * columns + view[BLANK_COLUMN] - left
    came[: n * n * n] = -1
    start = (blank * n + a) * n + b
    queue[0] = start
    came[start] = 4
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
        for way in range(4):
            there = blank
            if way == 0 and blank // columns + 1 < rows:
                there = blank + columns
            elif way == 1 and blank >= columns:
                there = blank - columns
            elif way == 2 and blank % columns + 1 < columns:
                there = blank + 1
            elif way == 3 and blank % columns > 0:
                there = blank - 1
            if there == blank or there < origin:
                continue
            next_a = blank if a == there else a
            next_b = blank if b == there else b
            following = (there * n + next_a) * n + next_b
            if came[following] < 0:
                came[following] = way
                queue[tail] = following
                tail += 1
    # Walk back, keeping the ways in the queue's now unused front.
    steps = 0
    while state != start:
        way = came[state]
        b = state % n
        a = state // n % n
        blank = state // (n * n)
        if way == 0:
            before = blank - columns
        elif way == 1:
            before = blank + columns
        elif way == 2:
            before = blank - 1
        else:
            before = blank + 1
        if a == before:
            a = blank
        elif b == before:
            b = blank
        state = (before * n + a) * n + b
        queue[steps] = way
        steps += 1
    for i in range(steps - 1, -1, -1):
        way = queue[i]
        if way < 2:
            _slide(cells, places, out, view, 1 - 2 * way, 0)
        else:
            _slide(cells, places, out, view, 0, 5 - 2 * way)


@njit(int64(int32[::1], int32[::1], uint8[::1], int64[::1]), cache=True, nogil=True)
def solve_line(cells, places, out, view):
    """Solve row 0 of the view, leaving the rest of it in any order.

    Parameters
    ----------
    cells, places, out
        As the module says; ``out`` has room for `most_moves` more than ``view[LENGTH]``.
    view : int64[VIEW_SIZE]
        At least four rows and two columns; the blank's goal cell is not in row 0.

    Returns
    -------
    int64
        The new length of ``out``.
    """
    columns = view[COLUMNS]
    base = view[BASE]
    step = view[COLUMN_STEP]
    for column in range(columns - 2):
        _carry(cells, places, out, view, base + column * step, 0, column, column)
    first = base + (columns - 2) * step
    second = base + (columns - 1) * step
    window_columns = 3 if columns > 2 else 2
    window_rows = 3 if columns > 2 else 4
    left = columns - window_columns
    _carry(cells, places, out, view, first, 0, columns - 1, columns - 2)
    row, column = _locate(view, places[second])
    if row >= window_rows or column < left:
        if view[BLANK_ROW] == 0:
            _slide(cells, places, out, view, 1, 0)
        to_row = min(row, window_rows - 1)
        to_column = max(column, left)
        _carry(cells, places, out, view, second, to_row, to_column, columns)
        row = to_row
        column = to_column
    if view[BLANK_ROW] >= window_rows or view[BLANK_COLUMN] < left:
        # Into the window, beside the tile rather than through it.
        to_row = min(view[BLANK_ROW], window_rows - 1)
        to_column = max(view[BLANK_COLUMN], left)
        if row > 0 and (to_row == 0 or (to_row == row and to_column == column)):
            to_row = 2 if row == 1 else 1
        _send_blank(cells, places, out, view, to_row, to_column, row, column, columns)
    queue = np.empty(729, dtype=np.int32)
    came = np.empty(729, dtype=np.int16)
    _finish(cells, places, out, view, first, second, left, window_rows, window_columns, queue, came)
    return view[LENGTH]


def most_moves(rows: int, columns: int) -> int:
    """Return a bound, far from tight, on the moves of one line of a view of that extent."""
    return columns * 8 * (rows + columns + 8)
