"""Kernels that read large texts of decimal numbers and white space."""

from __future__ import annotations

import numpy as np
from numba import njit

NEWLINE = 10
ZERO, NINE = 48, 57
# Numbers stop growing here: far beyond any tile, and no int64 overflows.
SATURATED = 10**15


@njit(cache=True, nogil=True)
def count_numbers(text, begin):
    """Return how many numbers, and how many lines with a number, a text has.

    ``text`` is a flat uint8 array of digits and white space only; reading starts at ``begin``.
    """
    numbers = np.int64(0)
    rows = np.int64(0)
    in_number = False
    in_row = False
    for place in range(begin, text.size):
        digit = ZERO <= text[place] <= NINE
        if digit and not in_number:
            numbers += 1
            if not in_row:
                rows += 1
                in_row = True
        if text[place] == NEWLINE:
            in_row = False
        in_number = digit
    return numbers, rows


@njit(cache=True, nogil=True)
def read_numbers(text, begin, values, row_ends, row_begins):
    """Fill ``values`` with the numbers, ``row_ends`` with how many there are up to each line's
    end, and ``row_begins`` with the place in the text of each line's first number.

    All three are int64 arrays of the lengths that `count_numbers` returned.
    """
    numbers = np.int64(0)
    rows = np.int64(0)
    in_number = False
    in_row = False
    value = np.int64(0)
    for place in range(begin, text.size):
        character = np.int64(text[place])
        if ZERO <= character <= NINE:
            if not in_row:
                row_begins[rows] = place
                rows += 1
                in_row = True
            if value < SATURATED:
                value = value * 10 + (character - ZERO)
            in_number = True
            continue
        if in_number:
            values[numbers] = value
            numbers += 1
            row_ends[rows - 1] = numbers
            value = np.int64(0)
            in_number = False
        if character == NEWLINE:
            in_row = False
    if in_number:
        values[numbers] = value
        row_ends[rows - 1] = numbers + 1
