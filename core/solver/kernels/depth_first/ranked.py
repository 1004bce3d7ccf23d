"""Depth-first search under a threshold on f, with ranked pattern databases.

As `patterns`, for patterns of up to eight tiles on at most 16 cells: an
index that numbers the placements without a gap has half a gigabyte of entries where the cells as
digits would need four. The price is some twenty instructions a look-up. A pattern is kept as one
word: in bits 0 to 7 the entry, in bits 8 to 23 the set of its cells, and above, four bits each,
its tiles in the order of their cells.
"""

from __future__ import annotations

import numpy as np
from numba import types

from tilework.core.compiling import kernel, part
from tilework.core.solver.kernels.array_types import (
    BYTES,
    OPEN_BYTES,
    OPEN_STATES,
    OPEN_TABLE,
    OPEN_WORDS,
    RANK_TABLES,
    RANKS,
    STEPS,
    TABLE,
    WORDS,
)
from tilework.core.solver.kernels.constants import INDEX
from tilework.core.solver.kernels.depth_first.subtrees import in_order
from tilework.core.solver.kernels.depth_first.views import estimate_along, search_views

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


@part
def _slide(tables, view, slot, word, _tile, _move, source, target):
    """The pattern's word, with its new entry, after its tile slid from one cell to another."""
    entries, seen_at, offsets, sets, lows, highs, set_ranks = tables
    new = _slid(word, seen_at[view, source], seen_at[view, target])
    index = _index(new, slot, offsets, sets, lows, highs, set_ranks)
    return new | np.int64(entries[INDEX(index)])


@part
def _words(tables, placements):
    """By pattern its placement, and in the low byte the entry there."""
    entries, _, offsets, sets, lows, highs, set_ranks = tables
    words = np.empty(placements.size, dtype=np.int64)
    for slot in range(placements.size):
        index = _index(placements[slot], INDEX(slot), offsets, sets, lows, highs, set_ranks)
        words[slot] = placements[slot] | np.int64(entries[INDEX(index)])
    return words


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
        As in `tilework.core.solver.kernels.depth_first.patterns.search_patterns`.

    Returns
    -------
    int
        `EXHAUSTED`, `OUT_OF_BUDGET` or `FOUND`.
    """
    tables = entries, seen_at, offsets, sets, lows, highs, set_ranks
    return search_views(
        _slide, tables, _words(tables, placements),
        start, ways, following, allowed, slots,
        threshold, budget, path, untried, states, report,
    )  # fmt: skip


@kernel(
    types.int64(
        BYTES, WORDS, WORDS, STEPS, BYTES, TABLE, TABLE, WORDS,
        WORDS, WORDS, RANK_TABLES, RANK_TABLES, RANKS,
        types.int64, types.int64, OPEN_BYTES, OPEN_BYTES, OPEN_STATES, OPEN_WORDS,
        OPEN_TABLE, OPEN_WORDS, OPEN_WORDS,
    )
)  # fmt: skip
def search_ranked_in_order(
    entries, start, ways, following, allowed, slots, seen_at, placements,
    offsets, sets, lows, highs, set_ranks,
    threshold, budget, path, untried, states, report, subtrees, order, place,
):  # fmt: skip
    """Search subtrees as `tilework.core.solver.kernels.depth_first.subtrees.in_order` says."""
    return in_order(
        search_ranked,
        (
            entries, start, ways, following, allowed, slots, seen_at, placements,
            offsets, sets, lows, highs, set_ranks,
        ),
        threshold, budget, path, untried, states, report, subtrees, order, place,
    )  # fmt: skip


@kernel(
    types.void(
        BYTES, WORDS, WORDS, TABLE, TABLE, WORDS,
        WORDS, WORDS, RANK_TABLES, RANK_TABLES, RANKS, BYTES, OPEN_WORDS,
    )
)  # fmt: skip
def estimate_ranked_along(
    entries, start, ways, slots, seen_at, placements,
    offsets, sets, lows, highs, set_ranks, path, estimates,
):  # fmt: skip
    """Fill in estimates as `tilework.core.solver.kernels.depth_first.views.estimate_along` says."""
    tables = entries, seen_at, offsets, sets, lows, highs, set_ranks
    estimate_along(_slide, tables, _words(tables, placements), start, ways, slots, path, estimates)
