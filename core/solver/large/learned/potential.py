"""The learned potential: tables that serve boards of any size and any goal."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tilework.core.solver.kernels.learned.potential import SCALE
from tilework.core.solver.large.learned.layout import Layout

Table = NDArray[np.int16]


@dataclass(frozen=True, slots=True, eq=False)
class Potential:
    """What stands for the moves left, in units of 1/`SCALE` moves; about right in its differences.

    Attributes
    ----------
    distance : float
        Moves for each step of a tile's distance.
    steps : float64 array, shape (n, n)
        Moves besides, by the rows and columns that a tile has to go; from n - 1 on all are alike.
    blocks : int16 array, shape (CODES ** 4,)
        By the codes of four cells: upper left, upper right, lower left, lower right.
    near : int16 array, shape (NEAR, NEAR)
        By the sum of the distances and the blank's own.
    """

    distance: float
    steps: NDArray[np.float64]
    blocks: Table
    near: Table

    def unary(self, layout: Layout) -> NDArray[np.int32]:
        """Return the part of each tile by itself, by label and cell."""
        down, right = np.abs(layout.down), np.abs(layout.right)
        last = self.steps.shape[0] - 1
        besides = self.steps[np.minimum(down, last), np.minimum(right, last)]
        unary: NDArray[np.int32] = np.rint((self.distance * layout.steps + besides) * SCALE).astype(
            np.int32
        )
        return unary
