"""Depth-first search with ranked pattern databases, in two views.

As `digits`, for patterns of up to eight tiles on at most 16 cells: an index that numbers the
placements without a gap has half a gigabyte of entries where the cells as digits would need four.
The price is some twenty instructions a look-up. A pattern is kept as one word: in bits 0 to 7 the
entry, in bits 8 to 23 the set of its cells, and above, three bits each, its tiles in the order
of their cells. The tables that rank them are small enough for the nearest caches.
"""

import numpy as np

from tilework.core.compiling import inner_loop_subroutine, kernel, types
from tilework.core.solver.kernels.constants import (
    BYTES,
    CELLS,
    OPEN_WORDS,
    RANK_TABLES,
    RANKS,
    TABLE,
    WORDS,
)
from tilework.core.solver.kernels.depth_first.rows import (
    BLANK,
    BYTE,
    CHILD_COLUMNS,
    FIRST,
    FOURTH,
    LOW_HALF,
    ONE,
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
)
from tilework.core.solver.kernels.depth_first.search import BATCH, search_stack
from tilework.core.solver.kernels.instructions import count_bits, prefetch

# Columns of a row of the 15-puzzle with two patterns, with room for paths of 96 moves
_USUAL_WIDTH = 10

_LOW = np.uint64(0xFFFF)
_HALF = np.uint64(0xFFF)
_SEVEN = np.uint64(7)
_EIGHT = np.uint64(8)
# Bits of a tile's place in its pattern, as `tilework.core.solver.pdb.ranks` has them
_THREE = np.uint64(3)
_ORDER = np.uint64(24)
_SET = np.uint64(8)


@inner_loop_subroutine
def _slid(word, source, target):
    """The word, without its entry, after the tile on one cell slid to the free one beside it."""
    mask = (word >> _SET) & _LOW
    order = word >> _ORDER
    low = min(source, target)
    high = max(source, target)
    # Across the rows the tile passes those of the pattern that lie between the two cells. None or
    # some: without a branch, which would be guessed wrong half of the time.
    passed = _THREE * count_bits(mask & ((ONE << high) - (ONE << low << ONE)))
    place = _THREE * count_bits(mask & ((ONE << low) - ONE))
    those = (_EIGHT << passed) - ONE
    before = (order >> place) & those
    up = before >> _THREE | (before & _SEVEN) << passed
    down = (before << _THREE) & those | before >> passed
    after = up if source < target else down
    order ^= (before ^ after) << place
    mask ^= ONE << source | ONE << target
    return order << _ORDER | mask << _SET


@inner_loop_subroutine
def _moved(tables, view, taken, parent, child, one):
    _, slots, seen_at, offsets, sets, lows, highs, low_sets, high_sets = tables
    slot = WORD(slots[view, child[one, TILE]])
    word = _slid(
        taken[parent, WORD(STATE_WORDS) + slot],
        WORD(seen_at[view, child[one, SOURCE]]),
        WORD(seen_at[view, child[one, BLANK]]),
    )
    order = word >> _ORDER
    # Those of the second view come after those of the first, and are the same.
    pattern = slot - view * WORD(sets.size)
    rank = WORD(lows[pattern, order & _HALF]) + WORD(highs[pattern, order >> WORD(12)])
    within = WORD(low_sets[(word >> _SET) & BYTE]) + WORD(
        high_sets[pattern, (word >> WORD(16)) & BYTE]
    )
    return word, WORD(offsets[pattern]) + rank * WORD(sets[pattern]) + within


@inner_loop_subroutine
def _sum(tables, view, taken, parent, child, one, entry):
    """The sum of a view's entries once that of the child's pattern is another."""
    sums = taken[parent, SUMS] >> (WORD(32) * view) & LOW_HALF
    slot = WORD(tables[1][view, child[one, TILE]])
    return sums - (taken[parent, WORD(STATE_WORDS) + slot] & BYTE) + entry


@inner_loop_subroutine
def _propose(tables, taken, parent, child, one):
    word, index = _moved(tables, WORD(0), taken, parent, child, one)
    prefetch(tables[0], index)
    child[one, FIRST] = word
    child[one, SECOND] = index


@inner_loop_subroutine
def _narrow(tables, taken, parent, child, one, kept, room):
    """Work out the second view only where the first does not tell enough: that takes a while."""
    entry = WORD(tables[0][child[one, SECOND]])
    first = _sum(tables, WORD(0), taken, parent, child, one, entry)
    if np.int64(first) <= room:
        first_word = child[one, FIRST] | entry
        word, index = _moved(tables, WORD(1), taken, parent, child, one)
        prefetch(tables[0], index)
        child[kept, FIRST] = first_word
        child[kept, SECOND] = index
        child[kept, THIRD] = word
        child[kept, FOURTH] = first
    return np.int64(first)


