"""Depth-first search under a threshold on f, with Manhattan distance and linear conflicts.

Needs no database and takes any goal. Both parts are kept up move by move: a slide changes one
tile's distance, and the conflicts of one line at most, because a tile that slides along a line
passes no other tile of it.
"""

from __future__ import annotations

import numpy as np
from numba import njit, types

from core.kernels.constants import (
    DEPTH,
    EXHAUSTED,
    EXPANDED,
    FOUND,
    GENERATED,
    LEAST_OVER,
    OUT_OF_BUDGET,
)

_BYTES = types.Array(types.uint8, 1, "C", readonly=True)
_WORDS = types.Array(types.int64, 1, "C", readonly=True)
_OPEN_BYTES = types.Array(types.uint8, 1, "C")
_OPEN_WORDS = types.Array(types.int64, 1, "C")


@njit(cache=True, nogil=True)
def _conflicts_of(cells, across, along, line, first, stride, length, places, runs):
    """Moves that the tiles of one line need beyond their Manhattan distances.

    Twice the fewest tiles that must leave the line to let the others pass, which are all but the
    longest rising run of goal places. ``across`` and ``along`` give by tile its goal line among
    the parallel ones and its goal's place in that line; ``places`` and ``runs`` are scratch.
    """
    home = 0
    longest = 0
    for step in range(length):
        tile = cells[first + step * stride]
        if tile == 0 or across[tile] != line:
            continue
        place = along[tile]
        run = 1
        for earlier in range(home):
            if places[earlier] < place and runs[earlier] >= run:
                run = runs[earlier] + 1
        places[home] = place
        runs[home] = run
        home += 1
        longest = max(longest, run)
    return 2 * (home - longest)


