"""The sets of cells that tiles can occupy, the regions of the blank, and the moves between them.

A set of cells is a 64-bit word; sets of the same size are numbered in increasing order. A region is
a connected component of the cells outside a set: the blank stays in it while no tile of the pattern
moves.
"""

import numpy as np

from tilework.core.compiling import int32, int64, kernel, subroutine, types, uint8, uint64
from tilework.core.solver.kernels.constants import INDEX, TABLE, WORDS
from tilework.core.solver.kernels.instructions import count_bits, find_lowest_bit

ONE = np.uint64(1)

_SETS = types.Array(uint64, 1, "C", readonly=True)
_KINDS = types.Array(uint8, 3, "C", readonly=True)


@subroutine
def _make_masks(width, height):
    """Return the masks of all cells, those outside the left column, and those outside the right."""
    board = (ONE << np.uint64(width * height)) - ONE
    left_column = np.uint64(0)
    for row in range(height):
        left_column |= ONE << np.uint64(row * width)
    return board, board & ~left_column, board & ~(left_column << np.uint64(width - 1))


@subroutine
def _fill_region(reached, free, width, not_left, not_right):
    """Return all free cells connected to ``reached``."""
    while True:
        enlarged = reached | (reached << width) | (reached >> width)
        enlarged |= ((reached & not_right) << ONE) | ((reached & not_left) >> ONE)
        enlarged &= free
        if enlarged == reached:
            return reached
        reached = enlarged


@kernel(types.void(uint64[::1], int64))
def find_sets(sets, tiles):
    """Write the first words with ``tiles`` bits, in increasing order."""
    word = (ONE << np.uint64(tiles)) - ONE
    for number in range(sets.size):
        sets[INDEX(number)] = word
        # Gosper's hack: the next larger word with the same number of bits.
        lowest = word & (~word + ONE)
        carried = word + lowest
        word = carried | (((word ^ carried) >> np.uint64(2)) >> np.uint64(find_lowest_bit(lowest)))


@kernel(int64(_SETS, int64[::1], uint64[::1], int64, int64))
def find_regions(sets, starts, regions, width, height):
    """Find the regions outside each set of cells.

    Parameters
    ----------
    starts : int64[sets + 1], filled; the first region of each set
    regions : uint64 array, filled up to its length
        The cells of each region; the regions of a set are in the order of their lowest cells.
    width, height : int; of a board of at most 36 cells

    Returns
    -------
    int; number of regions
    """
    board, not_left, not_right = _make_masks(width, height)
    row = np.uint64(width)
    region_count = 0
    for number in range(sets.size):
        starts[number] = region_count
        free = board & ~sets[INDEX(number)]
        while free != 0:
            region = _fill_region(free & (~free + ONE), free, row, not_left, not_right)
            free ^= region
            if region_count < regions.size:
                regions[region_count] = region
            region_count += 1
    starts[sets.size] = region_count
    return region_count


@subroutine
def _rank(word, choices):
    rank = np.int64(0)
    count = 0
    while word != 0:
        count += 1
        rank += choices[INDEX(find_lowest_bit(word)), count]
        word &= word - ONE
    return rank


@kernel(
    types.void(_SETS, WORDS, _SETS, TABLE, _KINDS, int64[::1], int32[::1], uint8[::1], int64, int64)
)
def join_regions(sets, starts, regions, choices, reorders, moves, sources, kinds, width, height):
    """Find the moves of tiles that lead into each region.

    Parameters
    ----------
    sets, starts, regions, width, height; see `find_regions`
    choices : int64[cells + 1, tiles + 1]; binomial coefficients
    reorders : uint8[tiles, width, 2]
        ``kinds`` of `tilework.core.solver.pdb.building.regions.Orders`.
    moves : int64[regions + 1], filled; the first move into each region
    sources : int32 array, filled; the blank's region before each move
    kinds : uint8 array, filled; the kind of each move
    """
    _, not_left, not_right = _make_masks(width, height)
    row = np.uint64(width)
    move_count = 0
    for number in range(sets.size):
        occupied = sets[INDEX(number)]
        for index in range(starts[INDEX(number)], starts[INDEX(number + 1)]):
            moves[index] = move_count
            region = regions[INDEX(index)]
            for direction in range(4):
                # The tiles next to the region, and the step back to the cells that they came from.
                if direction == 0:
                    adjacent, step = region >> row, width
                elif direction == 1:
                    adjacent, step = region << row, -width
                elif direction == 2:
                    adjacent, step = (region & not_left) >> ONE, 1
                else:
                    adjacent, step = (region & not_right) << ONE, -1
                adjacent &= occupied
                while adjacent != 0:
                    cell = np.int64(find_lowest_bit(adjacent))
                    bit = adjacent & (~adjacent + ONE)
                    adjacent ^= bit
                    previous = ONE << np.uint64(cell + step)
                    lower, higher = min(bit, previous), max(bit, previous)
                    first = count_bits(occupied & (lower - ONE))
                    passed_tiles = count_bits(occupied & (higher - ONE) & ~(lower | (lower - ONE)))
                    source = starts[_rank(occupied ^ bit ^ previous, choices)]
                    while regions[INDEX(source)] & bit == 0:
                        source += 1
                    sources[move_count] = source
                    kinds[move_count] = reorders[first, passed_tiles, INDEX(step < 0)]
                    move_count += 1
    moves[starts[sets.size]] = move_count
