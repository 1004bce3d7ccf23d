"""Depth-first search with additive pattern databases in two views, indexed by the tiles' cells.

Both sums are read from one flat array of entries, through two *views*. A view has, for each tile,
its pattern and the changes of the pattern's index when the tile slides, so it can rotate or reflect
the board at no cost. The estimate is the larger sum. A node stores a word for each pattern: its
distance in the low byte, its index, and, if entries have flags for the blank's region, its cells.
"""

import numpy as np

from tilework.core.compiling import inner_loop_subroutine, kernel, types
from tilework.core.solver.kernels.constants import (
    BYTES,
    SMALL_FLAG_BIT,
    TABLE,
    TABLES,
)
from tilework.core.solver.kernels.depth_first.search import (
    BATCH,
    BLANK,
    BYTE,
    CHILD_COLUMNS,
    FIRST,
    FOURTH,
    LOW_HALF,
    MOVE,
    ONE,
    REPLAY_ARGUMENTS,
    SEARCH_ARGUMENTS,
    SECOND,
    SOURCE,
    STATE_WORDS,
    SUMS,
    THIRD,
    TILE,
    WORD,
    replay_path,
    search_stack,
)
from tilework.core.solver.kernels.instructions import prefetch

# First bits of a pattern's word after its entry: its index, and its cells if entries have flags
INDEX_BIT, CELLS_BIT = 8, 38
INDEX_MASK = (1 << CELLS_BIT - INDEX_BIT) - 1

MASKS = types.Array(types.uint64, 1, "C")

_USUAL_WIDTH = 17  # of rows of 24-puzzles whose goal has the blank in a corner


@inner_loop_subroutine
def _request(tables, batch, parent, child, i):
    """Prefetch the entries of both views, because the first one seldom suffices to prune."""
    entries, slots, steps, _, _ = tables
    tile = child[i, TILE]
    move = child[i, MOVE]
    for view in range(2):
        word = batch[parent, WORD(STATE_WORDS) + WORD(slots[WORD(view), tile])]
        index = word >> WORD(INDEX_BIT) & WORD(INDEX_MASK)
        index = WORD(np.int64(index) + steps[WORD(view), tile, move])
        prefetch(entries, index)
        child[i, WORD(FIRST + view)] = index


@inner_loop_subroutine
def _make_word(adjacent, word, child, i, index, entry, distance):
    """Return the word of a pattern after its tile has moved."""
    if adjacent.size == 0:
        return index << WORD(INDEX_BIT) | distance
    blank = child[i, SOURCE]
    occupied = (word >> WORD(CELLS_BIT)) ^ (ONE << blank | ONE << child[i, BLANK])
    is_large = WORD(adjacent[blank] & ~occupied != 0)
    distance += (entry >> (WORD(SMALL_FLAG_BIT) + is_large) & ONE) << ONE
    return occupied << WORD(CELLS_BIT) | index << WORD(INDEX_BIT) | distance


@inner_loop_subroutine
def _first_bound(tables, batch, parent, child, i, child_row, room):
    """Consider the region of the blank only if the distances do not prune the child."""
    entries, slots, _, distance_mask, adjacent = tables
    tile = child[i, TILE]
    first_index = child[i, FIRST]
    second_index = child[i, SECOND]
    sums = batch[parent, SUMS]
    first_word = batch[parent, WORD(STATE_WORDS) + WORD(slots[WORD(0), tile])]
    first_entry = WORD(entries[first_index])
    first_rest = (sums & LOW_HALF) - (first_word & BYTE)
    first_distance = first_entry & WORD(distance_mask)
    first = first_rest + first_distance
    if np.int64(first) > room:
        return np.int64(first)
    second_word = batch[parent, WORD(STATE_WORDS) + WORD(slots[WORD(1), tile])]
    second_entry = WORD(entries[second_index])
    second_rest = (sums >> WORD(32)) - (second_word & BYTE)
    second_distance = second_entry & WORD(distance_mask)
    second = second_rest + second_distance
    if np.int64(second) > room:
        return np.int64(second)
    first_word = _make_word(
        adjacent, first_word, child, i, first_index, first_entry, first_distance
    )
    second_word = _make_word(
        adjacent, second_word, child, i, second_index, second_entry, second_distance
    )
    first = first_rest + (first_word & BYTE)
    second = second_rest + (second_word & BYTE)
    child[child_row, FIRST] = first_word
    child[child_row, SECOND] = second_word
    child[child_row, THIRD] = first | second << WORD(32)
    child[child_row, FOURTH] = max(first, second)
    return np.int64(max(first, second))


@inner_loop_subroutine
def _evaluate(_tables, _batch, _parent, child, i):
    return np.int64(child[i, FOURTH]), child[i, THIRD]


@inner_loop_subroutine
def _store(tables, _batch, _parent, child, i, sums, rows, row):
    slots = tables[1]
    tile = child[i, TILE]
    rows[row, WORD(STATE_WORDS) + WORD(slots[WORD(0), tile])] = child[i, FIRST]
    rows[row, WORD(STATE_WORDS) + WORD(slots[WORD(1), tile])] = child[i, SECOND]
    rows[row, SUMS] = sums


@kernel(types.int64(BYTES, TABLE, TABLES, types.int64, MASKS, *SEARCH_ARGUMENTS))
def search_digits(
    entries, slots, steps, distance_mask, adjacent,
    columns, shifts, mask, path_column, move_steps, transitions,
    threshold, budget, cut_depth, stack, roots, estimates, nodes, report,
):  # fmt: skip
    """See `tilework.core.solver.kernels.depth_first.search.search_stack`.

    Parameters
    ----------
    entries : uint8 array; the pattern databases, one after another
    slots : int64[2, cells]; by view and tile, the number of the tile's pattern
    steps : int64[2, cells, 4]; by view, tile and move, the change of the pattern's index
    distance_mask : int; the bits of an entry that are its distance
    adjacent : uint64[cells]; by cell, those next to it, or empty to ignore the flags of entries
    """
    batch = np.empty((BATCH, stack.shape[1]), dtype=np.uint64)
    child = np.empty((4 * BATCH, CHILD_COLUMNS), dtype=np.uint64)
    tables = entries, slots, steps, distance_mask, adjacent
    # A constant width makes the search 8% faster.
    if stack.shape[1] == _USUAL_WIDTH:
        return search_stack(
            _request, _first_bound, _evaluate, _store, tables,
            columns, shifts, mask, path_column, move_steps, transitions,
            threshold, budget, cut_depth, stack, roots, estimates, nodes, report, batch, child,
            _USUAL_WIDTH,
        )  # fmt: skip
    return search_stack(
        _request, _first_bound, _evaluate, _store, tables,
        columns, shifts, mask, path_column, move_steps, transitions,
        threshold, budget, cut_depth, stack, roots, estimates, nodes, report, batch, child,
        stack.shape[1],
    )  # fmt: skip


@kernel(types.int64(BYTES, TABLE, TABLES, types.int64, MASKS, *REPLAY_ARGUMENTS))
def replay_digits(
    entries, slots, steps, distance_mask, adjacent,
    columns, shifts, mask, path_column, move_steps, transitions,
    roots, path, rows, estimates,
):  # fmt: skip
    """See `tilework.core.solver.kernels.depth_first.search.replay_path`."""
    return replay_path(
        _request, _first_bound, _evaluate, _store, (entries, slots, steps, distance_mask, adjacent),
        columns, shifts, mask, path_column, move_steps, transitions,
        roots, path, rows, estimates,
    )  # fmt: skip
