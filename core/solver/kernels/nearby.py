"""Depth-first search of a window of a large board, under a threshold on its path's length.

A window's cells hold, instead of a tile's number, the cell where the tile belongs; so a tile is in
place where a cell holds its own number, and no table of goals is needed. The search keeps its
state in the caller's arrays and goes on from there at the next call.
"""

from __future__ import annotations

import numpy as np
from numba import int64

from core.compiling import kernel, part
from core.solver.kernels.array_types import OPEN_BYTES, OPEN_TABLE, OPEN_WORDS, WORDS
from core.solver.kernels.constants import EXHAUSTED, FOUND, INDEX, LOWEST_MOVE, OUT_OF_BUDGET

# Places in the ``state`` array: moves made, nodes generated and expanded in all, the blank's cell,
# the tiles' distances, and what linear conflicts add.
DEPTH, GENERATED, EXPANDED, BLANK, DISTANCE, CONFLICTS = range(6)
STATE_SIZE = 6

# Columns of ``saved``: by depth, what the move from there changed.
_DISTANCE, _CONFLICTS, _LINE, _OLD = range(4)
SAVED_SIZE = 4


@part
def _excess(cells, blank, width, upright, line, length, tails):
    """Moves that the tiles of a line need beyond their distances.

    Twice the fewest that must leave the line to let the others pass: all but the longest run in
    rising order (patience sorting), which is quick where most tiles are in place.
    """
    first = line if upright else line * width
    stride = width if upright else 1
    home = 0
    longest = 0
    for place in range(length):
        cell = first + place * stride
        goal = cells[INDEX(cell)]
        if cell == blank:
            continue
        if upright:
            if goal % width != line:
                continue
        elif goal // width != line:
            continue
        home += 1
        low = longest
        while low > 0 and tails[INDEX(low - 1)] > goal:
            low -= 1
        tails[INDEX(low)] = goal
        if low == longest:
            longest += 1
    return 2 * (home - longest)


