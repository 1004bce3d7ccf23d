"""The parts of the learned potential that a move changes.

``codes``, uint8[positions], has a class for each position: that of its tile's displacement,
`BLANK_CODE`, or `BORDER_CODE` on the border around the board. Rows of the padded board are
``pitch`` apart; see `tilework.core.solver.large.learned.potential`.

The potential is a sum of entries of tables, in units of 1/`SCALE` moves:

``unary``   int32[displacements]    for each tile, by its displacement
``blocks``  int16[CODES ** 4]       for each 2×2 block of cells, including those on the border
``near``    int16[NEAR, NEAR]       by sum of distances and the blank's distance; 0 from `NEAR` on
"""

import numpy as np

from tilework.core.compiling import int32, kernel, subroutine, types, void
from tilework.core.solver.kernels.constants import INDEX


@subroutine
def _transform_code(code, transposed, down, right):
    if code >= BLANK_CODE:
        return code
    row = down * (code // 5 - 2)
    column = right * (code % 5 - 2)
    if transposed:
        row, column = column, row
    return (row + 2) * 5 + column + 2


@kernel(void(types.Array(int32, 1, "C")))
def canonical_blocks(out):
    """Write the smallest number of each block's symmetric blocks.

    Parameters
    ----------
    out : int32[CODES ** 4]
        A block's number has its codes as digits: upper left, upper right, lower left, lower right.
    """
    images = np.empty((8, CODES), dtype=np.int64)
    for symmetry in range(8):
        down = 1 - (symmetry & 2)
        right = 1 - (symmetry >> 1 & 2)
        for code in range(CODES):
            images[symmetry, code] = _transform_code(code, symmetry & 1, down, right)
    for block in range(out.size):
        lower_right = block % CODES
        lower_left = block // CODES % CODES
        upper_right = block // (CODES * CODES) % CODES
        upper_left = block // (CODES * CODES * CODES)
        minimum = block
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
            minimum = min(minimum, image)
        out[INDEX(block)] = minimum


SCALE = 128  # units of the potential in one move
BLANK_CODE = 25
BORDER_CODE = 26
# Number of classes of a cell: five row distances times five column distances, blank, and border
CODES = 27
NEAR = 40  # boards with this sum of distances or more are not near the goal
INDICES = types.Array(int32, 1, "C", readonly=True)
BLOCKS = types.Array(types.int16, 1, "C", readonly=True)
NEAR_TABLE = types.Array(types.int16, 2, "C", readonly=True)


@subroutine
def sum_block_row(blocks, codes, start, step, across, count):
    """Return the sum of ``count`` blocks along two rows of cells, from ``start`` on.

    ``step`` goes along the rows and ``across`` from the upper to the lower row. If ``step`` is not
    1, the "rows" are columns, and blocks are read transposed.
    """
    total = np.int64(0)
    upper = np.int64(codes[INDEX(start)])
    lower = np.int64(codes[INDEX(start + across)])
    for _ in range(count):
        start += step
        next_upper = np.int64(codes[INDEX(start)])
        next_lower = np.int64(codes[INDEX(start + across)])
        if step == 1:
            index = ((upper * CODES + next_upper) * CODES + lower) * CODES + next_lower
        else:
            index = ((upper * CODES + lower) * CODES + next_upper) * CODES + next_lower
        total += blocks[INDEX(index)]
        upper = next_upper
        lower = next_lower
    return total


@subroutine
def sum_touching_blocks(blocks, codes, first, second, pitch):
    """Return the sum of the six blocks that contain at least one of two neighbouring cells."""
    low = min(first, second)
    if abs(first - second) == 1:
        start = low - 1
        return sum_block_row(blocks, codes, start - pitch, 1, pitch, 3) + sum_block_row(
            blocks, codes, start, 1, pitch, 3
        )
    start = low - pitch
    return sum_block_row(blocks, codes, start - 1, pitch, 1, 3) + sum_block_row(
        blocks, codes, start, pitch, 1, 3
    )


@subroutine
def near_goal_term(near, distance, blank_distance):
    if distance >= NEAR:
        return np.int64(0)
    return np.int64(near[INDEX(distance), INDEX(min(blank_distance, NEAR - 1))])
