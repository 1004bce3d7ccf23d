"""One level of a beam search with pattern databases.

A level is a set of boards at one distance from the start, in rows of parallel arrays:

``boards``  uint8[width, cells + 2]   the board, then the blank's cell, then the moves to skip
                                      (bit m for move m): the one that undoes the last move
``hashes``  int64[width]              boards with equal hashes are considered the same
``words``   int64[width, slots]       by pattern, its index, with the entry in the low byte
``sums``    int64[width, views]       by view, the sum of its patterns' entries

A child is first a *candidate*, a row of three more arrays; only selected ones become boards:

``origins``     uint32        its parent's row and the move from there, ``row << 2 | move``
``keys``        int64         its estimate, then some bits of its hash to break ties
``new_entries`` uint8[views]  by view, the new entry of the pattern whose tile moved

Candidates are pruned by the greatest sum, which never overestimates, and ordered by the total of
all sums, which distinguishes boards better.
"""

import numpy as np

from tilework.core.compiling import kernel, subroutine, types, uint8, uint32
from tilework.core.solver.kernels.constants import (
    BYTES,
    INDEX,
    TABLE,
    TABLES,
    WORDS,
    WRITABLE_TABLE,
    WRITABLE_WORDS,
)
from tilework.core.solver.kernels.instructions import prefetch

TIE_BITS = 6  # bits of a key that come from the hash
TIES = (1 << TIE_BITS) - 1

# Estimates above the level's floor by more than this are considered equal
MAX_EXCESS = 255

KEYS = (MAX_EXCESS + 1) << TIE_BITS

# Indices in the int64 report of `expand_patterns`.
COUNT = 0  # input and output: candidates so far
NODES = 1  # input and output: nodes generated so far
GOAL = 2  # output: origin of the goal once it has been generated, otherwise -1
REPORT_LENGTH = 3

_BLOCK = 64  # boards whose children are prefetched together

ROWS = types.Array(uint8, 2, "C")
ORIGINS = types.Array(uint32, 1, "C")


@subroutine
def is_new(table, state):
    """Insert a hash into an open-addressing table; return whether it is new.

    The table's length is a power of two, well above the number of hashes; 0 is an empty slot.
    """
    mask = table.size - 1
    index = state & mask
    while table[INDEX(index)] != 0:
        if table[INDEX(index)] == state:
            return False
        index = (index + 1) & mask
    table[INDEX(index)] = state
    return True


@subroutine
def candidate_key(estimate, floor, state):
    """Return the sort key of a candidate: the estimate above the floor, then bits of the hash."""
    excess = min(max(estimate - floor, 0), MAX_EXCESS)
    return excess << TIE_BITS | (state >> 40) & TIES


@kernel(types.int64(WORDS, types.int64, WRITABLE_WORDS, WRITABLE_WORDS))
def select_best(keys, width, counts, selection):
    """Select up to ``width`` candidates with the smallest keys; return their number.

    Parameters
    ----------
    keys : int64 array; of all candidates
    counts : int64[KEYS]; scratch
    selection : int64[width], filled
        The selected candidates in order; of those with equal keys, the first ones.
    """
    for key in range(KEYS):
        counts[INDEX(key)] = 0
    for candidate in range(keys.size):
        counts[INDEX(keys[INDEX(candidate)])] += 1
    room = width
    last = 0
    while last < KEYS and counts[INDEX(last)] <= room:
        room -= counts[INDEX(last)]
        last += 1
    count = 0
    for candidate in range(keys.size):
        key = keys[INDEX(candidate)]
        if key > last:
            continue
        if key == last:
            if room == 0:
                continue
            room -= 1
        selection[INDEX(count)] = candidate
        count += 1
    return count


@kernel(types.void(ROWS, WORDS, WORDS, TABLE, ORIGINS, ROWS, WRITABLE_WORDS))
def make_boards(boards, hashes, move_steps, zobrist, origins, next_boards, next_hashes):
    """Create the boards of the next level.

    Parameters
    ----------
    boards, hashes; this level; see the module
    move_steps : int64[4]; change of the blank's cell by each move code
    zobrist : int64[cells, cells]; words by tile and cell, combined by exclusive or
    origins : uint32 array; of the selected candidates
    next_boards, next_hashes; the next level, filled from row 0
    """
    cells = boards.shape[1] - 2
    for row in range(origins.size):
        i = INDEX(row)
        origin = np.int64(origins[i])
        parent = INDEX(origin >> 2)
        move = origin & 3
        for cell in range(cells):
            next_boards[i, INDEX(cell)] = boards[parent, INDEX(cell)]
        blank = np.int64(boards[parent, INDEX(cells)])
        source = blank + move_steps[INDEX(move)]
        tile = boards[parent, INDEX(source)]
        next_boards[i, INDEX(blank)] = tile
        next_boards[i, INDEX(source)] = 0
        next_boards[i, INDEX(cells)] = source
        next_boards[i, INDEX(cells + 1)] = 1 << (move ^ 1)
        next_hashes[i] = (
            hashes[parent]
            ^ zobrist[INDEX(tile), INDEX(source)]
            ^ zobrist[INDEX(tile), INDEX(blank)]
        )


