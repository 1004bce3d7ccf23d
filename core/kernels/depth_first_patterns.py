"""Depth-first search under a threshold on f, with two additive pattern-database estimates.

Both estimates are read from one flat array of entries, through two *views*. A view says, for
each tile, to which pattern it belongs and how the pattern's index changes when the tile slides;
a view can turn or mirror the board at no cost. The estimate is the greater of the two sums.
"""

from __future__ import annotations

import numpy as np
from numba import njit, types

from core.kernels.constants import (
    DEPTH,
    EXHAUSTED,
    EXPANDED,
    FOUND,
    GENERATED,
    LEAST_OVER,
    OUT_OF_BUDGET,
)

_BYTES = types.Array(types.uint8, 1, "C", readonly=True)
_WORDS = types.Array(types.int64, 1, "C", readonly=True)
_TABLE = types.Array(types.int64, 2, "C", readonly=True)
_TABLES = types.Array(types.int64, 3, "C", readonly=True)
_OPEN_BYTES = types.Array(types.uint8, 1, "C")
_OPEN_WORDS = types.Array(types.int64, 1, "C")


@njit(
    types.int64(
        _BYTES, _WORDS, _WORDS, _BYTES, _TABLE, _TABLES, _WORDS,
        types.int64, types.int64, _OPEN_BYTES, _OPEN_BYTES, _OPEN_WORDS,
    ),
    cache=True,
    nogil=True,
)  # fmt: skip
def search_patterns(
    entries, start, ways, legal, slots, steps, indices, threshold, budget, path, untried, report
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
    legal : uint8 array, shape (cells,)
        Bit m is set where move m is legal with the blank in that cell.
    slots : int64 array, shape (2, cells)
        By view and tile: the place of the tile's pattern in `indices`. No place serves both views.
    steps : int64 array, shape (2, cells, 4)
        By view, tile and move: how the index of the tile's pattern changes.
    indices : int64 array, shape (2 * patterns,)
        Index into `entries` of each pattern at depth 0, those of view 0 first.
    threshold, budget : int
        Largest f to follow; nodes to generate before stopping.
    path, untried : uint8 arrays of more than ``threshold + 1`` places, changed in place
        Moves made, and by depth the set of moves not yet tried (bit m for move m).
    report : int64 array, shape (REPORT_LENGTH,), changed in place
        See `core.kernels.constants`.

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
    saved = np.empty((path.size, 4), dtype=np.int64)
    made = report[DEPTH]
    depth = 0
    generated = 0
    expanded = 0
    least_over = report[LEAST_OVER]
    status = EXHAUSTED
    while True:
        if depth < made:
            move = np.int64(path[depth])
        else:
            left = np.int64(untried[depth])
            if left == 0:
                if depth == 0:
                    break
                depth -= 1
                move = np.int64(path[depth])
                tile = cells[blank - ways[move]]
                cells[blank] = tile
                blank -= ways[move]
                cells[blank] = 0
                words[slots[0, tile]] = saved[depth, 0]
                words[slots[1, tile]] = saved[depth, 1]
                first_sum = saved[depth, 2]
                second_sum = saved[depth, 3]
                made = depth
                continue
            if generated >= budget:
                status = OUT_OF_BUDGET
                break
            if left & 1:
                move = 0
            elif left & 2:
                move = 1
            elif left & 4:
                move = 2
            else:
                move = 3
            untried[depth] = left & (left - 1)
            generated += 1
        tile = cells[blank + ways[move]]
        first_slot = slots[0, tile]
        first_word = words[first_slot]
        index = (first_word >> 8) + steps[0, tile, move]
        entry = np.int64(entries[index])
        first = first_sum - (first_word & 255) + entry
        f = depth + 1 + first
        if f > threshold and depth >= made:
            least_over = min(least_over, f)
            continue
        first_new = index << 8 | entry
        second_slot = slots[1, tile]
        second_word = words[second_slot]
        index = (second_word >> 8) + steps[1, tile, move]
        entry = np.int64(entries[index])
        second = second_sum - (second_word & 255) + entry
        f = depth + 1 + second
        if f > threshold and depth >= made:
            least_over = min(least_over, f)
            continue
        saved[depth, 0] = first_word
        saved[depth, 1] = second_word
        saved[depth, 2] = first_sum
        saved[depth, 3] = second_sum
        words[first_slot] = first_new
        words[second_slot] = index << 8 | entry
        first_sum = first
        second_sum = second
        cells[blank] = tile
        blank += ways[move]
        cells[blank] = 0
        if depth >= made:
            expanded += 1
            path[depth] = move
            untried[depth + 1] = np.int64(legal[blank]) & ~(1 << (move ^ 1))
            made = depth + 1
        depth += 1
        if first == 0 and depth >= made:
            status = FOUND
            break
    report[DEPTH] = depth
    report[GENERATED] = generated
    report[EXPANDED] = expanded
    report[LEAST_OVER] = least_over
    return status
