"""From a picture file to the board in it: all steps, one after the other."""

from __future__ import annotations

from collections import Counter
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from tilework.core.errors import PictureError
from tilework.core.pictures.assignment import cheapest_assignment
from tilework.core.pictures.cell_shapes import SIDE, find_shapes
from tilework.core.pictures.decoding import Pixels, decode
from tilework.core.pictures.digits import shipped
from tilework.core.pictures.grid import Grid, find_grids
from tilework.core.pictures.numbers import worths_of
from tilework.core.pictures.reading import CellReading, Reading
from tilework.core.pictures.straighten import straighten

SURE: Final = 0.8
"""Least confidence of a cell that is not marked."""

_GRIDS_READ: Final = 4
_LEAST_MEAN: Final = 0.35
"""Confidence below which a grid is taken for something else: tiles of a floor, a calendar."""


def read_picture(data: bytes) -> Reading:
    """Read the board in a picture.

    Parameters
    ----------
    data : bytes
        A PNG, JPEG or WebP file.

    Raises
    ------
    PictureError
        If it is none, is too large, or if no grid of tiles is found in it.
    """
    pixels = decode(data)
    # Few threads: many pictures may be read beside one another.
    cv2.setNumThreads(1)
    scale = min(1.0, SIDE / max(pixels.colours.shape))
    small = cv2.resize(pixels.colours, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    grids = find_grids(find_shapes(np.asarray(small)))[:_GRIDS_READ]
    if not grids:
        raise PictureError(
            "picture-no-grid",
            "no grid of tiles was found in the picture; show the whole board, in focus and nearly "
            "straight, with its tiles apart from one another",
        )
    readings = [_read(pixels, grid.scaled(1 / scale)) for grid in grids]
    best = max(readings, key=lambda reading: reading.confidence * len(reading.cells) ** 0.5)
    if best.confidence < _LEAST_MEAN:
        raise PictureError(
            "picture-no-numbers",
            "a grid of {columns}×{rows} was found in the picture, but hardly a number on it; show "
            "a board with the tiles 1, 2, 3 and so on",
            columns=best.columns,
            rows=best.rows,
        )
    return best


def _read(pixels: Pixels, grid: Grid) -> Reading:
    worths = worths_of(straighten(pixels.colours, grid), shipped())
    tiles = cheapest_assignment(-np.log(worths))
    confidence, doubtful = _judged(worths, tiles)
    factor = max(pixels.width, pixels.height) / max(pixels.colours.shape)
    corners = grid.corners() * factor
    cells = tuple(
        CellReading(
            int(tile),
            round(float(sure), 3),
            bool(doubt),
            tuple((round(float(x), 1), round(float(y), 1)) for x, y in around),
        )
        for tile, sure, doubt, around in zip(tiles, confidence, doubtful, corners, strict=True)
    )
    return Reading(pixels.width, pixels.height, grid.rows, grid.columns, cells)


def _judged(
    worths: NDArray[np.float64], tiles: NDArray[np.intp]
) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """Say how sure each cell's tile is, and which cells are doubtful."""
    places = np.arange(len(tiles))
    # What else the cell could be, and the worth that is on nothing at all.
    others = worths.copy()
    others[places, tiles] = 0
    own = worths[places, tiles]
    confidence = own * own / (own + others.max(axis=1))
    likeliest = worths.argmax(axis=1)
    times = Counter(likeliest.tolist())
    twice = np.array([times[tile] > 1 for tile in likeliest.tolist()])
    doubtful: NDArray[np.bool_] = (confidence < SURE) | (likeliest != tiles) | twice
    return confidence, doubtful