@inner_loop_subroutine
def _weigh(tables, taken, parent, child, one):
    entry = WORD(tables[0][child[one, SECOND]])
    first = child[one, FOURTH]
    second = _sum(tables, WORD(1), taken, parent, child, one, entry)
    child[one, THIRD] |= entry
    return np.int64(max(first, second)), first | second << WORD(32)


@inner_loop_subroutine
def _keep(tables, _taken, _parent, child, one, found, rows, row):
    slots = tables[1]
    tile = child[one, TILE]
    rows[row, WORD(STATE_WORDS) + WORD(slots[WORD(0), tile])] = child[one, FIRST]
    rows[row, WORD(STATE_WORDS) + WORD(slots[WORD(1), tile])] = child[one, THIRD]
    rows[row, SUMS] = found


@kernel(types.void(CELLS, TABLE, TABLE, TABLE, OPEN_WORDS))
def place_patterns(cells, slots, places, cell_at, words):
    """Lay a board's patterns out as words without entries.

    Parameters
    ----------
    cells : int32 array, shape (cells,); the board
    slots, places : int64 arrays, shape (2, cells)
        By view and tile, its pattern among all of both views, and its place in it.
    cell_at : int64 array, shape (2, cells); by view and where it sees a cell, the cell
    """
    words[:] = 0
    for view in range(2):
        # From the last cell to the first: the lowest comes to lie in the lowest bits.
        for seen_at in range(cells.size - 1, -1, -1):
            tile = cells[cell_at[view, seen_at]]
            if tile != 0:
                slot = slots[view, tile]
                order = words[slot] >> 24 << 3 | places[view, tile]
                words[slot] = order << 24 | (words[slot] & 0xFFFF00) | 1 << seen_at + 8


@kernel(
    types.int64(
        BYTES, TABLE, TABLE, WORDS, WORDS, RANK_TABLES, RANK_TABLES, RANKS, RANK_TABLES, *SEARCHED
    )
)
def search_ranked(
    entries, slots, seen_at, offsets, sets, lows, highs, low_sets, high_sets,
    columns, shifts, mask, path_at, ways, following, allowed,
    threshold, budget, cut, stack, roots, estimates, nodes, report,
):  # fmt: skip
    """Search as `tilework.core.solver.kernels.depth_first.search.search_stack` says.

    Parameters
    ----------
    entries : uint8 array; the pattern databases, one after the other
    slots : int64 array, shape (2, cells)
        By view and tile: the place of the tile's pattern among all of both views.
    seen_at : int64 array, shape (2, cells); by view and cell: where the view sees the cell
    offsets, sets : int64 arrays, shape (patterns,)
        By pattern, where its entries begin, and how many sets of cells it can have.
    lows, highs : uint16 arrays, shape (patterns, 4096)
        By pattern, what the lower and the upper four tiles of an order add to its rank.
    high_sets : uint16 array, shape (patterns, 256)
        By pattern, what the lower and the upper byte of a set of cells add to its rank.
    """
    taken = np.empty((BATCH, stack.shape[1]), dtype=np.uint64)
    child = np.empty((4 * BATCH, CHILD_COLUMNS), dtype=np.uint64)
    # With a width that the compiler knows it is faster by a fourteenth.
    if stack.shape[1] == _USUAL_WIDTH:
        return search_stack(
            _propose, _narrow, _weigh, _keep,
            (entries, slots, seen_at, offsets, sets, lows, highs, low_sets, high_sets),
            columns, shifts, mask, path_at, ways, following, allowed,
            threshold, budget, cut, stack, roots, estimates, nodes, report, taken, child,
            _USUAL_WIDTH,
        )  # fmt: skip
    return search_stack(
        _propose, _narrow, _weigh, _keep,
        (entries, slots, seen_at, offsets, sets, lows, highs, low_sets, high_sets),
        columns, shifts, mask, path_at, ways, following, allowed,
        threshold, budget, cut, stack, roots, estimates, nodes, report, taken, child,
        stack.shape[1],
    )  # fmt: skip


@kernel(
    types.int64(
        BYTES, TABLE, TABLE, WORDS, WORDS, RANK_TABLES, RANK_TABLES, RANKS, RANK_TABLES, *REPLAYED
    )
)
def replay_ranked(
    entries, slots, seen_at, offsets, sets, lows, highs, low_sets, high_sets,
    columns, shifts, mask, path_at, ways, following, allowed, roots, path, rows, estimates,
):  # fmt: skip
    """Go along a path as `tilework.core.solver.kernels.depth_first.rows.replay_path` says."""
    return replay_path(
        _propose, _narrow, _weigh, _keep,
        (entries, slots, seen_at, offsets, sets, lows, highs, low_sets, high_sets),
        columns, shifts, mask, path_at, ways, following, allowed, roots, path, rows, estimates,
    )  # fmt: skip
