"""Depth-first search under a threshold on f, with databases whose entries lie in order of rank.

As `patterns`, for patterns of up to eight tiles on at most 16 cells: an
index that numbers the placements without a gap has half a gigabyte of entries where the cells as
digits would need four. The price is some twenty instructions a look-up. A pattern is kept as one
word: in bits 0 to 7 the entry, in bits 8 to 23 the set of its cells, and above, four bits each,
its tiles in the order of their cells.
"""

from __future__ import annotations

import numpy as np
from numba import types

from core.compiling import kernel, part
from core.solver.kernels.array_types import (
    BYTES,
    OPEN_BYTES,
    OPEN_STATES,
    OPEN_WORDS,
    RANK_TABLES,
    RANKS,
    STEPS,
    TABLE,
    WORDS,
)
from core.solver.kernels.constants import (
    DEPTH,
    EXHAUSTED,
    EXPANDED,
    FOUND,
    GENERATED,
    INDEX,
    LOWEST_MOVE,
    NEXT_THRESHOLD,
    NO_F,
    OUT_OF_BUDGET,
)

_COUNTS = np.array([bin(word).count("1") for word in range(1 << 12)], dtype=np.int64)
"""Number of bits of a word."""

_ORDER = 24
_MASK = 8
_LOW = (1 << 16) - 1


@part
def _slid(word, source, target):
    """The word, without its entry, after the tile on one cell slid to the free one beside it."""
    mask = (word >> _MASK) & _LOW
    order = word >> _ORDER
    low = min(source, target)
    distance = max(source, target) - low
    if distance > 1:
        # Across the rows the tile passes those of the pattern that lie between the two cells.
        passed = _COUNTS[INDEX((mask >> (low + 1)) & ((1 << (distance - 1)) - 1))]
        if passed > 0:
            place = 4 * _COUNTS[INDEX(mask & ((1 << low) - 1))]
            those = (1 << (4 * passed + 4)) - 1
            before = (order >> place) & those
            if source < target:
                after = before >> 4 | (before & 15) << 4 * passed
            else:
                after = (before << 4) & those | before >> 4 * passed
            order ^= (before ^ after) << place
    mask ^= 1 << source | 1 << target
    return order << _ORDER | mask << _MASK


@part
def _index(word, slot, offsets, sets, lows, highs, set_ranks):
    """The index of a word's entry."""
    order = word >> _ORDER
    rank = np.int64(lows[slot, INDEX(order & _LOW)]) + np.int64(highs[slot, INDEX(order >> 16)])
    return offsets[slot] + rank * sets[slot] + np.int64(set_ranks[INDEX((word >> _MASK) & _LOW)])


@kernel(
    types.int64(
        BYTES, WORDS, WORDS, STEPS, BYTES, TABLE, TABLE, WORDS,
        WORDS, WORDS, RANK_TABLES, RANK_TABLES, RANKS,
        types.int64, types.int64, OPEN_BYTES, OPEN_BYTES, OPEN_STATES, OPEN_WORDS,
    )
)  # fmt: skip
def search_ranked(
    entries, start, ways, following, allowed, slots, seen_at, placements,
    offsets, sets, lows, highs, set_ranks,
    threshold, budget, path, untried, states, report,
):  # fmt: skip
    """Search what a cursor covers for a path to the goal of at most ``threshold`` moves.

    Parameters
    ----------
    slots : int64 array, shape (2, cells)
        By view and tile: the place of the tile's pattern in `placements`. No place serves both
        views.
    seen_at : int64 array, shape (2, cells)
        By view and cell: where the view sees the cell.
    placements : int64 array, shape (2 * patterns,)
        The word of each pattern at depth 0 without its entry, those of view 0 first.
    offsets, sets : int64 arrays, shape (2 * patterns,)
        By pattern, where its entries begin, and how many sets of cells it can have.
    lows, highs : uint16 arrays, shape (2 * patterns, 65536)
        By pattern, what the lower and the upper four tiles of an order add to its rank.
    set_ranks : uint16 array, shape (65536,)
        The rank of a set of cells among those of its size.
    entries, start, ways, following, allowed, threshold, budget, path, untried, states, report
        As in `core.solver.kernels.depth_first.patterns.search_patterns`.

    Returns
    -------
    int
        `EXHAUSTED`, `OUT_OF_BUDGET` or `FOUND`.
    """
    cells = start.copy()
    blank = 0
    while cells[blank] != 0:
        blank += 1
    words = np.empty(placements.size, dtype=np.int64)
    first_sum = 0
    second_sum = 0
    for slot in range(placements.size):
        index = _index(placements[slot], INDEX(slot), offsets, sets, lows, highs, set_ranks)
        entry = np.int64(entries[INDEX(index)])
        words[slot] = placements[slot] | entry
        if slot < placements.size // 2:
            first_sum += entry
        else:
            second_sum += entry
    # By depth, what the move from there changed: a word and the sum of each view.
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
            move = INDEX(path[at])
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
                tile = cells[INDEX(blank - way)]
                cells[INDEX(blank)] = tile
                blank -= way
                words[INDEX(slots[0, INDEX(tile)])] = saved[at, 0]
                words[INDEX(slots[1, INDEX(tile)])] = saved[at, 1]
                first_sum = saved[at, 2]
                second_sum = saved[at, 3]
                continue
            if generated >= budget:
                status = OUT_OF_BUDGET
                break
            move = INDEX(LOWEST_MOVE[INDEX(left)])
            untried[at] = left & (left - 1)
            generated += 1
            limit = threshold
        way = ways[move]
        source = INDEX(blank + way)
        tile = INDEX(cells[source])

        slot = INDEX(slots[0, tile])
        first_word = words[slot]
        first_new = _slid(first_word, seen_at[0, source], seen_at[0, INDEX(blank)])
        index = _index(first_new, slot, offsets, sets, lows, highs, set_ranks)
        entry = np.int64(entries[INDEX(index)])
        first_new |= entry
        first = first_sum - (first_word & 255) + entry
        if depth + 1 + first > limit:
            next_threshold = min(next_threshold, depth + 1 + first)
            continue

        second_slot = INDEX(slots[1, tile])
        second_word = words[second_slot]
        second_new = _slid(second_word, seen_at[1, source], seen_at[1, INDEX(blank)])
        index = _index(second_new, second_slot, offsets, sets, lows, highs, set_ranks)
        entry = np.int64(entries[INDEX(index)])
        second_new |= entry
        second = second_sum - (second_word & 255) + entry
        if depth + 1 + second > limit:
            next_threshold = min(next_threshold, depth + 1 + second)
            continue

        saved[at, 0] = first_word
        saved[at, 1] = second_word
        saved[at, 2] = first_sum
        saved[at, 3] = second_sum
        words[slot] = first_new
        words[second_slot] = second_new
        first_sum = first
        second_sum = second
        # The blank's own cell keeps a stale tile: nothing reads it.
        cells[INDEX(blank)] = np.int64(tile)
        blank += way
        depth += 1
        if depth > made:
            made = depth
            expanded += 1
            path[at] = move
            state = following[INDEX(states[at]), INDEX(move)]
            states[INDEX(depth)] = state
            untried[INDEX(depth)] = allowed[INDEX(state)]
            if first == 0:
                status = FOUND
                break
    report[DEPTH] = depth
    report[GENERATED] = generated
    report[EXPANDED] = expanded
    report[NEXT_THRESHOLD] = next_threshold
    return status
