"""Depth-first search under a threshold on f, with two additive pattern-database estimates.

Both estimates are read from one flat array of entries, through two *views*. A view says, for
each tile, to which pattern it belongs and how the pattern's index changes when the tile slides;
a view can turn or mirror the board at no cost. The estimate is the greater of the two sums.
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
    STEPS,
    TABLE,
    TABLES,
    WORDS,
)
from tilework.core.solver.kernels.constants import INDEX
from tilework.core.solver.kernels.depth_first.subtrees import in_order
from tilework.core.solver.kernels.depth_first.views import estimate_along, search_views


@part
def _slide(tables, view, _slot, word, tile, move, _source, _target):
    """The pattern's word after its tile moved: its new index, and in the low byte the entry."""
    entries, steps = tables
    index = (word >> 8) + steps[view, tile, move]
    return index << 8 | np.int64(entries[INDEX(index)])


@part
def _words(entries, indices):
    """By pattern its index, and in the low byte the entry there."""
    words = np.empty(indices.size, dtype=np.int64)
    for slot in range(indices.size):
        words[slot] = indices[slot] << 8 | np.int64(entries[indices[slot]])
    return words


@kernel(
    types.int64(
        BYTES, WORDS, WORDS, STEPS, BYTES, TABLE, TABLES, WORDS,
        types.int64, types.int64, OPEN_BYTES, OPEN_BYTES, OPEN_STATES, OPEN_WORDS,
    )
)  # fmt: skip
def search_patterns(
    entries, start, ways, following, allowed, slots, steps, indices,
    threshold, budget, path, untried, states, report,
):  # fmt: skip
    """Search what a cursor covers for a path to the goal of at most ``threshold`` moves.

    Parameters
    ----------
    entries : uint8 array
        The pattern databases, one after the other.
    start : int64 array, shape (cells,)
        The board at depth 0; 0 is the blank.
    ways : int64 array, shape (4,)
        How the blank's cell changes by each move code.
    following : int32 array, shape (states, 4)
        By state of the rules (`tilework.core.solver.optimal.move_pruning`) and move the next state.
    allowed : uint8 array, shape (states,)
        By state the set of moves that the rules let come next (bit m for move m).
    slots : int64 array, shape (2, cells)
        By view and tile: the place of the tile's pattern in `indices`. No place serves both views.
    steps : int64 array, shape (2, cells, 4)
        By view, tile and move: how the index of the tile's pattern changes.
    indices : int64 array, shape (2 * patterns,)
        Index into `entries` of each pattern at depth 0, those of view 0 first.
    threshold, budget : int
        Largest f to follow; nodes to generate before stopping.
    path, untried : uint8 arrays of more than ``threshold + 1`` places, changed in place
        Moves made, and by depth the set of moves not yet tried.
    states : int32 array, as long, changed in place
        By depth the state of the rules.
    report : int64 array, shape (REPORT_LENGTH,), changed in place
        See `tilework.core.solver.kernels.constants`.

    Returns
    -------
    int
        `EXHAUSTED`, `OUT_OF_BUDGET` or `FOUND`.
    """
    return search_views(
        _slide, (entries, steps), _words(entries, indices), start, ways, following, allowed, slots,
        threshold, budget, path, untried, states, report,
    )  # fmt: skip


@kernel(
    types.int64(
        BYTES, WORDS, WORDS, STEPS, BYTES, TABLE, TABLES, WORDS,
        types.int64, types.int64, OPEN_BYTES, OPEN_BYTES, OPEN_STATES, OPEN_WORDS,
        OPEN_TABLE, OPEN_WORDS, OPEN_WORDS,
    )
)  # fmt: skip
def search_patterns_in_order(
    entries, start, ways, following, allowed, slots, steps, indices,
    threshold, budget, path, untried, states, report, subtrees, order, place,
):  # fmt: skip
    """Search subtrees as `tilework.core.solver.kernels.depth_first.subtrees.in_order` says."""
    return in_order(
        search_patterns,
        (entries, start, ways, following, allowed, slots, steps, indices),
        threshold, budget, path, untried, states, report, subtrees, order, place,
    )  # fmt: skip


@kernel(types.void(BYTES, WORDS, WORDS, TABLE, TABLES, WORDS, BYTES, OPEN_WORDS))
def estimate_patterns_along(entries, start, ways, slots, steps, indices, path, estimates):
    """Fill in estimates as `tilework.core.solver.kernels.depth_first.views.estimate_along` says."""
    estimate_along(
        _slide, (entries, steps), _words(entries, indices), start, ways, slots, path, estimates
    )
