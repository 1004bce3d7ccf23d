"""The learned potential of a board: its computation, and its change by a move.

Boards have two representations. ``labels`` uint16[cells] identifies the tile on each cell by its
goal cell. ``codes`` uint8[padded] has a class for each cell: of its tile's displacement,
`BLANK_CODE`, or `BORDER_CODE` on the ring of cells around the board. Rows of the padded board are
``stride`` apart; see `tilework.core.solver.large.learned.potential`.

The potential is a sum of entries of tables, in units of 1/`SCALE` moves:

``unary``   int32[cells, cells]     by label and cell
``blocks``  int16[CODES ** 4]       of each 2 × 2 cells, those on the border included
``near``    int16[NEAR, NEAR]       by sum of distances and the blank's distance; 0 from `NEAR` on
"""

import numpy as np

from tilework.core.compiling import int32, int64, kernel, subroutine, types, uint8, uint16, void
from tilework.core.solver.kernels.constants import INDEX


@subroutine
def _image(code, transposed, down, right):
    if code >= BLANK_CODE:
        return code
    row = down * (code // 5 - 2)
    column = right * (code % 5 - 2)
    if transposed:
        row, column = column, row
    return (row + 2) * 5 + column + 2


@kernel(void(types.Array(int32, 1, "C")))
def canonical_blocks(out):
    """Fill in, by block, the least number of a symmetric block.

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


SCALE = 128  # units of the potential in one move
BLANK_CODE = 25
BORDER_CODE = 26
# Classes of a cell: five of the rows times five of the columns to go, the blank, the border
CODES = 27
NEAR = 40  # sums of distances from which boards are not near the goal
LABELS = types.Array(uint16, 1, "C", readonly=True)
PLACES = types.Array(int32, 1, "C", readonly=True)
CODE_TABLE = types.Array(uint8, 2, "C", readonly=True)
UNARY = types.Array(int32, 2, "C", readonly=True)
BLOCKS = types.Array(types.int16, 1, "C", readonly=True)
NEAR_TABLE = types.Array(types.int16, 2, "C", readonly=True)
OPEN_CODES = types.Array(uint8, 1, "C")


@subroutine
def row_of_blocks(blocks, codes, at, step, across, count):
    """Return the sum of the first blocks of two rows of cells, from ``at`` and ``at + across`` on.

    ``step`` goes along the rows and ``across`` from the upper to the lower one. If ``step`` is not
    1, the "rows" are columns, and blocks are read transposed.
    """
    total = np.int64(0)
    upper = np.int64(codes[INDEX(at)])
    lower = np.int64(codes[INDEX(at + across)])
    for _ in range(count):
        at += step
        next_upper = np.int64(codes[INDEX(at)])
        next_lower = np.int64(codes[INDEX(at + across)])
        if step == 1:
            index = ((upper * CODES + next_upper) * CODES + lower) * CODES + next_lower
        else:
            index = ((upper * CODES + lower) * CODES + next_upper) * CODES + next_lower
        total += blocks[INDEX(index)]
        upper = next_upper
        lower = next_lower
    return total


@subroutine
def blocks_touching(blocks, codes, one, other, stride):
    """Return the sum of the six blocks that contain at least one of two neighbouring cells."""
    low = min(one, other)
    if abs(one - other) == 1:
        at = low - 1
        return row_of_blocks(blocks, codes, at - stride, 1, stride, 3) + row_of_blocks(
            blocks, codes, at, 1, stride, 3
        )
    at = low - stride
    return row_of_blocks(blocks, codes, at - 1, stride, 1, 3) + row_of_blocks(
        blocks, codes, at, stride, 1, 3
    )


@subroutine
def near_goal(near, distance, away):
    if distance >= NEAR:
        return np.int64(0)
    return np.int64(near[INDEX(distance), INDEX(min(away, NEAR - 1))])


@subroutine
def change_by(unary, blocks, codes, tile, code, tile_from, tile_to, at, to, stride):
    """Return the change of the potential by a move, without the term near the goal.

    The tile labelled ``tile`` moves from cell ``tile_from`` (padded: ``at``) to the blank's
    ``tile_to`` (padded: ``to``), where its code is ``code``.
    """
    before = codes[INDEX(at)]
    change = np.int64(unary[INDEX(tile), INDEX(tile_to)]) - unary[INDEX(tile), INDEX(tile_from)]
    change -= blocks_touching(blocks, codes, at, to, stride)
    codes[INDEX(to)] = code
    codes[INDEX(at)] = BLANK_CODE
    change += blocks_touching(blocks, codes, at, to, stride)
    codes[INDEX(to)] = BLANK_CODE
    codes[INDEX(at)] = before
    return change


@kernel(
    int64(
        LABELS, OPEN_CODES, PLACES, CODE_TABLE, UNARY, BLOCKS, NEAR_TABLE,
        int64, int64, int64, int64,
    )
)  # fmt: skip
def potential(
    labels, codes, padded, code_of, unary, blocks, near, stride, distance, away, blank_label
):
    """Compute the potential of a board, and its codes.

    Parameters
    ----------
    codes : uint8[padded]; `BORDER_CODE` everywhere; filled in
    padded : int32[cells]; index of each cell among the codes
    code_of : uint8[cells, cells]; class by label and cell
    unary, blocks, near; see the module
    stride, distance, away, blank_label : int
        Of the padded board; the sum of the tiles' distances, the blank's own, and its label.
    """
    total = np.int64(0)
    for cell in range(labels.size):
        label = labels[INDEX(cell)]
        if label == blank_label:
            codes[INDEX(padded[INDEX(cell)])] = BLANK_CODE
        else:
            codes[INDEX(padded[INDEX(cell)])] = code_of[INDEX(label), INDEX(cell)]
            total += unary[INDEX(label), INDEX(cell)]
    # The first block with a cell of the board begins one row up and one column to the left.
    first = np.int64(padded[0]) - stride - 1
    for at in range(first, np.int64(padded[INDEX(labels.size - 1)]) + 1):
        total += row_of_blocks(blocks, codes, at, 1, stride, 1)
    return total + near_goal(near, distance, away)
