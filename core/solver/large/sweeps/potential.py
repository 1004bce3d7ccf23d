"""What a tile gains by a move, under the convex potentials of sweeps."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tilework.core.puzzle.board import Size
from tilework.core.solver.kernels.sweeps.best_sweep import ONE


def gains(size: Size, power: float) -> NDArray[np.int16]:
    """Return what a tile gains that moves one cell on, by how many cells on its home is.

    Parameters
    ----------
    size : Size
        Of the board. A step of a tile that is a third of the longer side away, as far as tiles of
        random boards are on average, gains what a move costs at a price of one.
    power : float
        Of the potential, from 1.

    Returns
    -------
    int16[2 · longer side + 3]
        In units of 1/`ONE`; home in the middle. What a tile gains by moving back is found the same
        way from the other side.
    """
    typical = max(size) / 3
    far = max(size) + 1
    away = np.arange(-far, far + 1)

    def weight(distance: NDArray[np.int64]) -> NDArray[np.float64]:
        return np.abs(distance / typical) ** power * (typical / power)

    change = (weight(away) - weight(away - 1)) * ONE
    return np.clip(np.rint(change), -(1 << 15), (1 << 15) - 1).astype(np.int16)
