"""Kernels that read large texts of decimal numbers and white space."""

import numpy as np

from tilework.core.compiling import int32, int64, kernel, types, uint8

NEWLINE = 10
ZERO, NINE = 48, 57
LARGEST = 2**31 - 1


@kernel(
    types.UniTuple(int64, 3)(
        types.Array(uint8, 1, "C", readonly=True), int64, int32[::1], int64[::1], int64[::1]
    )
)
def read_numbers(text, begin, values, row_ends, row_begins):
    """Read all numbers of a text, and where the lines that have some begin and end.

    Parameters
    ----------
    text : uint8 array; digits and white space only
    begin : int; where to begin in the text
    values : int32 array; filled with the numbers; long enough for all
    row_ends : int64 array
        Filled with how many numbers there are up to each line's end; long enough for all lines.
    row_begins : int64 array
        Filled with the place in the text of each line's first number; as long as ``row_ends``.

    Returns
    -------
    tuple of int; how many numbers and lines there are, and the place of the first number that is
        more than 2^31 - 1, or -1
    """
    numbers = np.int64(0)
    rows = np.int64(0)
    in_number = False
    in_row = False
    value = np.int64(0)
    number_begin = np.int64(0)
    for place in range(begin, text.size):
        character = np.int64(text[place])
        if ZERO <= character <= NINE:
            if not in_number:
                in_number = True
                number_begin = np.int64(place)
                if not in_row:
                    in_row = True
                    row_begins[rows] = place
                    rows += 1
            value = value * 10 + (character - ZERO)
            if value > LARGEST:
                return numbers, rows, number_begin
            continue
        if in_number:
            in_number = False
            values[numbers] = value
            numbers += 1
            row_ends[rows - 1] = numbers
            value = np.int64(0)
        if character == NEWLINE:
            in_row = False
    if in_number:
        values[numbers] = value
        numbers += 1
        row_ends[rows - 1] = numbers
    return numbers, rows, np.int64(-1)
