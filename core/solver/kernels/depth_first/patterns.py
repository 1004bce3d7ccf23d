"""Depth-first search under a threshold on f, with two additive pattern-database estimates.

Both estimates are read from one flat array of entries, through two *views*. A view says, for
each tile, to which pattern it belongs and how the pattern's index changes when the tile slides;
a view can turn or mirror the board at no cost. The estimate is the greater of the two sums.
"""

from __future__ import annotations

import numpy as np
from numba import types

from core.compiling import kernel
from core.solver.kernels.array_types import (
    BYTES,
    OPEN_BYTES,
    OPEN_STATES,
    OPEN_WORDS,
    STEPS,
    TABLE,
    TABLES,
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


@kernel(
    types.int64(
        BYTES, WORDS, WORDS, STEPS, BYTES, TABLE, TABLES, WORDS,
        types.int64, types.int64, OPEN_BYTES, OPEN_BYTES, OPEN_STATES, OPEN_WORDS,
    )
)  # fmt: skip
def search_patterns(
    entries,
    start,
    ways,
    following,
    allowed,
    slots,
    steps,
    indices,
    threshold,
    budget,
    path,
    untried,
    states,
    report,
):
    """Search what a cursor covers for a path to the goal of at most ``threshold`` moves.

    Parameters
    ----------
    entries : uint8 array
        The databases of all patterns, one after the other.
    start : int64 array, shape (cells,)
        The board at depth 0; 0 is the blank.
    ways : int64 array, shape (4,)
        How the blank's cell changes by each move code.
    following : int32 array, shape (states, 4)
        By state of the rules (`core.solver.optimal.move_pruning`) and move the next state.
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
        See `core.solver.kernels.constants`.

    Returns
    -------
    int
        `EXHAUSTED`, `OUT_OF_BUDGET` or `FOUND`.
    """
    cells = start.copy()
    blank = 0
    while cells[blank] != 0:
        blank += 1
    # One word holds a pattern's index and, in its low byte, the entry there.
    words = np.empty(indices.size, dtype=np.int64)
    first_sum = 0
    second_sum = 0
    for slot in range(indices.size):
        entry = np.int64(entries[indices[slot]])
        words[slot] = indices[slot] << 8 | entry
        if slot < indices.size // 2:
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
        tile = INDEX(cells[INDEX(blank + way)])

        slot = INDEX(slots[0, tile])
        first_word = words[slot]
        index = (first_word >> 8) + steps[0, tile, move]
        entry = np.int64(entries[INDEX(index)])
        first = first_sum - (first_word & 255) + entry
        if depth + 1 + first > limit:
            next_threshold = min(next_threshold, depth + 1 + first)
            continue
        first_new = index << 8 | entry

        second_slot = INDEX(slots[1, tile])
        second_word = words[second_slot]
        index = (second_word >> 8) + steps[1, tile, move]
        entry = np.int64(entries[INDEX(index)])
        second = second_sum - (second_word & 255) + entry
        if depth + 1 + second > limit:
            next_threshold = min(next_threshold, depth + 1 + second)
            continue

        saved[at, 0] = first_word
        saved[at, 1] = second_word
        saved[at, 2] = first_sum
        saved[at, 3] = second_sum
        words[slot] = first_new
        words[second_slot] = index << 8 | entry
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
