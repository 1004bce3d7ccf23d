"""The sets of cells that tiles may lie on, what the blank can reach beside each, and how they join.

A set of cells is a 64-bit word; sets of as many cells are numbered by rising word. A region is a
largest connected part of the cells that a set leaves free: while no tile of the pattern moves, the
blank stays in one.
"""

import numpy as np

from tilework.core.compiling import int32, int64, kernel, subroutine, types, uint8, uint64
from tilework.core.solver.kernels.constants import INDEX, TABLE, WORDS
from tilework.core.solver.kernels.instructions import count_bits, lowest_bit

ONE = np.uint64(1)

_SETS = types.Array(uint64, 1, "C", readonly=True)
_PASSINGS = types.Array(uint8, 3, "C", readonly=True)


@subroutine
def _edges(width, height):
    """All cells, those not in the left column, and those not in the right one."""
    board = (ONE << np.uint64(width * height)) - ONE
    left_column = np.uint64(0)
    for row in range(height):
        left_column |= ONE << np.uint64(row * width)
    return board, board & ~left_column, board & ~(left_column << np.uint64(width - 1))


@subroutine
def _spread(reached, free, width, not_left, not_right):
    """All of the free cells connected to ``reached``."""
    while True:
        grown = reached | (reached << width) | (reached >> width)
        grown |= ((reached & not_right) << ONE) | ((reached & not_left) >> ONE)
        grown &= free
        if grown == reached:
            return reached
        reached = grown


@kernel(types.void(uint64[::1], int64))
def find_sets(sets, tiles):
    """Write the first words with so many bits, by rising word, to a uint64 array."""
    word = (ONE << np.uint64(tiles)) - ONE
    for number in range(sets.size):
        sets[INDEX(number)] = word
        # The lowest run of bits: its highest goes up by one, the others down to the end.
        lowest = word & (~word + ONE)
        above = word + lowest
        word = above | (((word ^ above) >> np.uint64(2)) >> np.uint64(lowest_bit(lowest)))


@kernel(int64(_SETS, int64[::1], uint64[::1], int64, int64))
def find_regions(sets, begins, regions, width, height):
    """Find the regions that each set of cells leaves.

    Parameters
    ----------
    begins : int64 array, shape (sets + 1,), written
        By set, where its regions begin; they end where the next begin.
    regions : uint64 array, written as far as it goes
        The cells of each region, that with the lowest cell first within a set.
    width, height : int; at most 36 cells

    Returns
    -------
    int; how many regions there are
    """
    board, not_left, not_right = _edges(width, height)
    row = np.uint64(width)
    found = 0
    for number in range(sets.size):
        begins[number] = found
        free = board & ~sets[INDEX(number)]
        while free != 0:
            region = _spread(free & (~free + ONE), free, row, not_left, not_right)
            free ^= region
            if found < regions.size:
                regions[found] = region
            found += 1
    begins[sets.size] = found
    return found


@subroutine
def _rank(word, choices):
    rank = np.int64(0)
    count = 0
    while word != 0:
        count += 1
        rank += choices[INDEX(lowest_bit(word)), count]
        word &= word - ONE
    return rank


@kernel(
    types.void(
        _SETS, WORDS, _SETS, TABLE, _PASSINGS, int64[::1], int32[::1], uint8[::1], int64, int64
    )
)
def join_regions(sets, begins, regions, choices, passings, moves, sources, kinds, width, height):
    """Find the moves of tiles that lead into each region.

    Parameters
    ----------
    sets, begins, regions, width, height; as `find_regions` has them
    choices : int64[cells + 1, tiles + 1]; binomial coefficients
    passings : uint8[tiles, width, 2]; the kind of a move by the number of the first tile concerned,
        by rising cell, by how many are passed, and by whether the tile goes to a higher cell
    moves : int64[regions + 1], written
        By region, where the moves into it begin; they end where the next begin.
    sources : int32 array, written; by move the region that the blank is in before
    kinds : uint8 array of the same shape, written; by move how the order of the tiles changes
    """
    _, not_left, not_right = _edges(width, height)
    row = np.uint64(width)
    found = 0
    for number in range(sets.size):
        occupied = sets[INDEX(number)]
        for place in range(begins[INDEX(number)], begins[INDEX(number + 1)]):
            moves[place] = found
            region = regions[INDEX(place)]
            for way in range(4):
                # The tiles beside the region, and by how many cells each came away from there.
                if way == 0:
                    beside, step = region >> row, width
                elif way == 1:
                    beside, step = region << row, -width
                elif way == 2:
                    beside, step = (region & not_left) >> ONE, 1
                else:
                    beside, step = (region & not_right) << ONE, -1
                beside &= occupied
                while beside != 0:
                    cell = np.int64(lowest_bit(beside))
                    bit = beside & (~beside + ONE)
                    beside ^= bit
                    before = ONE << np.uint64(cell + step)
                    lower, higher = min(bit, before), max(bit, before)
                    first = count_bits(occupied & (lower - ONE))
                    passed = count_bits(occupied & (higher - ONE) & ~(lower | (lower - ONE)))
                    source = begins[_rank(occupied ^ bit ^ before, choices)]
                    while regions[INDEX(source)] & bit == 0:
                        source += 1
                    sources[found] = source
                    kinds[found] = passings[first, passed, INDEX(step < 0)]
                    found += 1
    moves[begins[sets.size]] = found
