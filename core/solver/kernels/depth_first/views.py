"""Depth-first search under a threshold on f, with two additive estimates kept up by pattern.

What differs between databases is how a tile's move changes what is kept of its pattern: the kernel
that is made of this brings a function for it, which is compiled into it.
"""

from __future__ import annotations

import numpy as np

from tilework.core.compiling import inlined_part
from tilework.core.solver.kernels.constants import (
    DEPTH,
    EXHAUSTED,
    FOUND,
    INDEX,
    LOWEST_MOVE,
    NEXT_THRESHOLD,
    NO_F,
    OUT_OF_BUDGET,
)
from tilework.core.solver.kernels.depth_first.walking import blank_of, enter, leave


@inlined_part
def search_views(
    slide, tables, words, start, ways, following, allowed, slots,
    threshold, budget, path, untried, states, report,
):  # fmt: skip
    """Search what a cursor covers for a path to the goal of at most ``threshold`` moves.

    Parameters
    ----------
    slide : part of a kernel
        Gives the new word of a pattern, with its entry in the low byte, after one of its tiles
        moved: by tables, view, the pattern's place and word, tile, move, and the tile's old and
        new cell.
    tables : tuple
        What that needs.
    words : int64 array, shape (2 * patterns,), changed in place
        By pattern where it lies, those of view 0 first, and in the low byte the entry there.
    start, ways, following, allowed, slots, threshold, budget, path, untried, states, report
        As in `tilework.core.solver.kernels.depth_first.patterns.search_patterns`.

    Returns
    -------
    int
        `EXHAUSTED`, `OUT_OF_BUDGET` or `FOUND`.
    """
    cells = start.copy()
    blank = blank_of(cells)
    first_sum = 0
    second_sum = 0
    for slot in range(words.size):
        entry = words[slot] & 255
        if slot < words.size // 2:
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
        first_new = slide(tables, 0, slot, first_word, tile, move, source, INDEX(blank))
        first = first_sum - (first_word & 255) + (first_new & 255)
        if depth + 1 + first > limit:
            next_threshold = min(next_threshold, depth + 1 + first)
            continue

        second_slot = INDEX(slots[1, tile])
        second_word = words[second_slot]
        second_new = slide(tables, 1, second_slot, second_word, tile, move, source, INDEX(blank))
        second = second_sum - (second_word & 255) + (second_new & 255)
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
            enter(depth - 1, move, following, allowed, path, untried, states)
            if first == 0:
                status = FOUND
                break
    leave(report, depth, generated, expanded, next_threshold)
    return status


@inlined_part
def estimate_along(slide, tables, words, start, ways, slots, path, estimates):
    """Fill in the estimates of a board and of those that a path leads over.

    Parameters
    ----------
    slide, tables, words, start, ways, slots
        As of `search_views`.
    path : uint8 array
        Legal moves.
    estimates : int64 array, shape (path.size + 1,), filled
    """
    cells = start.copy()
    blank = blank_of(cells)
    sums = np.zeros(2, dtype=np.int64)
    for slot in range(words.size):
        sums[2 * slot // words.size] += words[slot] & 255
    estimates[0] = max(sums[0], sums[1])
    for made in range(path.size):
        move = INDEX(path[made])
        source = INDEX(blank + ways[move])
        tile = INDEX(cells[source])
        for view in range(2):
            slot = INDEX(slots[view, tile])
            word = words[slot]
            new = slide(tables, view, slot, word, tile, move, source, INDEX(blank))
            sums[view] += (new & 255) - (word & 255)
            words[slot] = new
        cells[INDEX(blank)] = np.int64(tile)
        blank = np.int64(source)
        estimates[made + 1] = max(sums[0], sums[1])