@kernel(int64(WORDS, int64, OPEN_WORDS, OPEN_WORDS, OPEN_WORDS))
def begin_nearby(cells, width, conflicts, tails, state):
    """Estimate a window whose blank is at ``state[BLANK]``, and fill in what the search keeps.

    Parameters
    ----------
    cells, width, conflicts, tails, state
        As in `search_nearby`; of ``state`` only the blank's cell is set.

    Returns
    -------
    int
        A lower bound on the moves: distances and linear conflicts.
    """
    height = cells.size // width
    blank = state[BLANK]
    distance = 0
    for cell in range(cells.size):
        if cell != blank:
            goal = cells[cell]
            distance += abs(goal // width - cell // width) + abs(goal % width - cell % width)
    excess = 0
    for line in range(height + width):
        upright = line >= height
        conflicts[line] = _excess(
            cells,
            blank,
            width,
            upright,
            line - height if upright else line,
            height if upright else width,
            tails,
        )
        excess += conflicts[line]
    state[DISTANCE] = distance
    state[CONFLICTS] = excess
    return distance + excess


@part
def _legal(blank, width, height, last):
    """The moves of a blank (bit m for move m) that stay in the window and undo not the last."""
    moves = 0
    row = blank // width
    column = blank - row * width
    if row + 1 < height:
        moves |= 1
    if row > 0:
        moves |= 2
    if column + 1 < width:
        moves |= 4
    if column > 0:
        moves |= 8
    if last >= 0:
        moves &= ~(1 << (last ^ 1))
    return moves


@part
def _is_beyond_reach(cells, off, blank, goal_blank, width, left):
    """Whether the blank cannot go by any cell out of order and to its goal in the moves left."""
    row = blank // width
    column = blank - row * width
    goal_row = goal_blank // width
    goal_column = goal_blank - goal_row * width
    if abs(row - goal_row) + abs(column - goal_column) > left:
        return True
    for cell in off:
        if cells[INDEX(cell)] == cell:
            continue
        its_row = cell // width
        its_column = cell - its_row * width
        way = abs(row - its_row) + abs(column - its_column)
        if way + abs(its_row - goal_row) + abs(its_column - goal_column) > left:
            return True
    return False


@kernel(
    int64(
        OPEN_WORDS, int64, WORDS, int64, int64, int64,
        OPEN_BYTES, OPEN_BYTES, OPEN_TABLE, OPEN_WORDS, OPEN_WORDS, OPEN_WORDS,
    )
)  # fmt: skip
def search_nearby(
    cells, width, off, goal_blank, threshold, budget, path, untried, saved, conflicts, tails, state
):
    """Search for a path to the goal of at most ``threshold`` moves, about ``budget`` nodes more.

    Parameters
    ----------
    cells : int64 array, shape (n,), changed in place
        By cell of the window, where its tile belongs; on the blank's cell any number.
    width : int
        Columns of the window.
    off : int64 array
        Cells that were out of order at first: the blank must go by those that still are.
    goal_blank : int
        Where the blank belongs.
    threshold : int
        In moves; of the parity of all solutions.
    budget : int
        Nodes to generate before the call returns.
    path, untried : uint8 arrays, shape (threshold + 1,), changed in place
        By depth the move made, and the set of those that are still to be tried.
    saved : int64 array, shape (threshold + 1, SAVED_SIZE), changed in place
    conflicts : int64 array, shape (rows + columns,), changed in place
        By line, rows first, what linear conflicts add.
    tails : int64 array, as long as the longer side
        Scratch.
    state : int64 array, shape (STATE_SIZE,), changed in place
        All counts 0 at first, the rest set by `begin_nearby`.

    Returns
    -------
    int
        `FOUND` (the path's first ``state[DEPTH]`` moves), `EXHAUSTED` (there is none), or
        `OUT_OF_BUDGET`: call again with the same arrays.
    """
    height = cells.size // width
    blank = state[BLANK]
    distance = state[DISTANCE]
    excess = state[CONFLICTS]
    depth = state[DEPTH]
    generated = 0
    expanded = 0
    status = EXHAUSTED
    if depth == 0 and state[GENERATED] == 0:
        untried[0] = _legal(blank, width, height, -1)
    while True:
        at = INDEX(depth)
        moves = np.int64(untried[at])
        if moves == 0:
            if depth == 0:
                break
            depth -= 1
            at = INDEX(depth)
            move = np.int64(path[at])
            step = width if move < 2 else 1
            before = blank - step if move & 1 == 0 else blank + step
            cells[INDEX(blank)] = cells[INDEX(before)]
            blank = before
            distance = saved[at, _DISTANCE]
            excess = saved[at, _CONFLICTS]
            conflicts[INDEX(saved[at, _LINE])] = saved[at, _OLD]
            continue
        if generated >= budget:
            status = OUT_OF_BUDGET
            break
        move = LOWEST_MOVE[INDEX(moves)]
        untried[at] = moves & (moves - 1)
        generated += 1
        step = width if move < 2 else 1
        after = blank + step if move & 1 == 0 else blank - step
        goal = cells[INDEX(after)]
        # The tile slides from one parallel line to the next; only one of them can be its own.
        if move < 2:
            source = after // width
            target = blank // width
            home = goal // width
        else:
            source = after % width
            target = blank % width
            home = goal % width
        new_distance = distance + (1 if abs(target - home) > abs(source - home) else -1)
        left = threshold - depth - 1
        changed = home in (source, target)
        # A line's conflicts fall by two at most when a tile enters or leaves it.
        if new_distance + excess - (2 if changed else 0) > left:
            continue
        cells[INDEX(blank)] = goal
        line = home if move < 2 else height + home
        old = conflicts[INDEX(line)]
        new = old
        if changed:
            new = _excess(
                cells, after, width, move >= 2, home, height if move >= 2 else width, tails
            )
        # The cell that the blank comes to counts as out of order only where it is not its own.
        cells[INDEX(after)] = goal_blank
        if new_distance + excess + new - old > left or _is_beyond_reach(
            cells, off, after, goal_blank, width, left
        ):
            cells[INDEX(after)] = goal
            continue
        saved[at, _DISTANCE] = distance
        saved[at, _CONFLICTS] = excess
        saved[at, _LINE] = line
        saved[at, _OLD] = old
        conflicts[INDEX(line)] = new
        distance = new_distance
        excess += new - old
        blank = after
        path[at] = move
        depth += 1
        expanded += 1
        if distance == 0:
            status = FOUND
            break
        untried[INDEX(depth)] = _legal(blank, width, height, move)
    state[DEPTH] = depth
    state[GENERATED] += generated
    state[EXPANDED] += expanded
    state[BLANK] = blank
    state[DISTANCE] = distance
    state[CONFLICTS] = excess
    return status
