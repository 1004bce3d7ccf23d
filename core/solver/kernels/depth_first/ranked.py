"""Depth-first search with ranked pattern databases, in two views.

Like `digits`, but for patterns of up to eight tiles on at most 16 cells. An index without gaps
needs half a gigabyte of entries instead of four, at the cost of about twenty more instructions per
lookup. A pattern is stored as one word: the entry in bits 0 to 7, the set of its cells in bits 8
to 23, and from bit 24 on its tiles in the order of their cells, three bits each. The tables that
rank them fit into the innermost caches.
"""

import numpy as np

from tilework.core.compiling import inner_loop_subroutine, kernel, types
from tilework.core.solver.kernels.constants import (
    BYTES,
    CELLS,
    DISTANCE,
    RANK_TABLES,
    RANKS,
    SMALL_FLAG_BIT,
    TABLE,
    WORDS,
    WRITABLE_WORDS,
)
from tilework.core.solver.kernels.depth_first.search import (
    BATCH,
    BLANK,
    BYTE,
    CHILD_COLUMNS,
    FIRST,
    FOURTH,
    LOW_HALF,
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
from tilework.core.solver.kernels.instructions import count_bits, prefetch

# Columns of a row for the 15-puzzle with two patterns and paths of up to 96 moves
_USUAL_WIDTH = 10

_LOW = np.uint64(0xFFFF)
_HALF = np.uint64(0xFFF)
_SEVEN = np.uint64(7)
_EIGHT = np.uint64(8)
# Bits of a tile's position in its pattern; see `tilework.core.solver.pdb.ranks`
_THREE = np.uint64(3)
_ORDER = np.uint64(24)
_SET = np.uint64(8)


@inner_loop_subroutine
def _slide_word(word, source, target):
    """Return the word without its entry after a tile slides to a neighbouring free cell."""
    mask = (word >> _SET) & _LOW
    order = word >> _ORDER
    low = min(source, target)
    high = max(source, target)
    # A vertical move passes the pattern's tiles between the two cells. There is no separate branch
    # for no tiles, because it would be mispredicted half of the time.
    passed_bits = _THREE * count_bits(mask & ((ONE << high) - (ONE << low << ONE)))
    shift = _THREE * count_bits(mask & ((ONE << low) - ONE))
    field = (_EIGHT << passed_bits) - ONE
    tiles = (order >> shift) & field
    moved_up = tiles >> _THREE | (tiles & _SEVEN) << passed_bits
    moved_down = (tiles << _THREE) & field | tiles >> passed_bits
    order ^= (tiles ^ (moved_up if source < target else moved_down)) << shift
    mask ^= ONE << source | ONE << target
    return order << _ORDER | mask << _SET


@inner_loop_subroutine
def _move_pattern(tables, view, batch, parent, child, i):
    _, slots, view_cells, offsets, sets, lows, highs, low_sets, high_sets, _, _ = tables
    slot = WORD(slots[view, child[i, TILE]])
    word = _slide_word(
        batch[parent, WORD(STATE_WORDS) + slot],
        WORD(view_cells[view, child[i, SOURCE]]),
        WORD(view_cells[view, child[i, BLANK]]),
    )
    order = word >> _ORDER
    # The slots of the second view follow those of the first, for the same patterns.
    pattern = slot - view * WORD(sets.size)
    rank = WORD(lows[pattern, order & _HALF]) + WORD(highs[pattern, order >> WORD(12)])
    set_rank = WORD(low_sets[(word >> _SET) & BYTE]) + WORD(
        high_sets[pattern, (word >> WORD(16)) & BYTE]
    )
    return word, WORD(offsets[pattern]) + rank * WORD(sets[pattern]) + set_rank


@inner_loop_subroutine
def _read_entry(tables, view, child, i, word, index):
    """Return the entry of a pattern for the blank's region."""
    entry = WORD(tables[0][index])
    large_cells = WORD(tables[9][(word >> _SET) & _LOW])
    is_large = large_cells >> WORD(tables[2][view, child[i, SOURCE]]) & ONE
    flag = entry >> (WORD(SMALL_FLAG_BIT) + is_large) & ONE
    return (entry & WORD(DISTANCE)) + WORD(tables[10]) * flag


@inner_loop_subroutine
def _sum_view(tables, view, batch, parent, child, i, entry):
    """Return the sum of a view's entries with a new entry for the moved pattern."""
    sums = batch[parent, SUMS] >> (WORD(32) * view) & LOW_HALF
    slot = WORD(tables[1][view, child[i, TILE]])
    return sums - (batch[parent, WORD(STATE_WORDS) + slot] & BYTE) + entry


@inner_loop_subroutine
def _request(tables, batch, parent, child, i):
    word, index = _move_pattern(tables, WORD(0), batch, parent, child, i)
    prefetch(tables[0], index)
    child[i, FIRST] = word
    child[i, SECOND] = index


@inner_loop_subroutine
def _first_bound(tables, batch, parent, child, i, child_row, room):
    """Evaluate the second view only if the first one does not prune the child."""
    entry = _read_entry(tables, WORD(0), child, i, child[i, FIRST], child[i, SECOND])
    first = _sum_view(tables, WORD(0), batch, parent, child, i, entry)
    if np.int64(first) <= room:
        first_word = child[i, FIRST] | entry
        word, index = _move_pattern(tables, WORD(1), batch, parent, child, i)
        prefetch(tables[0], index)
        child[child_row, FIRST] = first_word
        child[child_row, SECOND] = index
        child[child_row, THIRD] = word
        child[child_row, FOURTH] = first
    return np.int64(first)


@inner_loop_subroutine
def _evaluate(tables, batch, parent, child, i):
    entry = _read_entry(tables, WORD(1), child, i, child[i, THIRD], child[i, SECOND])
    first = child[i, FOURTH]
    second = _sum_view(tables, WORD(1), batch, parent, child, i, entry)
    child[i, THIRD] |= entry
    return np.int64(max(first, second)), first | second << WORD(32)


@inner_loop_subroutine
def _store(tables, _batch, _parent, child, i, sums, rows, row):
    slots = tables[1]
    tile = child[i, TILE]
    rows[row, WORD(STATE_WORDS) + WORD(slots[WORD(0), tile])] = child[i, FIRST]
    rows[row, WORD(STATE_WORDS) + WORD(slots[WORD(1), tile])] = child[i, THIRD]
    rows[row, SUMS] = sums


@kernel(types.void(CELLS, TABLE, TABLE, TABLE, WRITABLE_WORDS))
def pack_patterns(cells, slots, positions, cell_at, words):
    """Write a board's patterns as words without entries.

    Parameters
    ----------
    cells : int32[cells]; the board
    slots, positions : int64[2, cells]; by view and tile, the pattern and the position within it
    cell_at : int64[2, cells]; the cell of the board by view and cell of the view
    """
    words[:] = 0
    for view in range(2):
        # From the last cell to the first, because the lowest cell belongs in the lowest bits.
        for view_cell in range(cells.size - 1, -1, -1):
            tile = cells[cell_at[view, view_cell]]
            if tile != 0:
                slot = slots[view, tile]
                order = words[slot] >> 24 << 3 | positions[view, tile]
                words[slot] = order << 24 | (words[slot] & 0xFFFF00) | 1 << view_cell + 8


@kernel(
    types.int64(
        BYTES, TABLE, TABLE, WORDS, WORDS, RANK_TABLES, RANK_TABLES, RANKS, RANK_TABLES, RANKS,
        types.int64,
        *SEARCH_ARGUMENTS,
    )
)  # fmt: skip
def search_ranked(
    entries, slots, view_cells, offsets, sets, lows, highs, low_sets, high_sets, large_cells, gain,
    columns, shifts, mask, path_column, move_steps, transitions,
    threshold, budget, cut_depth, stack, roots, estimates, nodes, report,
):  # fmt: skip
    """See `tilework.core.solver.kernels.depth_first.search.search_stack`.

    Parameters
    ----------
    entries : uint8 array; the pattern databases, one after another
    slots, view_cells, offsets, sets, lows, highs, low_sets, high_sets, large_cells; see
        `tilework.core.solver.heuristics.additive_patterns.RankedPatterns`
    gain : int; the moves that a flag of an entry adds: 2, or 0 to ignore flags
    """
    batch = np.empty((BATCH, stack.shape[1]), dtype=np.uint64)
    child = np.empty((4 * BATCH, CHILD_COLUMNS), dtype=np.uint64)
    # A constant width makes the search 7% faster.
    if stack.shape[1] == _USUAL_WIDTH:
        return search_stack(
            _request, _first_bound, _evaluate, _store,
            (
                entries, slots, view_cells, offsets, sets, lows, highs, low_sets, high_sets,
                large_cells, gain,
            ),
            columns, shifts, mask, path_column, move_steps, transitions,
            threshold, budget, cut_depth, stack, roots, estimates, nodes, report, batch, child,
            _USUAL_WIDTH,
        )  # fmt: skip
    return search_stack(
        _request, _first_bound, _evaluate, _store,
        (
            entries, slots, view_cells, offsets, sets, lows, highs, low_sets, high_sets,
            large_cells, gain,
        ),
        columns, shifts, mask, path_column, move_steps, transitions,
        threshold, budget, cut_depth, stack, roots, estimates, nodes, report, batch, child,
        stack.shape[1],
    )  # fmt: skip


@kernel(
    types.int64(
        BYTES, TABLE, TABLE, WORDS, WORDS, RANK_TABLES, RANK_TABLES, RANKS, RANK_TABLES, RANKS,
        types.int64,
        *REPLAY_ARGUMENTS,
    )
)  # fmt: skip
def replay_ranked(
    entries, slots, view_cells, offsets, sets, lows, highs, low_sets, high_sets, large_cells, gain,
    columns, shifts, mask, path_column, move_steps, transitions,
    roots, path, rows, estimates,
):  # fmt: skip
    """See `tilework.core.solver.kernels.depth_first.search.replay_path`."""
    return replay_path(
        _request, _first_bound, _evaluate, _store,
        (
            entries, slots, view_cells, offsets, sets, lows, highs, low_sets, high_sets,
            large_cells, gain,
        ),
        columns, shifts, mask, path_column, move_steps, transitions,
        roots, path, rows, estimates,
    )  # fmt: skip
