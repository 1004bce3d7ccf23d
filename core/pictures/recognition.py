"""From a picture file to the board in it: all steps, one after the other."""

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
    """Return the column of each row, all different, so that the sum of their costs is least."""
    count = len(costs)
    # One more column, the last, from which each row's path begins.
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


SURE: Final = 0.8  # least confidence of a cell that is not marked
_GRIDS_READ: Final = 4
# Confidence below which a grid is taken for something else: tiles of a floor, a calendar
_LEAST_MEAN: Final = 0.35


def read_picture(data: bytes) -> Reading:
    """Read the board in a picture."""
    pixels = decode(data)
    # Few threads: many pictures may be read beside one another.
    cv2.setNumThreads(1)
    scale = min(1.0, SIDE / max(pixels.colours.shape))
    small = cv2.resize(pixels.colours, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    grids = find_grids(find_shapes(np.asarray(small)))[:_GRIDS_READ]
    if not grids:
        raise PictureError(
            "picture-no-grid",
            "no grid of tiles was found in the picture; show the whole board, in focus and "
            "nearly straight, with visible gaps between its tiles",
        )
    readings = [_read(pixels, grid.scaled(1 / scale)) for grid in grids]
    best = max(readings, key=lambda reading: reading.confidence * len(reading.cells) ** 0.5)
    if best.confidence < _LEAST_MEAN:
        raise PictureError(
            "picture-no-numbers",
            "a grid of {columns}×{rows} was found in the picture, but almost no numbers; show "
            "a board with the tiles 1, 2, 3 and so on",
            columns=best.columns,
            rows=best.rows,
        )
    return best


def _read(pixels: Pixels, grid: Grid) -> Reading:
    worths = tile_probabilities(straighten_cells(pixels.colours, grid), load_network())
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
