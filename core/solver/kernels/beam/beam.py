"""One level of a beam search, whatever the estimate: which children are new, and which stay.

A level is a set of boards at one distance from the start, in rows of parallel arrays:

``boards``  uint8[width, cells + 2]   the board, then the blank's cell, then the set of moves not
                                      to make (bit m for move m): the one that leads back
``hashes``  int64[width]              of the board; equal ones are taken for the same board

A child is first only a *candidate*, a row of three more arrays; boards are made of those that stay:

``origins``  uint32   row of its parent and the move that leads from there, ``row << 2 | move``
``keys``     int64    how far it seems from the goal, then some bits of its hash to part equals
``found``             what the estimate's own kernel needs to go on from there

Children are made and estimated by `tilework.core.solver.kernels.beam.patterns` and
`tilework.core.solver.kernels.beam.lines`.
"""

import numpy as np

from tilework.core.compiling import kernel, part, types, uint8, uint32
from tilework.core.solver.kernels.constants import INDEX, OPEN_WORDS, TABLE, WORDS

TIE_BITS = 6  # bits of a key that come from the hash
TIES = (1 << TIE_BITS) - 1

# Estimates are told apart up to so far above the level's floor; the rest counts as equal
MOST_OVER = 255

KEYS = (MOST_OVER + 1) << TIE_BITS

# Places in the int64 report that every kernel which makes candidates takes.
COUNT = 0  # in and out: candidates so far
MADE = 1  # in and out: nodes generated so far
GOAL = 2  # out: origin of the goal where it was generated, -1 before
REPORT_LENGTH = 3

ROWS = types.Array(uint8, 2, "C")
ORIGINS = types.Array(uint32, 1, "C")


@part
def is_new(table, state):
    """Enter a hash into an open-addressing table; whether it was not there yet.

    The table's length is a power of two, well over the number of hashes; 0 is an empty place.
    """
    mask = table.size - 1
    place = state & mask
    while table[INDEX(place)] != 0:
        if table[INDEX(place)] == state:
            return False
        place = (place + 1) & mask
    table[INDEX(place)] = state
    return True


@part
def key_of(estimate, floor, state):
    """What candidates are ordered by: the estimate over the floor, then bits of the hash."""
    over = min(max(estimate - floor, 0), MOST_OVER)
    return over << TIE_BITS | (state >> 40) & TIES


@kernel(types.int64(WORDS, types.int64, OPEN_WORDS, OPEN_WORDS))
def choose(keys, width, counts, chosen):
    """Choose the candidates that stay: the ``width`` with the least keys.

    Parameters
    ----------
    keys : int64 array; of all candidates
    counts : int64 array, shape (KEYS,); scratch
    chosen : int64 array of at least ``width`` places, filled
        The candidates in their order; among equal keys the first are taken.

    Returns
    -------
    int; how many were chosen
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
        chosen[INDEX(count)] = candidate
        count += 1
    return count


@kernel(types.void(ROWS, WORDS, WORDS, TABLE, ORIGINS, ROWS, OPEN_WORDS))
def settle(boards, hashes, ways, zobrist, origins, next_boards, next_hashes):
    """Make the boards of the next level.

    Parameters
    ----------
    boards, hashes; this level; see the module
    ways : int64 array, shape (4,); how the blank's cell changes by each move code
    zobrist : int64 array, shape (cells, cells)
        By tile and cell; a board's hash is the exclusive or over its tiles.
    origins : uint32 array; of those that stay
    next_boards, next_hashes; the next level, filled from row 0
    """
    cells = boards.shape[1] - 2
    for row in range(origins.size):
        at = INDEX(row)
        origin = np.int64(origins[at])
        parent = INDEX(origin >> 2)
        move = origin & 3
        for cell in range(cells):
            next_boards[at, INDEX(cell)] = boards[parent, INDEX(cell)]
        blank = np.int64(boards[parent, INDEX(cells)])
        source = blank + ways[INDEX(move)]
        tile = boards[parent, INDEX(source)]
        next_boards[at, INDEX(blank)] = tile
        next_boards[at, INDEX(source)] = 0
        next_boards[at, INDEX(cells)] = source
        next_boards[at, INDEX(cells + 1)] = 1 << (move ^ 1)
        next_hashes[at] = (
            hashes[parent]
            ^ zobrist[INDEX(tile), INDEX(source)]
            ^ zobrist[INDEX(tile), INDEX(blank)]
        )
