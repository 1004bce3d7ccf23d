"""The board as if the camera had looked straight at it."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from tilework.core.pictures.grid import Grid

CELL: Final = 80
"""Pixels of a side of each cell."""


def straighten(colours: NDArray[np.uint8], grid: Grid) -> NDArray[np.uint8]:
    """Return each cell of a board, row by row.

    Parameters
    ----------
    colours : uint8 array of shape (height, width, 3)
    grid : Grid
        In that picture.

    Returns
    -------
    uint8 array of shape (cells, `CELL`, `CELL`, 3)
    """
    to_picture = grid.to_picture @ np.diag((1 / CELL, 1 / CELL, 1.0))
    size = (grid.columns * CELL, grid.rows * CELL)
    flat = cv2.warpPerspective(
        _smoothed(colours, grid),
        to_picture,
        size,
        flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
        borderMode=cv2.BORDER_REPLICATE,
    )
    cells = flat.reshape(grid.rows, CELL, grid.columns, CELL, 3).swapaxes(1, 2)
    return np.asarray(cells.reshape(-1, CELL, CELL, 3), dtype=np.uint8)


def _smoothed(colours: NDArray[np.uint8], grid: Grid) -> NDArray[np.uint8]:
    """Blur what is finer than the pixels of the straight picture, which would else be skipped."""
    side = (grid.area / (grid.rows * grid.columns)) ** 0.5
    if side <= 1.5 * CELL:
        return colours
    return np.asarray(cv2.GaussianBlur(colours, (0, 0), 0.4 * side / CELL), dtype=np.uint8)
