"""Compiled loops over huge boards: moves, and the parity of a permutation."""

import numpy as np

from tilework.core.compiling import int32, int64, kernel, subroutine, types, uint8, uint64


@kernel(int64(int32[::1], int64, int64, int64, types.Array(uint8, 1, "C", readonly=True)))
def slide(cells, width, height, blank, moves):
    """Make moves on a flat int32 array; return the blank's cell, or -1 at an illegal move.

    ``moves`` is a contiguous uint8 array of codes.
    """
    row = np.int64(blank) // width
    column = np.int64(blank) % width
    for move in moves:
        # Without branches, which would be hard to predict
        is_horizontal = np.int64(move >> 1)
        step = 1 - 2 * np.int64(move & 1)
        row += step * (1 - is_horizontal)
        column += step * is_horizontal
        if move > 3 or row < 0 or row >= height or column < 0 or column >= width:
            return np.int64(-1)
        cell = row * width + column
        cells[blank] = cells[cell]
        blank = cell
    return np.int64(blank)


BUCKETS = 64
# Values gathered at a time: the scratch is two int32 arrays of at most this many
GROUP = 1 << 26
# Values whose cycles are followed at a time: 64 KB of int32 fit the cache of a core
CACHED = 1 << 14

_CELLS = types.Array(int32, 1, "C", readonly=True)
_NUMBERS = types.Array(int64, 1, "C", readonly=True)


@kernel(int64(_CELLS, uint64[::1]), int64(_NUMBERS, uint64[::1]))
def find_invalid_value(values, bits):
    """Return the index of the first value outside ``0 .. n-1`` or repeated; -1 for none.

    ``bits`` are n zero bits in uint64 words, overwritten.
    """
    count = np.int64(values.size)
    one = np.uint64(1)
    for index in range(count):
        value = np.int64(values[index])
        if value < 0 or value >= count:
            return index
        word = value >> 6
        bit = one << np.uint64(value & 63)
        if bits[word] & bit:
            return index
        bits[word] |= bit
    return -1


@kernel(int64(_CELLS, int64))
def permutation_is_odd(cells, group):
    """Return 1 if the permutation ``cells`` of ``0 .. n-1`` is odd, else 0.

    Following cycles through gigabytes costs a cache miss per cell, so the cells are first
    partitioned by value, in a stable way. The partitioning is itself a permutation; its parity is
    that of the inversions it removes. Each part is then a permutation of its range.

    Parameters
    ----------
    group : int; values per part, at least n / 64; the scratch takes 8 bytes for each
    """
    count = np.int64(cells.size)
    group_size = min(count, np.int64(group))
    first = np.empty(group_size, np.int32)
    second = np.empty(group_size, np.int32)
    odd = np.int64(0)
    if count > group_size:
        odd ^= _parity_between_groups(cells, group_size)
    for low in range(0, count, group_size):
        high = min(low + group_size, count)
        _gather(cells, low, high, first)
        odd ^= _part_is_odd(first[: high - low], second[: high - low])
    return odd


@subroutine
def _parity_between_groups(cells, size):
    """Return the parity of the inversions between values of different groups of ``size``."""
    odd = np.int64(0)
    one = np.uint64(1)
    later_groups_odd = np.uint64(0)
    for index in range(cells.size):
        bucket = np.uint64(np.int64(cells[index]) // size)
        odd ^= np.int64((later_groups_odd >> bucket) & one)
        later_groups_odd ^= (one << bucket) - one
    return odd


@subroutine
def _gather(cells, low, high, out):
    """Write the values in ``low .. high-1``, minus ``low``, to ``out`` in order."""
    filled = np.int64(0)
    for index in range(cells.size):
        value = np.int64(cells[index])
        if low <= value < high:
            out[filled] = value - low
            filled += 1


@subroutine
def _part_is_odd(first, second):
    """Return the parity of the permutation in ``first``; both arrays are overwritten."""
    count = np.int64(first.size)
    shift = np.int64(0)
    while (count - 1) >> shift >= BUCKETS:
        shift += 1
    odd = _spread(first, second, 0, count, shift)
    fine_shift = max(shift - 6, np.int64(0))
    size = np.int64(1) << shift
    for low in range(0, count, size):
        high = min(low + size, count)
        if size <= CACHED:
            odd ^= _follow_cycles(second, low, high)
        else:
            odd ^= _spread(second, first, low, high, fine_shift)
            for sub_low in range(low, high, 1 << fine_shift):
                odd ^= _follow_cycles(first, sub_low, min(sub_low + (1 << fine_shift), high))
    return odd


@subroutine
def _spread(source, target, low, high, shift):
    """Partition ``source[low:high]``, a permutation of its range, into buckets of ``1 << shift``.

    Each bucket is written to ``target`` at the indices of its values. Returns the parity of the
    inversions that this removes. Bit k of ``later_odd`` is the parity of the number of values so
    far in buckets after k.
    """
    ends = np.empty(BUCKETS, np.int64)
    for bucket in range(BUCKETS):
        ends[bucket] = low + (np.int64(bucket) << shift)
    odd = np.int64(0)
    one = np.uint64(1)
    later_odd = np.uint64(0)
    for index in range(low, high):
        value = np.int64(source[index])
        bucket = (value - low) >> shift
        odd ^= np.int64((later_odd >> np.uint64(bucket)) & one)
        later_odd ^= (one << np.uint64(bucket)) - one
        target[ends[bucket]] = value
        ends[bucket] += 1
    return odd


@subroutine
def _follow_cycles(values, low, high):
    """Return the parity of the permutation in ``values[low:high]``, which is overwritten."""
    odd = (high - low) & 1
    for first in range(low, high):
        if values[first] < 0:
            continue
        odd ^= 1
        index = np.int64(first)
        while values[index] >= 0:
            next_index = np.int64(values[index])
            values[index] = -1
            index = next_index
    return odd
