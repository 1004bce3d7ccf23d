"""Blocks that are the same but for a symmetry of the square, numbered once."""

from __future__ import annotations

import numpy as np

from tilework.core.compiling import int32, kernel, part, types, void
from tilework.core.solver.kernels.constants import INDEX
from tilework.core.solver.kernels.learned.potential import BLANK_CODE, CODES


@part
def _image(code, transposed, down, right):
    """The code of what a symmetry makes of a tile's way."""
    if code >= BLANK_CODE:
        return code
    row = down * (code // 5 - 2)
    column = right * (code % 5 - 2)
    if transposed:
        row, column = column, row
    return (row + 2) * 5 + column + 2


@kernel(void(types.Array(int32, 1, "C")))
def canonical_blocks(out):
    """Fill in, by block, the least number of a block that is the same to a potential.

    Parameters
    ----------
    out : int32 array, shape (CODES ** 4,)
        A block's number has its codes as digits: upper left, upper right, lower left, lower right.
    """
    images = np.empty((8, CODES), dtype=np.int64)
    for symmetry in range(8):
        down = 1 - (symmetry & 2)
        right = 1 - (symmetry >> 1 & 2)
        for code in range(CODES):
            images[symmetry, code] = _image(code, symmetry & 1, down, right)
    for block in range(out.size):
        lower_right = block % CODES
        lower_left = block // CODES % CODES
        upper_right = block // (CODES * CODES) % CODES
        upper_left = block // (CODES * CODES * CODES)
        least = block
        for symmetry in range(8):
            a, b, c, d = upper_left, upper_right, lower_left, lower_right
            if symmetry & 2:
                a, b, c, d = c, d, a, b
            if symmetry & 4:
                a, b, c, d = b, a, d, c
            if symmetry & 1:
                b, c = c, b
            image = images[symmetry, a] * CODES + images[symmetry, b]
            image = (image * CODES + images[symmetry, c]) * CODES + images[symmetry, d]
            least = min(least, image)
        out[INDEX(block)] = least
