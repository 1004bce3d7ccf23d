"""Depth-first search with Manhattan distance and linear conflicts.

It needs no pattern database and supports any goal. Both parts are updated incrementally: a move
changes one tile's distance, and the conflicts of at most one line, because a tile that slides along
a line passes no other tile. A node stores the conflicts of each line, one byte each, rows first.
"""

import numpy as np

from tilework.core.compiling import inner_loop_subroutine, kernel, types
from tilework.core.solver.kernels.constants import WORDS
from tilework.core.solver.kernels.depth_first.search import (
    BATCH,
    BLANK,
    BYTE,
    CHILD_COLUMNS,
    FIRST,
    LOW_HALF,
    MOVE,
    REPLAY_ARGUMENTS,
    SEARCH_ARGUMENTS,
    SECOND,
    SOURCE,
    STATE_WORDS,
    SUMS,
    THIRD,
    TILE,
    WORD,
    get_tile,
    replay_path,
    search_stack,
)
from tilework.core.solver.kernels.line_conflicts import count_conflicts


@inner_loop_subroutine
def _get_tile_after_move(board, cell):
    """Return the tile on a cell after a child's move, for `count_conflicts`."""
    batch, parent, columns, shifts, mask, tile, blank = board
    if cell == np.int64(blank):
        return tile
    return get_tile(batch, parent, WORD(cell), columns, shifts, mask)


@inner_loop_subroutine
def _request(_tables, _batch, _parent, _child, _i):
    """Do nothing, because there is no table to prefetch."""


@inner_loop_subroutine
def _first_bound(tables, batch, parent, child, i, child_row, room):
    goal_rows, goal_columns, columns, shifts, mask, move_steps, tails = tables
    width = move_steps[0]
    height = np.int64(columns.size) // width
    tile = child[i, TILE]
    blank = np.int64(child[i, BLANK])
    source = np.int64(child[i, SOURCE])
    # The tile moves between parallel lines, of which at most one is its goal line.
    if child[i, MOVE] < WORD(2):
        line = 0
        target_line = blank // width
        source_line = source // width
        home = goal_rows[tile]
    else:
        line = height
        target_line = blank % width
        source_line = source % width
        home = goal_columns[tile]
    sums = batch[parent, SUMS]
    nearer = abs(target_line - home) < abs(source_line - home)
    distance = np.int64(sums & LOW_HALF) + (-1 if nearer else 1)
    conflicts = np.int64(sums >> WORD(32))
    line += home
    word = WORD(STATE_WORDS) + WORD(line) // WORD(8)
    shift = WORD(8) * (WORD(line) % WORD(8))
    if home in (source_line, target_line):
        # A line's conflicts decrease by at most two when a tile enters or leaves it.
        if distance + conflicts - 2 > room:
            return distance + conflicts - 2
        board = (batch, parent, columns, shifts, mask, tile, child[i, BLANK])
        if line < height:
            new_conflicts = count_conflicts(
                _get_tile_after_move, board, source, goal_rows, goal_columns,
                home, home * width, 1, width, tails,
            )  # fmt: skip
        else:
            new_conflicts = count_conflicts(
                _get_tile_after_move, board, source, goal_columns, goal_rows,
                home, home, width, height, tails,
            )  # fmt: skip
        old_conflicts = np.int64((batch[parent, word] >> shift) & BYTE)
        conflicts += new_conflicts - old_conflicts
    else:
        new_conflicts = np.int64((batch[parent, word] >> shift) & BYTE)
    child[child_row, FIRST] = WORD(distance) | WORD(conflicts) << WORD(32)
    child[child_row, SECOND] = word
    other_lines = batch[parent, word] & ~(BYTE << shift)
    child[child_row, THIRD] = other_lines | WORD(new_conflicts) << shift
    return distance + conflicts


@inner_loop_subroutine
def _evaluate(_tables, _batch, _parent, child, i):
    sums = child[i, FIRST]
    return np.int64((sums & LOW_HALF) + (sums >> WORD(32))), sums


@inner_loop_subroutine
def _store(_tables, _batch, _parent, child, i, sums, rows, row):
    rows[row, child[i, SECOND]] = child[i, THIRD]
    rows[row, SUMS] = sums


@kernel(types.int64(WORDS, WORDS, *SEARCH_ARGUMENTS))
def search_lines(
    goal_rows, goal_columns,
    columns, shifts, mask, path_column, move_steps, transitions,
    threshold, budget, cut_depth, stack, roots, estimates, nodes, report,
):  # fmt: skip
    """See `tilework.core.solver.kernels.depth_first.search.search_stack`.

    Parameters
    ----------
    goal_rows, goal_columns : int64[cells]; by tile
    """
    tails = np.empty(columns.size, dtype=np.int64)
    batch = np.empty((BATCH, stack.shape[1]), dtype=np.uint64)
    child = np.empty((4 * BATCH, CHILD_COLUMNS), dtype=np.uint64)
    return search_stack(
        _request, _first_bound, _evaluate, _store,
        (goal_rows, goal_columns, columns, shifts, mask, move_steps, tails),
        columns, shifts, mask, path_column, move_steps, transitions,
        threshold, budget, cut_depth, stack, roots, estimates, nodes, report, batch, child,
        stack.shape[1],
    )  # fmt: skip


@kernel(types.int64(WORDS, WORDS, *REPLAY_ARGUMENTS))
def replay_lines(
    goal_rows, goal_columns,
    columns, shifts, mask, path_column, move_steps, transitions,
    roots, path, rows, estimates,
):  # fmt: skip
    """See `tilework.core.solver.kernels.depth_first.search.replay_path`."""
    tails = np.empty(columns.size, dtype=np.int64)
    return replay_path(
        _request, _first_bound, _evaluate, _store,
        (goal_rows, goal_columns, columns, shifts, mask, move_steps, tails),
        columns, shifts, mask, path_column, move_steps, transitions,
        roots, path, rows, estimates,
    )  # fmt: skip