@njit(
    types.UniTuple(types.int64, 2)(_WORDS, _WORDS, _WORDS, types.int64, _OPEN_WORDS),
    cache=True,
    nogil=True,
)
def estimate_lines(cells, goal_rows, goal_columns, width, conflicts):
    """Manhattan distance, and the sum of the linear conflicts.

    Parameters
    ----------
    cells : int64 array, shape (cells,)
        The board; 0 is the blank.
    goal_rows, goal_columns : int64 arrays, shape (cells,)
        By tile, where it belongs.
    width : int
        Columns of the board.
    conflicts : int64 array, shape (height + width,), filled
        By line, rows first, moves beyond Manhattan distance.

    Returns
    -------
    tuple of two int
        Their sum is a lower bound (O. Hansson, A. Mayer and M. Yung, "Criticizing solutions to
        relaxed models yields powerful admissible heuristics", 1992).
    """
    height = cells.size // width
    places = np.empty(cells.size, dtype=np.int64)
    runs = np.empty(cells.size, dtype=np.int64)
    distance = 0
    for cell in range(cells.size):
        tile = cells[cell]
        if tile != 0:
            distance += abs(cell // width - goal_rows[tile])
            distance += abs(cell % width - goal_columns[tile])
    for row in range(height):
        conflicts[row] = _conflicts_of(
            cells, goal_rows, goal_columns, row, row * width, 1, width, places, runs
        )
    for column in range(width):
        conflicts[height + column] = _conflicts_of(
            cells, goal_columns, goal_rows, column, column, width, height, places, runs
        )
    return distance, conflicts.sum()


@njit(
    types.int64(
        _WORDS, _WORDS, _BYTES, _WORDS, _WORDS,
        types.int64, types.int64, _OPEN_BYTES, _OPEN_BYTES, _OPEN_WORDS,
    ),
    cache=True,
    nogil=True,
)  # fmt: skip
def search_lines(
    start, ways, legal, goal_rows, goal_columns, threshold, budget, path, untried, report
):
    """Search what a cursor covers for a path to the goal of at most ``threshold`` moves.

    Parameters
    ----------
    goal_rows, goal_columns : int64 arrays, shape (cells,)
        By tile, where it belongs.
    start, ways, legal, threshold, budget, path, untried, report
        As in `core.kernels.depth_first_patterns.search_patterns`.

    Returns
    -------
    int
        `EXHAUSTED`, `OUT_OF_BUDGET` or `FOUND`.
    """
    width = ways[0]
    height = start.size // width
    cells = start.copy()
    blank = 0
    while cells[blank] != 0:
        blank += 1
    places = np.empty(cells.size, dtype=np.int64)
    runs = np.empty(cells.size, dtype=np.int64)
    conflicts = np.empty(height + width, dtype=np.int64)
    distance, conflict_sum = estimate_lines(cells, goal_rows, goal_columns, width, conflicts)
    # By depth, what the move from there changed: distance, conflict sum, line, its old conflicts.
    saved = np.empty((path.size, 4), dtype=np.int64)
    made = report[DEPTH]
    depth = 0
    generated = 0
    expanded = 0
    least_over = report[LEAST_OVER]
    status = EXHAUSTED
    while True:
        if depth < made:
            move = np.int64(path[depth])
        else:
            left = np.int64(untried[depth])
            if left == 0:
                if depth == 0:
                    break
                depth -= 1
                made = depth
                way = ways[path[depth]]
                cells[blank] = cells[blank - way]
                blank -= way
                cells[blank] = 0
                distance = saved[depth, 0]
                conflict_sum = saved[depth, 1]
                conflicts[saved[depth, 2]] = saved[depth, 3]
                continue
            if generated >= budget:
                status = OUT_OF_BUDGET
                break
            move = 0
            while left >> move & 1 == 0:
                move += 1
            untried[depth] = left & (left - 1)
            generated += 1
        way = ways[move]
        tile = cells[blank + way]
        row = blank // width
        column = blank - row * width
        line = 0
        if move < 2:
            nearer = abs(row - goal_rows[tile]) < abs(row + 1 - 2 * move - goal_rows[tile])
            if goal_rows[tile] == row:
                line = row
            elif goal_rows[tile] == row + 1 - 2 * move:
                line = goal_rows[tile]
            else:
                line = -1
        else:
            from_column = column + 5 - 2 * move
            nearer = abs(column - goal_columns[tile]) < abs(from_column - goal_columns[tile])
            if goal_columns[tile] == column:
                line = height + column
            elif goal_columns[tile] == from_column:
                line = height + from_column
            else:
                line = -1
        new_distance = distance - 1 if nearer else distance + 1
        # Conflicts of a line can fall by two at most when one tile enters or leaves it.
        f = depth + 1 + new_distance + conflict_sum
        if line >= 0:
            f -= 2
        if f > threshold and depth >= made:
            least_over = min(least_over, f)
            continue
        cells[blank] = tile
        cells[blank + way] = 0
        new_sum = conflict_sum
        old = 0
        if line >= 0:
            old = conflicts[line]
            if line < height:
                new = _conflicts_of(
                    cells, goal_rows, goal_columns, line, line * width, 1, width, places, runs
                )
            else:
                new = _conflicts_of(
                    cells, goal_columns, goal_rows, line - height, line - height, width, height,
                    places, runs,
                )  # fmt: skip
            new_sum += new - old
            f = depth + 1 + new_distance + new_sum
            if f > threshold and depth >= made:
                cells[blank] = 0
                cells[blank + way] = tile
                least_over = min(least_over, f)
                continue
            conflicts[line] = new
        else:
            line = 0
            old = conflicts[0]
        saved[depth, 0] = distance
        saved[depth, 1] = conflict_sum
        saved[depth, 2] = line
        saved[depth, 3] = old
        distance = new_distance
        conflict_sum = new_sum
        blank += way
        if depth >= made:
            expanded += 1
            path[depth] = move
            untried[depth + 1] = np.int64(legal[blank]) & ~(1 << (move ^ 1))
            made = depth + 1
        depth += 1
        if distance == 0 and depth >= made:
            status = FOUND
            break
    report[DEPTH] = depth
    report[GENERATED] = generated
    report[EXPANDED] = expanded
    report[LEAST_OVER] = least_over
    return status
