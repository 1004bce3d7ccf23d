"""Depth-first search with additive pattern databases in two views, indexed by the tiles' cells.

Both sums are read from one flat array of entries, through two *views*. A view has, for each tile,
its pattern and the changes of the pattern's index when the tile slides, so it can rotate or reflect
the board at no cost. The estimate is the larger sum. A node stores a word for each pattern: its
index, with the entry in the low byte.
"""

import numpy as np

from tilework.core.compiling import inner_loop_subroutine, kernel, types
from tilework.core.solver.kernels.constants import BYTES, TABLE, TABLES
from tilework.core.solver.kernels.depth_first.rows import (
    BYTE,
    CHILD_COLUMNS,
    FIRST,
    FOURTH,
    LOW_HALF,
    MOVE,
    REPLAY_ARGUMENTS,
    SEARCH_ARGUMENTS,
    SECOND,
    STATE_WORDS,
    SUMS,
    THIRD,
    TILE,
    WORD,
    replay_path,
)
from tilework.core.solver.kernels.depth_first.search import BATCH, search_stack
from tilework.core.solver.kernels.instructions import prefetch


@inner_loop_subroutine
def _request(tables, batch, parent, child, i):
    """Prefetch the entries of both views, because the first one seldom suffices to prune."""
    entries, slots, steps = tables
    tile = child[i, TILE]
    move = child[i, MOVE]
    for view in range(2):
        word = batch[parent, WORD(STATE_WORDS) + WORD(slots[WORD(view), tile])]
        index = WORD(np.int64(word >> WORD(8)) + steps[WORD(view), tile, move])
        prefetch(entries, index)
        child[i, WORD(FIRST + view)] = index


@inner_loop_subroutine
def _first_bound(tables, batch, parent, child, i, child_row, room):
    entries, slots, _ = tables
    tile = child[i, TILE]
    first_index = child[i, FIRST]
    second_index = child[i, SECOND]
    first_entry = WORD(entries[first_index])
    sums = batch[parent, SUMS]
    first_slot = WORD(STATE_WORDS) + WORD(slots[WORD(0), tile])
    first = (sums & LOW_HALF) - (batch[parent, first_slot] & BYTE) + first_entry
    if np.int64(first) > room:
        return np.int64(first)
    second_entry = WORD(entries[second_index])
    second_slot = WORD(STATE_WORDS) + WORD(slots[WORD(1), tile])
    second = (sums >> WORD(32)) - (batch[parent, second_slot] & BYTE) + second_entry
    child[child_row, FIRST] = first_index << WORD(8) | first_entry
    child[child_row, SECOND] = second_index << WORD(8) | second_entry
    child[child_row, THIRD] = first | second << WORD(32)
    child[child_row, FOURTH] = max(first, second)
    return np.int64(max(first, second))


@inner_loop_subroutine
def _evaluate(_tables, _batch, _parent, child, i):
    return np.int64(child[i, FOURTH]), child[i, THIRD]


@inner_loop_subroutine
def _store(tables, _batch, _parent, child, i, sums, rows, row):
    _, slots, _ = tables
    tile = child[i, TILE]
    rows[row, WORD(STATE_WORDS) + WORD(slots[WORD(0), tile])] = child[i, FIRST]
    rows[row, WORD(STATE_WORDS) + WORD(slots[WORD(1), tile])] = child[i, SECOND]
    rows[row, SUMS] = sums


@kernel(types.int64(BYTES, TABLE, TABLES, *SEARCH_ARGUMENTS))
def search_digits(
    entries, slots, steps,
    columns, shifts, mask, path_column, move_steps, next_states, allowed_moves,
    threshold, budget, cut_depth, stack, roots, estimates, nodes, report,
):  # fmt: skip
    """See `tilework.core.solver.kernels.depth_first.search.search_stack`.

    Parameters
    ----------
    entries : uint8 array; the pattern databases, one after another
    slots : int64[2, cells]; by view and tile, the number of the tile's pattern
    steps : int64[2, cells, 4]; by view, tile and move, the change of the pattern's index
    """
    batch = np.empty((BATCH, stack.shape[1]), dtype=np.uint64)
    child = np.empty((4 * BATCH, CHILD_COLUMNS), dtype=np.uint64)
    return search_stack(
        _request, _first_bound, _evaluate, _store, (entries, slots, steps),
        columns, shifts, mask, path_column, move_steps, next_states, allowed_moves,
        threshold, budget, cut_depth, stack, roots, estimates, nodes, report, batch, child,
        stack.shape[1],
    )  # fmt: skip


@kernel(types.int64(BYTES, TABLE, TABLES, *REPLAY_ARGUMENTS))
def replay_digits(
    entries, slots, steps,
    columns, shifts, mask, path_column, move_steps, next_states, allowed_moves,
    roots, path, rows, estimates,
):  # fmt: skip
    """See `tilework.core.solver.kernels.depth_first.rows.replay_path`."""
    return replay_path(
        _request, _first_bound, _evaluate, _store, (entries, slots, steps),
        columns, shifts, mask, path_column, move_steps, next_states, allowed_moves,
        roots, path, rows, estimates,
    )  # fmt: skip
