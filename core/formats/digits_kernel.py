"""A kernel that reads large texts of decimal numbers and whitespace."""

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
def read_numbers(text, start, values, row_ends, row_starts):
    """Read all numbers, and the positions of the lines that contain any.

    Parameters
    ----------
    text : uint8 array; digits and whitespace only
    start : int; offset in the text
    values : int32 array; output: the numbers; large enough for all
    row_ends : int64 array
        Output: the count of numbers up to the end of each line; large enough for all lines.
    row_starts : int64 array
        Output: the offset of the first number of each line; as long as ``row_ends``.

    Returns
    -------
    tuple of int; the counts of numbers and lines, and the offset of the first number greater than
        2^31 - 1, or -1
    """
    numbers = np.int64(0)
    rows = np.int64(0)
    in_number = False
    in_row = False
    value = np.int64(0)
    number_start = np.int64(0)
    for offset in range(start, text.size):
        character = np.int64(text[offset])
        if ZERO <= character <= NINE:
            if not in_number:
                in_number = True
                number_start = np.int64(offset)
                if not in_row:
                    in_row = True
                    row_starts[rows] = offset
                    rows += 1
            value = value * 10 + (character - ZERO)
            if value > LARGEST:
                return numbers, rows, number_start
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
