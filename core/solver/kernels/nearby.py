"""Depth-first search of a window of a large board with a threshold on the path's length.

Each cell of the window contains the goal cell of its tile instead of its number, so no table of
goals is needed. The state of the search is in the caller's arrays, so the next call can resume it.
"""

import numpy as np

from tilework.core.compiling import int64, kernel, subroutine
from tilework.core.solver.kernels.constants import (
    BYTES,
    EXHAUSTED,
    FOUND,
    INDEX,
    LOWEST_MOVE,
    OPEN_BYTES,
    OPEN_TABLE,
    OPEN_WORDS,
    OUT_OF_BUDGET,
    WORDS,
)
from tilework.core.solver.kernels.line_conflicts import count_conflicts, tile_on

# Indices in the ``state`` array: moves on the path, total nodes generated and expanded, the blank's
# cell, the Manhattan distance, and the linear conflicts.
DEPTH, GENERATED, EXPANDED, BLANK, DISTANCE, CONFLICTS = range(6)
STATE_SIZE = 6

# Columns of ``saved``: by depth, values before the move.
_DISTANCE, _CONFLICTS, _LINE, _OLD = range(4)
SAVED_SIZE = 4


@subroutine
def _is_beyond_reach(cells, misplaced, blank, goal_blank, rows, columns, left):
    """Whether the blank cannot visit each misplaced cell and reach its goal in the moves left."""
    row = rows[INDEX(blank)]
    column = columns[INDEX(blank)]
    goal_row = rows[INDEX(goal_blank)]
    goal_column = columns[INDEX(goal_blank)]
    if abs(row - goal_row) + abs(column - goal_column) > left:
        return True
    for cell in misplaced:
        if cells[INDEX(cell)] == cell:
            continue
        cell_row = rows[INDEX(cell)]
        cell_column = columns[INDEX(cell)]
        steps = abs(row - cell_row) + abs(column - cell_column)
        if steps + abs(cell_row - goal_row) + abs(cell_column - goal_column) > left:
            return True
    return False


@kernel(
    int64(
        OPEN_WORDS, WORDS, WORDS, BYTES, WORDS, int64, int64, int64,
        OPEN_BYTES, OPEN_BYTES, OPEN_TABLE, OPEN_WORDS, OPEN_WORDS, OPEN_WORDS,
    )
)  # fmt: skip
def search_nearby(
    cells, rows, columns, legal, misplaced, goal_blank, threshold, budget,
    path, untried, saved, conflicts, tails, state,
):  # fmt: skip
    """Search for a path to the goal of at most ``threshold`` moves, for about ``budget`` nodes.

    Parameters
    ----------
    cells : int64[n], changed in place
        Goal cell of each tile by cell of the window; any number on the blank's cell.
    rows, columns : int64[n]; of the window's cells
    legal : uint8[n]; by the blank's cell, the moves within the window (bit m for move m)
    misplaced : int64 array; initially misplaced cells: the blank must visit those that still are
    goal_blank : int; the blank's goal cell
    threshold : int; in moves, with the parity of all solutions
    budget : int; nodes to generate before the call returns
    path, untried : uint8[threshold + 1], changed in place; by depth, the move and the untried moves
    conflicts : int64[rows + columns], changed in place; linear conflicts by line, rows first
    tails : int64 array, as long as the longer side; scratch
    state : int64[STATE_SIZE], changed in place; all counts are initially 0

    Returns
    -------
    int; `FOUND` (the path's first ``state[DEPTH]`` moves), `EXHAUSTED` (there is none), or
        `OUT_OF_BUDGET`: call again with the same arrays
    """
    width = columns[columns.size - 1] + 1
    height = rows[rows.size - 1] + 1
    blank = state[BLANK]
    distance = state[DISTANCE]
    conflict_moves = state[CONFLICTS]
    depth = state[DEPTH]
    generated = 0
    expanded = 0
    status = EXHAUSTED
    if depth == 0 and state[GENERATED] == 0:
        untried[0] = legal[INDEX(blank)]
    while True:
        level = INDEX(depth)
        moves = np.int64(untried[level])
        if moves == 0:
            if depth == 0:
                break
            depth -= 1
            level = INDEX(depth)
            move = np.int64(path[level])
            step = width if move < 2 else 1
            previous = blank - step if move & 1 == 0 else blank + step
            cells[INDEX(blank)] = cells[INDEX(previous)]
            blank = previous
            distance = saved[level, _DISTANCE]
            conflict_moves = saved[level, _CONFLICTS]
            conflicts[INDEX(saved[level, _LINE])] = saved[level, _OLD]
            continue
        if generated >= budget:
            status = OUT_OF_BUDGET
            break
        move = LOWEST_MOVE[INDEX(moves)]
        untried[level] = moves & (moves - 1)
        generated += 1
        step = width if move < 2 else 1
        after = blank + step if move & 1 == 0 else blank - step
        goal = cells[INDEX(after)]
        # The tile moves between parallel lines, of which at most one is its goal line.
        if move < 2:
            source = rows[INDEX(after)]
            target = rows[INDEX(blank)]
            home = rows[INDEX(goal)]
        else:
            source = columns[INDEX(after)]
            target = columns[INDEX(blank)]
            home = columns[INDEX(goal)]
        new_distance = distance + (1 if abs(target - home) > abs(source - home) else -1)
        left = threshold - depth - 1
        changed = home in (source, target)
        # A line's conflicts decrease by at most two when a tile enters or leaves it.
        if new_distance + conflict_moves - (2 if changed else 0) > left:
            continue
        cells[INDEX(blank)] = goal
        line = home if move < 2 else height + home
        old = conflicts[INDEX(line)]
        new = old
        if changed:
            if move < 2:
                new = count_conflicts(
                    tile_on, cells, after, rows, columns, home, home * width, 1, width, tails
                )
            else:
                new = count_conflicts(
                    tile_on, cells, after, columns, rows, home, home, width, height, tails
                )
        # The blank's new cell counts as misplaced unless it is its goal cell.
        cells[INDEX(after)] = goal_blank
        if new_distance + conflict_moves + new - old > left or _is_beyond_reach(
            cells, misplaced, after, goal_blank, rows, columns, left
        ):
            cells[INDEX(after)] = goal
            continue
        saved[level, _DISTANCE] = distance
        saved[level, _CONFLICTS] = conflict_moves
        saved[level, _LINE] = line
        saved[level, _OLD] = old
        conflicts[INDEX(line)] = new
        distance = new_distance
        conflict_moves += new - old
        blank = after
        path[level] = move
        depth += 1
        expanded += 1
        if distance == 0:
            status = FOUND
            break
        untried[INDEX(depth)] = np.int64(legal[INDEX(blank)]) & ~(1 << (move ^ 1))
    state[DEPTH] = depth
    state[GENERATED] += generated
    state[EXPANDED] += expanded
    state[BLANK] = blank
    state[DISTANCE] = distance
    state[CONFLICTS] = conflict_moves
    return status
