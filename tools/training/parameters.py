"""The learned parameters, and the tables computed from them.

Most of the 27⁴ blocks of 2 × 2 cells are rare, so a block's entry is the sum of coarse parameters,
which many blocks share, and its own fine parameter:

``pairs``      for two neighbouring cells, half for each of the two blocks that contain both
``diagonals``  for two cells that touch at a corner
``signs``      for the block, by the signs of its tiles' displacements
``fine``       for the block itself

All are invariant under the eight symmetries of a square.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

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


@dataclass(frozen=True, slots=True)
class Group:
    first: int
    count: int
    penalty: float

    def select(self, vector: Reals) -> Reals:
        """Return this group's part of a vector."""
        return vector[self.first : self.first + self.count]


@dataclass(frozen=True, slots=True)
class Tables:
    """The flattened tables of a potential, in moves; or sums by table entry.

    Attributes
    ----------
    distance : float64 array, shape (1,)
    steps : float64 array, shape ((STEPS_CAP + 1) ** 2,)
        By rows and columns left.
    blocks : float64 array, shape (classes,)
        By class of blocks: `tilework.core.solver.large.learned.potential`.
    near : float64 array, shape (NEAR ** 2,)
    """

    distance: Reals
    steps: Reals
    blocks: Reals
    near: Reals

    @classmethod
    def zero(cls) -> Tables:
        return cls(
            np.zeros(1),
            np.zeros((STEPS_CAP + 1) ** 2),
            np.zeros(block_classes().representatives.size),
            np.zeros(NEAR**2),
        )

    @property
    def arrays(self) -> tuple[Reals, Reals, Reals, Reals]:
        return self.distance, self.steps, self.blocks, self.near

    def __add__(self, other: Tables) -> Tables:
        return Tables(
            *(left + right for left, right in zip(self.arrays, other.arrays, strict=True))
        )


class Parameters:
    """The vector of all parameters, and its conversion to tables."""

    def __init__(self) -> None:
        self._groups: list[Group] = []
        self._distance = self._add(1, 0.001)
        rows, columns = np.indices((STEPS_CAP + 1, STEPS_CAP + 1)).reshape(2, -1)
        self._step_class = _number_classes(
            np.minimum(rows, columns) * (STEPS_CAP + 1) + np.maximum(rows, columns)
        )
        self._steps = self._add(int(self._step_class.max()) + 1, 1.0)
        blocks = block_classes().representatives
        upper_left, upper_right, lower_left, lower_right = np.unravel_index(blocks, (CODES,) * 4)
        neighbours = _classify_pairs(_UPSIDE_DOWN, _LEFT_RIGHT)
        corners = _classify_pairs(_TRANSPOSED, _HALF_TURNED)
        self._pairs = self._add(int(neighbours.max()) + 1, 1.0)
        self._diagonals = self._add(int(corners.max()) + 1, 1.0)
        sign_by_code, sign_class = _classify_signs()
        self._sign = self._add(int(sign_class.max()) + 1, 1.0)
        self._fine = self._add(blocks.size, _FINE_PENALTY)
        sums, blank_distances = np.indices((NEAR, NEAR)).reshape(2, -1)
        coarse_sums = np.where(sums < 16, sums, 16 + (sums - 16) // 2)
        self._near_class = _number_classes(
            coarse_sums * NEAR + np.minimum(blank_distances, _MAX_BLANK_DISTANCE)
        )
        self._near = self._add(int(self._near_class.max()) + 1, 1.0)
        self.size = self._near.first + self._near.count
        self.penalties = np.concatenate(
            [np.full(group.count, group.penalty) for group in self._groups]
        )
        turned = _TRANSPOSED
        sign_index = np.ravel_multi_index(
            tuple(
                sign_by_code[code] for code in (upper_left, upper_right, lower_left, lower_right)
            ),
            (_SIGN_CODES,) * 4,
        )
        # The mirror image of a rising diagonal is a falling one.
        rising = corners[_LEFT_RIGHT[upper_right], _LEFT_RIGHT[lower_left]]
        self._block_terms: list[tuple[Integers, float]] = [
            (self._pairs.first + neighbours[upper_left, upper_right], 0.5),
            (self._pairs.first + neighbours[lower_left, lower_right], 0.5),
            (self._pairs.first + neighbours[turned[upper_left], turned[lower_left]], 0.5),
            (self._pairs.first + neighbours[turned[upper_right], turned[lower_right]], 0.5),
            (self._diagonals.first + corners[upper_left, lower_right], 1.0),
            (self._diagonals.first + rising, 1.0),
            (self._sign.first + sign_class[sign_index], 1.0),
            (self._fine.first + np.arange(blocks.size), 1.0),
        ]

    def _add(self, count: int, penalty: float) -> Group:
        first = self._groups[-1].first + self._groups[-1].count if self._groups else 0
        self._groups.append(Group(first, count, penalty))
        return self._groups[-1]

    def make_start(self) -> Reals:
        vector = np.zeros(self.size)
        vector[0] = 1.0
        return vector

    def tables(self, vector: Reals) -> Tables:
        """Compute the tables from parameters."""
        steps = self._steps.select(vector)[self._step_class]
        steps[0] = 0
        blocks = np.zeros(block_classes().representatives.size)
        for indices, factor in self._block_terms:
            blocks += factor * vector[indices]
        # No board has a block that consists only of border.
        blocks[-1] = 0
        return Tables(vector[:1].copy(), steps, blocks, self._near.select(vector)[self._near_class])

    def apply_transpose(self, tables: Tables) -> Reals:
        """Apply the transpose of `tables`: sums by entry become sums by parameter."""
        vector = np.zeros(self.size)
        vector[0] = tables.distance[0]
        steps, blocks = tables.steps.copy(), tables.blocks.copy()
        steps[0] = blocks[-1] = 0
        self._steps.select(vector)[:] = np.bincount(self._step_class, steps, self._steps.count)
        self._near.select(vector)[:] = np.bincount(self._near_class, tables.near, self._near.count)
        for indices, factor in self._block_terms:
            vector += np.bincount(indices, factor * blocks, self.size)
        return vector
