"""Depth-first search with Manhattan distance and linear conflicts.

Needs no pattern database and takes any goal. Both parts are kept up move by move: a slide changes
one tile's distance, and the conflicts of one line at most, because a tile that slides along a line
passes no other tile of it. A node keeps the conflicts of each line, a byte each, rows first.
"""

import numpy as np

from tilework.core.compiling import inner_loop_subroutine, kernel, types
from tilework.core.solver.kernels.constants import WORDS
from tilework.core.solver.kernels.depth_first.rows import (
    BLANK,
    BYTE,
    CHILD_COLUMNS,
    FIRST,
    LOW_HALF,
    MOVE,
    REPLAYED,
    SEARCHED,
    SECOND,
    SOURCE,
    STATE_WORDS,
    SUMS,
    THIRD,
    TILE,
    WORD,
    replay_path,
    tile_at,
)
from tilework.core.solver.kernels.depth_first.search import BATCH, search_stack
from tilework.core.solver.kernels.line_conflicts import conflicts_of


@inner_loop_subroutine
def _tile_after(board, cell):
    """The tile on a cell once a child's move is made: a reader for `conflicts_of`."""
    taken, parent, columns, shifts, mask, tile, blank = board
    if cell == np.int64(blank):
        return tile
    return tile_at(taken, parent, WORD(cell), columns, shifts, mask)


@inner_loop_subroutine
def _propose(_tables, _taken, _parent, _child, _one):
    """There is no table to ask."""


@inner_loop_subroutine
def _narrow(tables, taken, parent, child, one, kept, room):
    goal_rows, goal_columns, columns, shifts, mask, ways, tails = tables
    width = ways[0]
    height = np.int64(columns.size) // width
    tile = child[one, TILE]
    blank = np.int64(child[one, BLANK])
    source = np.int64(child[one, SOURCE])
    # The tile slides from one parallel line to the next; only one of them can be its own.
    if child[one, MOVE] < WORD(2):
        line = 0
        target_line = blank // width
        source_line = source // width
        home = goal_rows[tile]
    else:
        line = height
        target_line = blank % width
        source_line = source % width
        home = goal_columns[tile]
    sums = taken[parent, SUMS]
    nearer = abs(target_line - home) < abs(source_line - home)
    distance = np.int64(sums & LOW_HALF) + (-1 if nearer else 1)
    conflicts = np.int64(sums >> WORD(32))
    line += home
    word = WORD(STATE_WORDS) + WORD(line) // WORD(8)
    shift = WORD(8) * (WORD(line) % WORD(8))
    if home in (source_line, target_line):
        # A line's conflicts fall by two at most when a tile enters or leaves it.
        if distance + conflicts - 2 > room:
            return distance + conflicts - 2
        board = (taken, parent, columns, shifts, mask, tile, child[one, BLANK])
        if line < height:
            new = conflicts_of(
                _tile_after, board, source, goal_rows, goal_columns,
                home, home * width, 1, width, tails,
            )  # fmt: skip
        else:
            new = conflicts_of(
                _tile_after, board, source, goal_columns, goal_rows,
                home, home, width, height, tails,
            )  # fmt: skip
        old = np.int64((taken[parent, word] >> shift) & BYTE)
        conflicts += new - old
    else:
        new = np.int64((taken[parent, word] >> shift) & BYTE)
    child[kept, FIRST] = WORD(distance) | WORD(conflicts) << WORD(32)
    child[kept, SECOND] = word
    child[kept, THIRD] = (taken[parent, word] & ~(BYTE << shift)) | WORD(new) << shift
    return distance + conflicts


@inner_loop_subroutine
def _weigh(_tables, _taken, _parent, child, one):
    sums = child[one, FIRST]
    return np.int64((sums & LOW_HALF) + (sums >> WORD(32))), sums


@inner_loop_subroutine
def _keep(_tables, _taken, _parent, child, one, found, rows, row):
    rows[row, child[one, SECOND]] = child[one, THIRD]
    rows[row, SUMS] = found


@kernel(types.int64(WORDS, WORDS, *SEARCHED))
def search_lines(
    goal_rows, goal_columns,
    columns, shifts, mask, path_at, ways, following, allowed,
    threshold, budget, cut, stack, roots, estimates, nodes, report,
):  # fmt: skip
    """Search as `tilework.core.solver.kernels.depth_first.search.search_stack` says.

    Parameters
    ----------
    goal_rows, goal_columns : int64 arrays, shape (cells,); by tile, where it belongs
    """
    tails = np.empty(columns.size, dtype=np.int64)
    taken = np.empty((BATCH, stack.shape[1]), dtype=np.uint64)
    child = np.empty((4 * BATCH, CHILD_COLUMNS), dtype=np.uint64)
    return search_stack(
        _propose, _narrow, _weigh, _keep,
        (goal_rows, goal_columns, columns, shifts, mask, ways, tails),
        columns, shifts, mask, path_at, ways, following, allowed,
        threshold, budget, cut, stack, roots, estimates, nodes, report, taken, child,
        stack.shape[1],
    )  # fmt: skip


@kernel(types.int64(WORDS, WORDS, *REPLAYED))
def replay_lines(
    goal_rows, goal_columns,
    columns, shifts, mask, path_at, ways, following, allowed, roots, path, rows, estimates,
):  # fmt: skip
    """Go along a path as `tilework.core.solver.kernels.depth_first.rows.replay_path` says."""
    tails = np.empty(columns.size, dtype=np.int64)
    return replay_path(
        _propose, _narrow, _weigh, _keep,
        (goal_rows, goal_columns, columns, shifts, mask, ways, tails),
        columns, shifts, mask, path_at, ways, following, allowed, roots, path, rows, estimates,
    )  # fmt: skip
