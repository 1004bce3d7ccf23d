"""Recognizes the board in a picture file."""

from __future__ import annotations

from collections import Counter
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from tilework.core.errors import PictureError
from tilework.core.pictures.cell_shapes import SIDE, find_shapes
from tilework.core.pictures.decoding import Pixels, decode
from tilework.core.pictures.digits import load_network, tile_probabilities
from tilework.core.pictures.grid import Grid, find_grids
from tilework.core.pictures.reading import CellReading, Reading
from tilework.core.pictures.strokes import straighten_cells


def cheapest_assignment(costs: NDArray[np.float64]) -> NDArray[np.intp]:
    """Return a distinct column for each row with the minimum total cost (Hungarian algorithm)."""
    count = len(costs)
    # An extra last column is the start of each augmenting path.
    row_of = np.full(count + 1, -1, dtype=np.intp)
    row_price, column_price = np.zeros(count), np.zeros(count + 1)
    for row in range(count):
        row_of[count] = row
        column = count
        least = np.full(count, np.inf)
        came_from = np.full(count, count, dtype=np.intp)
        used = np.zeros(count + 1, dtype=bool)
        while row_of[column] >= 0:
            used[column] = True
            at = row_of[column]
            reduced = costs[at] - row_price[at] - column_price[:count]
            better = ~used[:count] & (reduced < least)
            least[better], came_from[better] = reduced[better], column
            open_least = np.where(used[:count], np.inf, least)
            nearest = int(open_least.argmin())
            step = open_least[nearest]
            row_price[row_of[used]] += step
            column_price[used] -= step
            least[~used[:count]] -= step
            column = nearest
        while column != count:
            row_of[column] = row_of[came_from[column]]
            column = int(came_from[column])
    columns = np.empty(count, dtype=np.intp)
    columns[row_of[:count]] = np.arange(count)
    return columns


SURE: Final = 0.8  # minimum confidence of a cell that is not doubtful
_MAX_GRIDS: Final = 4
# Minimum mean confidence; other grids may be tiles of a floor or a calendar
_MIN_CONFIDENCE: Final = 0.35


def read_picture(data: bytes) -> Reading:
    """Read the board in a picture."""
    pixels = decode(data)
    # One thread, because several pictures may be read at the same time.
    cv2.setNumThreads(1)
    scale = min(1.0, SIDE / max(pixels.colours.shape))
    small = cv2.resize(pixels.colours, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    grids = find_grids(find_shapes(np.asarray(small)))[:_MAX_GRIDS]
    if not grids:
        raise PictureError(
            "picture-no-grid",
            "no grid of tiles was found in the picture; show the whole board, in focus and "
            "nearly straight, with visible gaps between its tiles",
        )
    readings = [_read_grid(pixels, grid.scaled(1 / scale)) for grid in grids]
    best = max(readings, key=lambda reading: reading.confidence * len(reading.cells) ** 0.5)
    if best.confidence < _MIN_CONFIDENCE:
        raise PictureError(
            "picture-no-numbers",
            "a grid of {columns}×{rows} was found in the picture, but almost no numbers; show "
            "a board with the tiles 1, 2, 3 and so on",
            columns=best.columns,
            rows=best.rows,
        )
    return best


def _read_grid(pixels: Pixels, grid: Grid) -> Reading:
    probabilities = tile_probabilities(straighten_cells(pixels.colours, grid), load_network())
    tiles = cheapest_assignment(-np.log(probabilities))
    confidence, doubtful = _judge(probabilities, tiles)
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


def _judge(
    probabilities: NDArray[np.float64], tiles: NDArray[np.intp]
) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """Return the confidence of each cell, and which cells are doubtful."""
    places = np.arange(len(tiles))
    # The probabilities of all other tiles.
    others = probabilities.copy()
    others[places, tiles] = 0
    own = probabilities[places, tiles]
    confidence = own * own / (own + others.max(axis=1))
    likeliest = probabilities.argmax(axis=1)
    times = Counter(likeliest.tolist())
    twice = np.array([times[tile] > 1 for tile in likeliest.tolist()])
    doubtful: NDArray[np.bool_] = (confidence < SURE) | (likeliest != tiles) | twice
    return confidence, doubtful
