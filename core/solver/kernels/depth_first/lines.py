"""Depth-first search under a threshold on f, with Manhattan distance and linear conflicts.

Needs no pattern database and takes any goal. Both parts are kept up move by move: a slide changes
one tile's distance, and the conflicts of one line at most, because a tile that slides along a line
passes no other tile of it.
"""

from __future__ import annotations

import numpy as np
from numba import types

from tilework.core.compiling import kernel
from tilework.core.solver.kernels.array_types import (
    BYTES,
    OPEN_BYTES,
    OPEN_STATES,
    OPEN_TABLE,
    OPEN_WORDS,
    STEPS,
    WORDS,
)
from tilework.core.solver.kernels.constants import (
    DEPTH,
    EXHAUSTED,
    FOUND,
    INDEX,
    LOWEST_MOVE,
    NEXT_THRESHOLD,
    NO_F,
    OUT_OF_BUDGET,
)
from tilework.core.solver.kernels.depth_first.subtrees import in_order
from tilework.core.solver.kernels.depth_first.walking import blank_of, enter, leave
from tilework.core.solver.kernels.line_conflicts import conflicts_of, tile_on


@kernel(types.UniTuple(types.int64, 2)(WORDS, WORDS, WORDS, types.int64, OPEN_WORDS))
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
    tails = np.empty(max(width, height), dtype=np.int64)
    blank = 0
    distance = 0
    conflict_sum = 0
    for cell in range(cells.size):
        tile = cells[cell]
        if tile == 0:
            blank = cell
        else:
            distance += abs(cell // width - goal_rows[tile])
            distance += abs(cell % width - goal_columns[tile])
    for row in range(height):
        conflicts[row] = conflicts_of(
            tile_on, cells, blank, goal_rows, goal_columns, row, row * width, 1, width, tails
        )
    for column in range(width):
        conflicts[height + column] = conflicts_of(
            tile_on, cells, blank, goal_columns, goal_rows, column, column, width, height, tails
        )
    for line in range(height + width):
        conflict_sum += conflicts[line]
    return distance, conflict_sum


@kernel(
    types.int64(
        WORDS, WORDS, STEPS, BYTES, WORDS, WORDS,
        types.int64, types.int64, OPEN_BYTES, OPEN_BYTES, OPEN_STATES, OPEN_WORDS,
    )
)  # fmt: skip
def search_lines(
    start, ways, following, allowed, goal_rows, goal_columns,
    threshold, budget, path, untried, states, report,
):  # fmt: skip
    """Search what a cursor covers for a path to the goal of at most ``threshold`` moves.

    Parameters
    ----------
    goal_rows, goal_columns : int64 arrays, shape (cells,)
        By tile, where it belongs.
    start, ways, following, allowed, threshold, budget, path, untried, states, report
        As in `tilework.core.solver.kernels.depth_first.patterns.search_patterns`.

    Returns
    -------
    int
        `EXHAUSTED`, `OUT_OF_BUDGET` or `FOUND`.
    """
    width = ways[0]
    height = start.size // width
    cells = start.copy()
    blank = blank_of(cells)
    tails = np.empty(max(width, height), dtype=np.int64)
    conflicts = np.empty(height + width, dtype=np.int64)
    distance, conflict_sum = estimate_lines(cells, goal_rows, goal_columns, width, conflicts)
    # By depth, what the move from there changed: distance, conflict sum, line, its old conflicts.
    saved = np.empty((path.size, 4), dtype=np.int64)
    made = report[DEPTH]
    depth = 0
    generated = 0
    expanded = 0
    next_threshold = report[NEXT_THRESHOLD]
    status = EXHAUSTED
    while True:
        at = INDEX(depth)
        if depth < made:
            # On the way back to where the cursor stands nothing is counted and nothing cut.
            move = np.int64(path[at])
            limit = NO_F
        else:
            left = np.int64(untried[at])
            if left == 0:
                if depth == 0:
                    break
                depth -= 1
                made = depth
                at = INDEX(depth)
                way = ways[INDEX(path[at])]
                cells[INDEX(blank)] = cells[INDEX(blank - way)]
                blank -= way
                cells[INDEX(blank)] = 0
                distance = saved[at, 0]
                conflict_sum = saved[at, 1]
                conflicts[INDEX(saved[at, 2])] = saved[at, 3]
                continue
            if generated >= budget:
                status = OUT_OF_BUDGET
                break
            move = LOWEST_MOVE[INDEX(left)]
            untried[at] = left & (left - 1)
            generated += 1
            limit = threshold
        way = ways[INDEX(move)]
        tile = INDEX(cells[INDEX(blank + way)])
        # The tile slides from one parallel line to the next; only one of them can be its own.
        if move < 2:
            line = 0
            target = blank // width
            source = target + 1 - 2 * move
            home = goal_rows[tile]
        else:
            line = height
            target = blank % width
            source = target + 5 - 2 * move
            home = goal_columns[tile]
        new_distance = distance + (1 if abs(target - home) > abs(source - home) else -1)
        changed = home in (source, target)
        # A line's conflicts fall by two at most when a tile enters or leaves it.
        f = depth + 1 + new_distance + conflict_sum - (2 if changed else 0)
        if f > limit:
            next_threshold = min(next_threshold, f)
            continue
        cells[INDEX(blank)] = np.int64(tile)
        cells[INDEX(blank + way)] = 0
        line += home
        old = conflicts[INDEX(line)]
        new = old
        if changed:
            if move < 2:
                new = conflicts_of(
                    tile_on, cells, blank + way, goal_rows, goal_columns,
                    home, home * width, 1, width, tails,
                )  # fmt: skip
            else:
                new = conflicts_of(
                    tile_on, cells, blank + way, goal_columns, goal_rows,
                    home, home, width, height, tails,
                )  # fmt: skip
            f = depth + 1 + new_distance + conflict_sum + new - old
            if f > limit:
                cells[INDEX(blank)] = 0
                cells[INDEX(blank + way)] = np.int64(tile)
                next_threshold = min(next_threshold, f)
                continue
        saved[at, 0] = distance
        saved[at, 1] = conflict_sum
        saved[at, 2] = line
        saved[at, 3] = old
        conflicts[INDEX(line)] = new
        distance = new_distance
        conflict_sum += new - old
        blank += way
        depth += 1
        if depth > made:
            made = depth
            expanded += 1
            enter(depth - 1, move, following, allowed, path, untried, states)
            if distance == 0:
                status = FOUND
                break
    leave(report, depth, generated, expanded, next_threshold)
    return status


@kernel(
    types.int64(
        WORDS, WORDS, STEPS, BYTES, WORDS, WORDS,
        types.int64, types.int64, OPEN_BYTES, OPEN_BYTES, OPEN_STATES, OPEN_WORDS,
        OPEN_TABLE, OPEN_WORDS, OPEN_WORDS,
    )
)  # fmt: skip
def search_lines_in_order(
    start, ways, following, allowed, goal_rows, goal_columns,
    threshold, budget, path, untried, states, report, subtrees, order, place,
):  # fmt: skip
    """Search subtrees as `tilework.core.solver.kernels.depth_first.subtrees.in_order` says."""
    return in_order(
        search_lines,
        (start, ways, following, allowed, goal_rows, goal_columns),
        threshold, budget, path, untried, states, report, subtrees, order, place,
    )  # fmt: skip