@kernel(
    types.void(
        BYTES, types.int64, TABLE, TABLES, WORDS, BYTES, TABLE, ROWS, TABLE, TABLE, WORDS,
        types.int64, types.int64, types.int64, types.int64,
        WRITABLE_WORDS, WRITABLE_WORDS, ORIGINS, ROWS, WRITABLE_WORDS,
    )
)  # fmt: skip
def expand_patterns(
    entries, distance_mask, slots, steps, move_steps, legal, zobrist, boards, words, sums, hashes,
    first, last, room, floor, table, keys, origins, new_entries, report,
):  # fmt: skip
    """Generate candidates from the children of some boards.

    Parameters
    ----------
    distance_mask : int; the bits of an entry that are its distance
    entries, slots, steps, move_steps, legal; see
        `tilework.core.solver.kernels.depth_first.digits.search_digits`, for any number of views
    zobrist; see `make_boards`
    boards, words, sums, hashes, keys, origins, new_entries, report; see the module
    first, last : int; the rows to expand
    room : int; children with a greater estimate are pruned
    floor : int; minimum total of any child
    table : int64 array; hashes of the level's candidates so far
    """
    views, cells = slots.shape
    # The children of a block: their origins; by view, their indices and entries; and the totals and
    # hashes of those that are not pruned. All reads of large tables are prefetched before any is
    # used, so that the waits overlap.
    block_origins = np.empty(4 * _BLOCK, dtype=np.int64)
    indices = np.empty((4 * _BLOCK, views), dtype=np.int64)
    block_entries = np.empty((4 * _BLOCK, views), dtype=np.int64)
    totals = np.empty(4 * _BLOCK, dtype=np.int64)
    states = np.empty(4 * _BLOCK, dtype=np.int64)
    mask = table.size - 1
    count = report[COUNT]
    for start in range(first, last, _BLOCK):
        children = 0
        for row in range(start, min(start + _BLOCK, last)):
            i = INDEX(row)
            blank = np.int64(boards[i, INDEX(cells)])
            moves = np.int64(legal[INDEX(blank)]) & ~np.int64(boards[i, INDEX(cells + 1)])
            for move in range(4):
                if (moves >> move) & 1 == 0:
                    continue
                tile = INDEX(boards[i, INDEX(blank + move_steps[INDEX(move)])])
                for view in range(views):
                    slot = INDEX(slots[INDEX(view), tile])
                    step = steps[INDEX(view), tile, INDEX(move)]
                    index = (words[i, slot] >> 8) + step
                    prefetch(entries, index)
                    indices[INDEX(children), INDEX(view)] = index
                block_origins[INDEX(children)] = row << 2 | move
                children += 1
        report[NODES] += children
        child_count = 0
        for child in range(children):
            origin = block_origins[INDEX(child)]
            i = INDEX(origin >> 2)
            blank = np.int64(boards[i, INDEX(cells)])
            source = blank + move_steps[INDEX(origin & 3)]
            tile = INDEX(boards[i, INDEX(source)])
            maximum = 0
            total = 0
            for view in range(views):
                entry = np.int64(entries[INDEX(indices[INDEX(child), INDEX(view)])])
                entry &= distance_mask
                old_entry = words[i, INDEX(slots[INDEX(view), tile])] & 255
                estimate = sums[i, INDEX(view)] - old_entry + entry
                maximum = max(maximum, estimate)
                total += estimate
                block_entries[INDEX(child_count), INDEX(view)] = entry
            if maximum > room:
                continue
            if maximum == 0:
                report[GOAL] = origin
                return
            state = hashes[i] ^ zobrist[tile, INDEX(source)] ^ zobrist[tile, INDEX(blank)]
            prefetch(table, state & mask)
            block_origins[INDEX(child_count)] = origin
            totals[INDEX(child_count)] = total
            states[INDEX(child_count)] = state
            child_count += 1
        for child in range(child_count):
            state = states[INDEX(child)]
            if not is_new(table, state):
                continue
            keys[INDEX(count)] = candidate_key(totals[INDEX(child)], floor, state)
            origins[INDEX(count)] = block_origins[INDEX(child)]
            for view in range(views):
                new_entries[INDEX(count), INDEX(view)] = block_entries[INDEX(child), INDEX(view)]
            count += 1
    report[COUNT] = count


@kernel(
    types.void(
        TABLE, TABLES, WORDS, ROWS, TABLE, TABLE, ORIGINS, ROWS, WRITABLE_TABLE, WRITABLE_TABLE,
    )
)  # fmt: skip
def update_patterns(
    slots, steps, move_steps, boards, words, sums, origins, new_entries, next_words, next_sums
):
    """Compute words and sums of the next level.

    Parameters
    ----------
    slots, steps, move_steps, boards, words, sums; see `expand_patterns`
    origins, new_entries; of the selected candidates
    next_words, next_sums; filled from row 0
    """
    views, cells = slots.shape
    for row in range(origins.size):
        i = INDEX(row)
        origin = np.int64(origins[i])
        parent = INDEX(origin >> 2)
        move = INDEX(origin & 3)
        blank = np.int64(boards[parent, INDEX(cells)])
        tile = INDEX(boards[parent, INDEX(blank + move_steps[move])])
        for slot in range(words.shape[1]):
            next_words[i, INDEX(slot)] = words[parent, INDEX(slot)]
        for view in range(views):
            slot = INDEX(slots[INDEX(view), tile])
            word = words[parent, slot]
            entry = np.int64(new_entries[i, INDEX(view)])
            next_words[i, slot] = ((word >> 8) + steps[INDEX(view), tile, move]) << 8 | entry
            next_sums[i, INDEX(view)] = sums[parent, INDEX(view)] - (word & 255) + entry
