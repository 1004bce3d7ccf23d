"""The distances of all boards of one size, in two bits per board.

The tiles in the order of their cells, without the blank, are a permutation. Its Lehmer code
consists of the number of smaller tiles after each tile. Read as digits in decreasing bases, the
code is the rank of the permutation. Half of the permutations cannot be reached: the second to last
digit, 0 or 1, follows from the others and is omitted.

A move takes one tile past some of its neighbours in that order, or none. The effect of swapping two
neighbours follows from the code (D. E. Knuth, The Art of Computer Programming, volume 3, section
5.1.1, on inversion tables), so permutations are never written out.
"""

import numpy as np

from tilework.core.compiling import int64, kernel, subroutine, types, uint8, uint64
from tilework.core.solver.kernels.constants import (
    BYTES,
    INDEX,
    WORDS,
    WRITABLE_BYTES,
    WRITABLE_WORDS,
)


@subroutine
def decode_rank(rank, weights, parity, code):
    """Compute the Lehmer code of a rank."""
    last = code.size - 2
    total = 0
    for index in range(last):
        code[index] = rank // weights[index]
        rank -= code[index] * weights[index]
        total += code[index]
    code[last] = (parity - total) & 1
    code[last + 1] = 0


@subroutine
def rank_change(code, origin, target, weights):
    """Return the change of the rank when a tile moves to another position in the order."""
    digit = code[origin]
    change = 0
    if origin < target:
        for index in range(origin, target):
            other = code[index + 1]
            if digit <= other:
                other += 1
            else:
                digit -= 1
            change += (other - code[index]) * weights[index]
    else:
        for index in range(origin, target, -1):
            other = code[index - 1]
            if other <= digit:
                digit += 1
            else:
                other -= 1
            change += (other - code[index]) * weights[index]
    return change + (digit - code[target]) * weights[target]


@subroutine
def number_change(code, blank, cell, weights):
    """Return the change of a board's number when the blank moves to another cell.

    A board's number is its permutation's rank plus the blank's cell times the number of ranks.
    """
    ranks = weights[0] * code.size
    origin = cell - 1 if cell > blank else cell
    target = blank - 1 if blank > cell else blank
    return (cell - blank) * ranks + rank_change(code, origin, target, weights)


UNSEEN = 3  # entry of a board that is not reached yet; other entries are distances modulo 3
_NEIGHBORS = types.Array(types.int8, 2, "C", readonly=True)


@kernel(int64(uint8[::1], uint64[::1], uint64[::1], int64, WORDS, BYTES, _NEIGHBORS))
def flood_distances(entries, level, next_level, remainder, weights, parities, neighbors):
    """Find the boards of the next level by making all moves on those of this level.

    Parameters
    ----------
    entries : uint8 array, changed in place; four boards per byte, the first in its lowest bits
    level, next_level : uint64 array
        One bit per board, for this level and for the next one, which is initially empty.
    remainder : int; the distance of the next level, modulo 3
    weights, parities, neighbors; see `tilework.core.solver.distances.table.DistanceTable`

    Returns
    -------
    int; number of boards of the next level
    """
    code = np.empty(weights.size, dtype=np.int64)
    ranks = weights[0] * weights.size
    new_boards = 0
    for index in range(level.size):
        word = level[index]
        while word:
            lowest = word & (~word + np.uint64(1))
            word ^= lowest
            bit = 0
            while lowest > np.uint64(1):
                lowest >>= np.uint64(1)
                bit += 1
            number = 64 * index + bit
            blank = number // ranks
            decode_rank(number - blank * ranks, weights, parities[blank], code)
            for move in range(4):
                cell = np.int64(neighbors[blank, move])
                if cell < 0:
                    continue
                neighbor = number + number_change(code, blank, cell, weights)
                shift = np.uint8(2 * (neighbor & 3))
                entry = entries[INDEX(neighbor >> 2)]
                if entry >> shift & UNSEEN == UNSEEN:
                    entries[INDEX(neighbor >> 2)] = entry ^ np.uint8((UNSEEN ^ remainder) << shift)
                    next_level[INDEX(neighbor >> 6)] |= np.uint64(1) << np.uint64(neighbor & 63)
                    new_boards += 1
    return new_boards


@kernel(int64(BYTES, int64, int64, WORDS, BYTES, _NEIGHBORS, WRITABLE_BYTES, WRITABLE_WORDS))
def follow_distances(entries, number, goal, weights, parities, neighbors, moves, numbers):
    """Follow moves to boards at smaller distances until the goal is reached.

    Distances of neighbours differ by one, so the distances modulo 3 identify the nearer ones.

    Parameters
    ----------
    entries, weights, parities, neighbors; see `flood_distances`
    number, goal : int; of the board and of the goal
    moves : uint8 array, filled with the moves; it has room for the longest solution
    numbers : int64[moves.size], filled with the numbers of the boards after them

    Returns
    -------
    int; number of moves, or -1 if the entries are wrong
    """
    code = np.empty(weights.size, dtype=np.int64)
    ranks = weights[0] * weights.size
    residue = entries[INDEX(number >> 2)] >> (2 * (number & 3)) & 3
    for count in range(moves.size + 1):
        if number == goal:
            return count
        if count == moves.size or residue == 3:
            return -1
        nearer = (residue + 2) % 3
        blank = number // ranks
        decode_rank(number - blank * ranks, weights, parities[blank], code)
        previous = number
        for move in range(4):
            cell = np.int64(neighbors[blank, move])
            if cell < 0:
                continue
            neighbor = previous + number_change(code, blank, cell, weights)
            if entries[INDEX(neighbor >> 2)] >> (2 * (neighbor & 3)) & 3 == nearer:
                moves[count], numbers[count] = move, neighbor
                number, residue = neighbor, nearer
                break
        if number == previous:
            return -1
    return -1
