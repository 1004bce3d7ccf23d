"""Decodes a picture file, after checking its header, and recognizes the board in it."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from io import BytesIO
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageOps, UnidentifiedImageError

from tilework.core.errors import PictureError
from tilework.core.pictures.digits import compute_tile_probabilities, load_network, straighten_cells
from tilework.core.pictures.grid import SIDE, Grid, find_grids, find_shapes
from tilework.core.pictures.reading import FORMATS, MAX_PIXELS, CellReading, Reading

# Larger pictures are reduced to this side, in pixels; enough for 10×10 boards
MAX_SIDE: Final = 2_000

# `decode` checks `MAX_PIXELS` itself, so Pillow's own limit is not needed.
Image.MAX_IMAGE_PIXELS = None


@dataclass(frozen=True, slots=True)
class Pixels:
    """A picture, rotated as recorded by its camera."""

    colours: NDArray[np.uint8]  # red, green, blue; at most `MAX_SIDE` on a side
    # Of the original picture
    width: int
    height: int


def decode(data: bytes) -> Pixels:
    try:
        with Image.open(BytesIO(data), formats=FORMATS) as image:
            if image.width * image.height > MAX_PIXELS:
                raise PictureError(
                    "picture-pixels",
                    "the picture has {width}×{height} pixels; use one of at most {max} million",
                    width=image.width,
                    height=image.height,
                    max=MAX_PIXELS // 1_000_000,
                )
            return _load_pixels(image)
    except UnidentifiedImageError:
        raise PictureError(
            "picture-format",
            "the file is not a readable picture; use a PNG, a JPEG or a WebP",
        ) from None
    # Damaged files can raise any of these, so all are reported as damage.
    except (OSError, ValueError, SyntaxError, ArithmeticError, LookupError, EOFError) as error:
        raise PictureError(
            "picture-damaged", "the picture is damaged and cannot be opened; use another one"
        ) from error


def _load_pixels(image: Image.Image) -> Pixels:
    is_rotated = image.getexif().get(0x0112, 1) in (5, 6, 7, 8)
    width, height = (image.height, image.width) if is_rotated else image.size
    # Decode a JPEG at half or a quarter of its size if that is enough.
    image.draft(None, (MAX_SIDE, MAX_SIDE))
    image.thumbnail((MAX_SIDE, MAX_SIDE))
    upright = ImageOps.exif_transpose(image)
    if upright.has_transparency_data:
        transparent = upright.convert("RGBA")
        upright = Image.alpha_composite(Image.new("RGBA", transparent.size, "white"), transparent)
    return Pixels(np.asarray(upright.convert("RGB")), width, height)


def find_cheapest_assignment(costs: NDArray[np.float64]) -> NDArray[np.intp]:
    """Return a distinct column for each row with the minimum total cost (Hungarian algorithm)."""
    count = len(costs)
    # An extra last column is the start of each augmenting path.
    row_by_column = np.full(count + 1, -1, dtype=np.intp)
    row_price, column_price = np.zeros(count), np.zeros(count + 1)
    for row in range(count):
        row_by_column[count] = row
        column = count
        min_reduced = np.full(count, np.inf)
        previous = np.full(count, count, dtype=np.intp)
        visited = np.zeros(count + 1, dtype=bool)
        while row_by_column[column] >= 0:
            visited[column] = True
            current = row_by_column[column]
            reduced = costs[current] - row_price[current] - column_price[:count]
            is_better = ~visited[:count] & (reduced < min_reduced)
            min_reduced[is_better], previous[is_better] = reduced[is_better], column
            open_reduced = np.where(visited[:count], np.inf, min_reduced)
            nearest = int(open_reduced.argmin())
            step = open_reduced[nearest]
            row_price[row_by_column[visited]] += step
            column_price[visited] -= step
            min_reduced[~visited[:count]] -= step
            column = nearest
        while column != count:
            row_by_column[column] = row_by_column[previous[column]]
            column = int(previous[column])
    columns = np.empty(count, dtype=np.intp)
    columns[row_by_column[:count]] = np.arange(count)
    return columns


_MIN_CELL_CONFIDENCE: Final = 0.8  # cells with less confidence are uncertain
_MAX_GRIDS: Final = 4
# Minimum mean confidence; grids with less may be a tiled floor or a calendar
_MIN_BOARD_CONFIDENCE: Final = 0.35


def read_picture(data: bytes) -> Reading:
    """Read the board in a picture."""
    pixels = decode(data)
    # Several pictures may be read at the same time, so use one thread for each.
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
    readings = [_read_grid(pixels, grid.scale(1 / scale)) for grid in grids]
    best = max(readings, key=lambda reading: reading.confidence * len(reading.cells) ** 0.5)
    if best.confidence < _MIN_BOARD_CONFIDENCE:
        raise PictureError(
            "picture-no-numbers",
            "a grid of {columns}×{rows} was found in the picture, but almost no numbers; show "
            "a board with the tiles 1, 2, 3 and so on",
            columns=best.columns,
            rows=best.rows,
        )
    return best


def _read_grid(pixels: Pixels, grid: Grid) -> Reading:
    probabilities = compute_tile_probabilities(
        straighten_cells(pixels.colours, grid), load_network()
    )
    tiles = find_cheapest_assignment(-np.log(probabilities))
    confidence, is_uncertain = _rate_cells(probabilities, tiles)
    factor = max(pixels.width, pixels.height) / max(pixels.colours.shape)
    corners = grid.corners() * factor
    cells = tuple(
        CellReading(
            int(tile),
            round(float(cell_confidence), 3),
            bool(cell_is_uncertain),
            tuple((round(float(x), 1), round(float(y), 1)) for x, y in outline),
        )
        for tile, cell_confidence, cell_is_uncertain, outline in zip(
            tiles, confidence, is_uncertain, corners, strict=True
        )
    )
    return Reading(pixels.width, pixels.height, grid.rows, grid.columns, cells)


def _rate_cells(
    probabilities: NDArray[np.float64], tiles: NDArray[np.intp]
) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """Return the confidence of each cell, and whether it is uncertain."""
    indices = np.arange(len(tiles))
    other_probabilities = probabilities.copy()
    other_probabilities[indices, tiles] = 0
    assigned = probabilities[indices, tiles]
    confidence = assigned * assigned / (assigned + other_probabilities.max(axis=1))
    most_likely = probabilities.argmax(axis=1)
    counts = Counter(most_likely.tolist())
    repeated = np.array([counts[tile] > 1 for tile in most_likely.tolist()])
    is_uncertain: NDArray[np.bool_] = (
        (confidence < _MIN_CELL_CONFIDENCE) | (most_likely != tiles) | repeated
    )
    return confidence, is_uncertain
