"""Kernels over permutations too large for plain Python: one bit of scratch for each cell."""

from __future__ import annotations

import numpy as np
from numba import njit


@njit(cache=True, nogil=True)
def first_fault(values, bits):
    """Return the index of the first value out of ``0 .. n-1`` or seen before, else -1.

    ``values`` is a flat integer array of n, ``bits`` n zero bits in uint64 words (used up).
    """
    count = np.int64(values.size)
    one = np.uint64(1)
    for place in range(count):
        value = np.int64(values[place])
        if value < 0 or value >= count:
            return place
        word = value >> 6
        bit = one << np.uint64(value & 63)
        if bits[word] & bit:
            return place
        bits[word] |= bit
    return -1


@njit(cache=True, nogil=True)
def permutation_is_odd(cells, bits):
    """Return whether the permutation ``cells`` of ``0 .. n-1`` is odd, by counting its cycles.

    ``bits`` is n zero bits in uint64 words (used up).
    """
    count = np.int64(cells.size)
    one = np.uint64(1)
    odd = count & 1
    for first in range(count):
        if bits[first >> 6] & (one << np.uint64(first & 63)):
            continue
        odd ^= 1
        cell = np.int64(first)
        while True:
            bits[cell >> 6] |= one << np.uint64(cell & 63)
            cell = np.int64(cells[cell])
            if cell == first:
                break
    return odd
