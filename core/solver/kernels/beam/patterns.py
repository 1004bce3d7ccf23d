"""Children of a beam's boards, estimated with additive pattern databases.

What a board brings along, in rows beside those of `tilework.core.solver.kernels.beam.beam`:

``words``  int64[width, slots]   by pattern its index, and in the low byte the entry there
``sums``   int64[width, views]   by view the sum of its patterns' entries

Candidates are cut by the greatest sum, which never overestimates, and ordered by the total of all
sums, which tells boards apart better.
"""

import numpy as np

from tilework.core.compiling import kernel, types
from tilework.core.solver.kernels.beam.beam import COUNT, GOAL, MADE, ORIGINS, ROWS, is_new, key_of
from tilework.core.solver.kernels.constants import (
    BYTES,
    INDEX,
    OPEN_TABLE,
    OPEN_WORDS,
    TABLE,
    TABLES,
    WORDS,
)
from tilework.core.solver.kernels.instructions import prefetch

_BLOCK = 64


@kernel(
    types.void(
        BYTES, TABLE, TABLES, WORDS, BYTES, TABLE, ROWS, TABLE, TABLE, WORDS,
        types.int64, types.int64, types.int64, types.int64,
        OPEN_WORDS, OPEN_WORDS, ORIGINS, ROWS, OPEN_WORDS,
    )
)  # fmt: skip
def expand_patterns(
    entries, slots, steps, ways, legal, zobrist, boards, words, sums, hashes, first, last, room,
    floor, table, keys, origins, found, report,
):  # fmt: skip
    """Make candidates of the children of some boards.

    Parameters
    ----------
    entries, slots, steps, ways, legal; as in
        `tilework.core.solver.kernels.depth_first.digits.search_digits`, for any number of views
    zobrist, boards, hashes, keys, origins, report; see `tilework.core.solver.kernels.beam.beam`
    words, sums; see the module
    first, last : int; the rows to expand
    room : int; children whose estimate is over this are cut
    floor : int; no child's total is less
    table : int64 array; hashes of the level's candidates so far
    found : uint8[candidates, views]; by view, the entry of the pattern whose tile moved
    """
    views, cells = slots.shape
    # Of the children of a block: the origin, by view where to read and what was read there, and of
    # those that are not cut the total and the hash. Whatever is far away in memory is asked for
    # before any of it is used: so the waits overlap.
    made = np.empty(4 * _BLOCK, dtype=np.int64)
    places = np.empty((4 * _BLOCK, views), dtype=np.int64)
    read = np.empty((4 * _BLOCK, views), dtype=np.int64)
    totals = np.empty(4 * _BLOCK, dtype=np.int64)
    states = np.empty(4 * _BLOCK, dtype=np.int64)
    mask = table.size - 1
    count = report[COUNT]
    for start in range(first, last, _BLOCK):
        children = 0
        for row in range(start, min(start + _BLOCK, last)):
            at = INDEX(row)
            blank = np.int64(boards[at, INDEX(cells)])
            moves = np.int64(legal[INDEX(blank)]) & ~np.int64(boards[at, INDEX(cells + 1)])
            for move in range(4):
                if (moves >> move) & 1 == 0:
                    continue
                tile = INDEX(boards[at, INDEX(blank + ways[INDEX(move)])])
                for view in range(views):
                    slot = INDEX(slots[INDEX(view), tile])
                    step = steps[INDEX(view), tile, INDEX(move)]
                    place = (words[at, slot] >> 8) + step
                    prefetch(entries, place)
                    places[INDEX(children), INDEX(view)] = place
                made[INDEX(children)] = row << 2 | move
                children += 1
        report[MADE] += children
        kept = 0
        for child in range(children):
            origin = made[INDEX(child)]
            at = INDEX(origin >> 2)
            blank = np.int64(boards[at, INDEX(cells)])
            source = blank + ways[INDEX(origin & 3)]
            tile = INDEX(boards[at, INDEX(source)])
            greatest = 0
            total = 0
            for view in range(views):
                entry = np.int64(entries[INDEX(places[INDEX(child), INDEX(view)])])
                old = words[at, INDEX(slots[INDEX(view), tile])] & 255
                estimate = sums[at, INDEX(view)] - old + entry
                greatest = max(greatest, estimate)
                total += estimate
                read[INDEX(kept), INDEX(view)] = entry
            if greatest > room:
                continue
            if greatest == 0:
                report[GOAL] = origin
                return
            state = hashes[at] ^ zobrist[tile, INDEX(source)] ^ zobrist[tile, INDEX(blank)]
            prefetch(table, state & mask)
            made[INDEX(kept)] = origin
            totals[INDEX(kept)] = total
            states[INDEX(kept)] = state
            kept += 1
        for child in range(kept):
            state = states[INDEX(child)]
            if not is_new(table, state):
                continue
            keys[INDEX(count)] = key_of(totals[INDEX(child)], floor, state)
            origins[INDEX(count)] = made[INDEX(child)]
            for view in range(views):
                found[INDEX(count), INDEX(view)] = read[INDEX(child), INDEX(view)]
            count += 1
    report[COUNT] = count


@kernel(
    types.void(
        TABLE, TABLES, WORDS, ROWS, TABLE, TABLE, ORIGINS, ROWS, OPEN_TABLE, OPEN_TABLE,
    )
)  # fmt: skip
def carry_patterns(slots, steps, ways, boards, words, sums, origins, found, next_words, next_sums):
    """Work out words and sums of the next level.

    Parameters
    ----------
    slots, steps, ways, boards, words, sums; as for `expand_patterns`
    origins, found; of those that stay
    next_words, next_sums; filled from row 0
    """
    views, cells = slots.shape
    for row in range(origins.size):
        at = INDEX(row)
        origin = np.int64(origins[at])
        parent = INDEX(origin >> 2)
        move = INDEX(origin & 3)
        blank = np.int64(boards[parent, INDEX(cells)])
        tile = INDEX(boards[parent, INDEX(blank + ways[move])])
        for slot in range(words.shape[1]):
            next_words[at, INDEX(slot)] = words[parent, INDEX(slot)]
        for view in range(views):
            slot = INDEX(slots[INDEX(view), tile])
            word = words[parent, slot]
            entry = np.int64(found[at, INDEX(view)])
            next_words[at, slot] = ((word >> 8) + steps[INDEX(view), tile, move]) << 8 | entry
            next_sums[at, INDEX(view)] = sums[parent, INDEX(view)] - (word & 255) + entry
