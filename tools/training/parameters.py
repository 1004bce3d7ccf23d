"""The learned parameters, and the entries of the tables that follow from them.

The tables of a potential stand one after another in one vector of entries, in moves: the weight of
the distance, then `STEPS` by rows and columns left, `BLOCKS` by class of blocks, and `NEAR_GOAL`.

Most of the 27⁴ blocks of 2 × 2 cells are rare, so a block's entry is the sum of coarse parameters,
which many blocks share, and its own fine parameter:

``pairs``      for two neighbouring cells, half for each of the two blocks that contain both
``diagonals``  for two cells that touch at a corner
``signs``      for the block, by the signs of its tiles' displacements
``fine``       for the block itself

All are invariant under the eight symmetries of a square.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array

from tilework.core.solver.kernels.potential import BLANK_CODE, BORDER_CODE, CODES, NEAR
from tilework.core.solver.large.learned.potential import block_classes

Integers = NDArray[np.int64]
Reals = NDArray[np.float64]

STEPS_CAP = 6
"""Larger displacements are treated as this one."""

_SIGN_CODES = 11

_MAX_BLANK_DISTANCE = 12
"""Near the goal, larger distances of the blank are treated as this one."""

_FINE_PENALTY = 4.0
"""The penalty of fine parameters, relative to that of coarse ones."""

STEPS = slice(1, 1 + (STEPS_CAP + 1) ** 2)
BLOCKS = slice(STEPS.stop, STEPS.stop + block_classes().representatives.size)
NEAR_GOAL = slice(BLOCKS.stop, BLOCKS.stop + NEAR**2)
NO_ENTRY = STEPS.start
"""An entry that is always 0: that of a tile with no steps left."""


def _map_codes(*, transposed: bool = False, down: int = 1, right: int = 1) -> Integers:
    """Return each code's image under a symmetry of the square."""
    codes = np.arange(BLANK_CODE)
    rows, columns = down * (codes // 5 - 2), right * (codes % 5 - 2)
    if transposed:
        rows, columns = columns, rows
    return np.append((rows + 2) * 5 + columns + 2, [BLANK_CODE, BORDER_CODE])


_SAME, _TRANSPOSED = _map_codes(), _map_codes(transposed=True)
_UPSIDE_DOWN, _LEFT_RIGHT = _map_codes(down=-1), _map_codes(right=-1)
_HALF_TURNED = _map_codes(down=-1, right=-1)


def _number_classes(*images: Integers) -> Integers:
    """Number the classes of elements with the same smallest image."""
    return np.unique(np.minimum.reduce(images), return_inverse=True)[1].reshape(-1)


def _classify_pairs(mirror: Integers, turn: Integers) -> Integers:
    """Return the class of two neighbouring codes, shape (CODES, CODES).

    `mirror` keeps their order, and `turn` reverses it.
    """
    first, second = np.indices((CODES, CODES)).reshape(2, -1)
    images = []
    for image in (_SAME, mirror):
        images.append(image[first] * CODES + image[second])
        turned = turn[image]
        images.append(turned[second] * CODES + turned[first])
    return _number_classes(*images).reshape(CODES, CODES)


def _classify_blocks(images: dict[tuple[bool, int, int], Integers]) -> Integers:
    """Return the class of each block of sign codes, given the codes' images."""
    codes = _SIGN_CODES
    block = np.indices((codes,) * 4, dtype=np.int32).reshape(2, 2, -1)
    turned_blocks = []
    for (transposed, down, right), image in images.items():
        turned = image.astype(np.int32)[block][::down, ::right]
        if transposed:
            turned = turned.transpose(1, 0, 2)
        upper, lower = turned[0, 0] * codes + turned[0, 1], turned[1, 0] * codes + turned[1, 1]
        turned_blocks.append(upper.astype(np.int64) * codes**2 + lower)
    return _number_classes(*turned_blocks)


_SYMMETRIES = [
    (transposed, down, right)
    for transposed in (False, True)
    for down in (1, -1)
    for right in (1, -1)
]


def _classify_signs() -> tuple[Integers, Integers]:
    """Return the sign code of each code, and the class of each block of sign codes."""
    codes = np.arange(BLANK_CODE)
    sign = (np.sign(codes // 5 - 2) + 1) * 3 + np.sign(codes % 5 - 2) + 1
    sign_by_code = np.append(sign, [9, 10])
    # An example of each sign code: one step in its direction.
    example = np.array([(row + 1) * 5 + column + 1 for row in range(3) for column in range(3)])
    example = np.append(example, [BLANK_CODE, BORDER_CODE])
    images = {
        symmetry: sign_by_code[
            _map_codes(transposed=symmetry[0], down=symmetry[1], right=symmetry[2])[example]
        ]
        for symmetry in _SYMMETRIES
    }
    return sign_by_code, _classify_blocks(images)


class Parameters:
    """The matrix that turns a vector of parameters into entries, and the penalties."""

    def __init__(self) -> None:
        rows, columns = np.indices((STEPS_CAP + 1, STEPS_CAP + 1)).reshape(2, -1)
        step_class = _number_classes(
            np.minimum(rows, columns) * (STEPS_CAP + 1) + np.maximum(rows, columns)
        )
        blocks = block_classes().representatives
        upper_left, upper_right, lower_left, lower_right = np.unravel_index(blocks, (CODES,) * 4)
        neighbours = _classify_pairs(_UPSIDE_DOWN, _LEFT_RIGHT)
        corners = _classify_pairs(_TRANSPOSED, _HALF_TURNED)
        sign_by_code, sign_class = _classify_signs()
        codes = (upper_left, upper_right, lower_left, lower_right)
        signs = np.ravel_multi_index(
            tuple(sign_by_code[code] for code in codes), (_SIGN_CODES,) * 4
        )
        sums, blank_distances = np.indices((NEAR, NEAR)).reshape(2, -1)
        near_class = _number_classes(
            np.where(sums < 16, sums, 16 + (sums - 16) // 2) * NEAR
            + np.minimum(blank_distances, _MAX_BLANK_DISTANCE)
        )
        turned = _TRANSPOSED
        self._entries: list[Integers] = []
        self._columns: list[Integers] = []
        self._factors: list[Reals] = []
        self._penalties: list[Reals] = []
        self._count = 0
        self._add(0, np.zeros(1, np.int64), penalty=0.001)
        # No tile without steps left costs a move, so that its entry has no parameter.
        self._add(NO_ENTRY + 1, step_class[1:])
        self._add(
            BLOCKS.start,
            neighbours[upper_left, upper_right],
            neighbours[lower_left, lower_right],
            neighbours[turned[upper_left], turned[lower_left]],
            neighbours[turned[upper_right], turned[lower_right]],
            factor=0.5,
        )
        # The mirror image of a rising diagonal is a falling one.
        rising = corners[_LEFT_RIGHT[upper_right], _LEFT_RIGHT[lower_left]]
        self._add(BLOCKS.start, corners[upper_left, lower_right], rising)
        self._add(BLOCKS.start, sign_class[signs])
        self._add(BLOCKS.start, np.arange(blocks.size), penalty=_FINE_PENALTY)
        self._add(NEAR_GOAL.start, near_class)
        self.penalties = np.concatenate(self._penalties)
        entries, columns = np.concatenate(self._entries), np.concatenate(self._columns)
        # No board has a block that consists only of border.
        kept = entries != BLOCKS.stop - 1
        values = np.concatenate(self._factors)[kept]
        shape = (NEAR_GOAL.stop, self._count)
        self.matrix = coo_array((values, (entries[kept], columns[kept])), shape).tocsr()

    def _add(
        self, first_entry: int, *classes: Integers, factor: float = 1.0, penalty: float = 1.0
    ) -> None:
        """Add a parameter for each class; an entry is the sum of those of its classes."""
        for numbers in classes:
            self._entries.append(first_entry + np.arange(numbers.size))
            self._columns.append(self._count + numbers)
            self._factors.append(np.full(numbers.size, factor))
        count = 1 + max(int(numbers.max()) for numbers in classes)
        self._count += count
        self._penalties.append(np.full(count, penalty))

    def make_start(self) -> Reals:
        """Return the parameters of Manhattan distance."""
        vector = np.zeros(self._count)
        vector[0] = 1.0
        return vector
