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
    OUT_OF_BUDGET,
    WORDS,
    WRITABLE_BYTES,
    WRITABLE_TABLE,
    WRITABLE_WORDS,
)
from tilework.core.solver.kernels.line_conflicts import count_conflicts, get_tile

# Indices in the ``state`` array: length of the path, nodes generated and expanded so far, the
# blank's cell, the Manhattan distance, and the linear conflicts.
DEPTH, GENERATED, EXPANDED, BLANK, DISTANCE, CONFLICTS = range(6)
STATE_SIZE = 6

# Columns of ``undo_values``: values before the move at each depth.
_DISTANCE, _CONFLICTS, _LINE, _LINE_CONFLICTS = range(4)
UNDO_SIZE = 4


@subroutine
def _is_beyond_reach(cells, misplaced, blank, goal_blank, rows, columns, moves_left):
    """Whether the blank has too few moves left to visit a misplaced cell and reach its goal."""
    row = rows[INDEX(blank)]
    column = columns[INDEX(blank)]
    goal_row = rows[INDEX(goal_blank)]
    goal_column = columns[INDEX(goal_blank)]
    if abs(row - goal_row) + abs(column - goal_column) > moves_left:
        return True
    for cell in misplaced:
        if cells[INDEX(cell)] == cell:
            continue
        cell_row = rows[INDEX(cell)]
        cell_column = columns[INDEX(cell)]
        steps = abs(row - cell_row) + abs(column - cell_column)
        if steps + abs(cell_row - goal_row) + abs(cell_column - goal_column) > moves_left:
            return True
    return False


@kernel(
    int64(
        WRITABLE_WORDS, WORDS, WORDS, BYTES, WORDS, int64, int64, int64,
        WRITABLE_BYTES, WRITABLE_BYTES, WRITABLE_TABLE, WRITABLE_WORDS, WRITABLE_WORDS,
        WRITABLE_WORDS,
    )
)  # fmt: skip
def search_nearby(
    cells, rows, columns, legal, misplaced, goal_blank, threshold, budget,
    path, untried, undo_values, conflicts, tails, state,
):  # fmt: skip
    """Search for a path to the goal of at most ``threshold`` moves, for about ``budget`` nodes.

    Parameters
    ----------
    cells : int64[n], changed in place
        The goal cell of the tile on each cell of the window; any number for the blank's cell.
    rows, columns : int64[n]; of the window's cells
    legal : uint8[n]; by the blank's cell, the moves within the window (bit m for move m)
    misplaced : int64 array; initially misplaced cells; the blank must visit those that still are
    goal_blank : int; the blank's goal cell
    threshold : int; in moves, with the parity of the solutions
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
            distance = undo_values[level, _DISTANCE]
            conflict_moves = undo_values[level, _CONFLICTS]
            conflicts[INDEX(undo_values[level, _LINE])] = undo_values[level, _LINE_CONFLICTS]
            continue
        if generated >= budget:
            status = OUT_OF_BUDGET
            break
        move = LOWEST_MOVE[INDEX(moves)]
        untried[level] = moves & (moves - 1)
        generated += 1
        step = width if move < 2 else 1
        next_blank = blank + step if move & 1 == 0 else blank - step
        goal = cells[INDEX(next_blank)]
        # The tile moves between parallel lines, of which at most one is its goal line.
        if move < 2:
            source = rows[INDEX(next_blank)]
            target = rows[INDEX(blank)]
            home = rows[INDEX(goal)]
        else:
            source = columns[INDEX(next_blank)]
            target = columns[INDEX(blank)]
            home = columns[INDEX(goal)]
        new_distance = distance + (1 if abs(target - home) > abs(source - home) else -1)
        moves_left = threshold - depth - 1
        has_changed = home in (source, target)
        # A line's conflicts decrease by at most two when a tile enters or leaves it.
        if new_distance + conflict_moves - (2 if has_changed else 0) > moves_left:
            continue
        cells[INDEX(blank)] = goal
        line = home if move < 2 else height + home
        old_conflicts = conflicts[INDEX(line)]
        new_conflicts = old_conflicts
        if has_changed:
            if move < 2:
                new_conflicts = count_conflicts(
                    get_tile, cells, next_blank, rows, columns, home, home * width, 1, width, tails
                )
            else:
                new_conflicts = count_conflicts(
                    get_tile, cells, next_blank, columns, rows, home, home, width, height, tails
                )
        # The blank's new cell counts as misplaced unless it is its goal cell.
        cells[INDEX(next_blank)] = goal_blank
        if (
            new_distance + conflict_moves + new_conflicts - old_conflicts > moves_left
            or _is_beyond_reach(cells, misplaced, next_blank, goal_blank, rows, columns, moves_left)
        ):
            cells[INDEX(next_blank)] = goal
            continue
        undo_values[level, _DISTANCE] = distance
        undo_values[level, _CONFLICTS] = conflict_moves
        undo_values[level, _LINE] = line
        undo_values[level, _LINE_CONFLICTS] = old_conflicts
        conflicts[INDEX(line)] = new_conflicts
        distance = new_distance
        conflict_moves += new_conflicts - old_conflicts
        blank = next_blank
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
