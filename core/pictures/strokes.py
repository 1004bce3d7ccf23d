"""Straightens the cells of a board, and finds the strokes that may be digits."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from tilework.core.pictures.grid import Grid

CELL: Final = 80  # pixels per side of a straightened cell


def straighten_cells(colours: NDArray[np.uint8], grid: Grid) -> NDArray[np.uint8]:
    """Return the cells of a board, row by row: shape (cells, `CELL`, `CELL`, 3)."""
    to_picture = grid.to_picture @ np.diag((1 / CELL, 1 / CELL, 1.0))
    size = (grid.columns * CELL, grid.rows * CELL)
    flat = cv2.warpPerspective(
        _smooth(colours, grid),
        to_picture,
        size,
        flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
        borderMode=cv2.BORDER_REPLICATE,
    )
    cells = flat.reshape(grid.rows, CELL, grid.columns, CELL, 3).swapaxes(1, 2)
    return np.asarray(cells.reshape(-1, CELL, CELL, 3), dtype=np.uint8)


def _smooth(colours: NDArray[np.uint8], grid: Grid) -> NDArray[np.uint8]:
    """Blur a picture before its size is reduced, to avoid aliasing."""
    side = (grid.area / (grid.rows * grid.columns)) ** 0.5
    if side <= 1.5 * CELL:
        return colours
    return np.asarray(cv2.GaussianBlur(colours, (0, 0), 0.4 * side / CELL), dtype=np.uint8)


# Ignored pixels on each side of a cell: borders of tiles and gaps between them
_EDGE: Final = round(0.07 * CELL)

# Minimum contrast of strokes in CIELAB, between noise and the palest print
_MIN_CONTRAST: Final = 16.0

# Height of a digit, as a share of the cell and of the tallest digit
_MIN_HEIGHT: Final = 0.2
_MAX_HEIGHT: Final = 0.85
_MIN_SHARE_OF_TALLEST: Final = 0.62


@dataclass(frozen=True, slots=True)
class Stroke:
    """A connected stroke: a digit, two touching digits, or neither."""

    ink: NDArray[np.float32]  # opacity of each pixel, between 0 and 1
    left: int

    def split(self) -> tuple[Stroke, Stroke]:
        """Split the stroke in two near the middle, at the column with the least ink."""
        width = self.ink.shape[1]
        first, last = round(0.3 * width), max(round(0.7 * width), round(0.3 * width) + 1)
        cut = max(1, first + int(self.ink[:, first:last].sum(axis=0).argmin()))
        parts = (Stroke(self.ink[:, :cut], self.left), Stroke(self.ink[:, cut:], self.left + cut))
        return parts[0].trim(), parts[1].trim()

    def trim(self) -> Stroke:
        mask = self.ink > 0.3
        if not mask.any():
            return self
        rows, columns = np.flatnonzero(mask.any(axis=1)), np.flatnonzero(mask.any(axis=0))
        ink = self.ink[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
        return Stroke(ink, self.left + int(columns[0]))


def compute_contrast(cell: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Return the distance of each pixel from the tile's colour, in CIELAB (about 0 to 100)."""
    lab = cv2.cvtColor(cell.astype(np.float32) / 255, cv2.COLOR_RGB2LAB)
    lab = lab[_EDGE:-_EDGE, _EDGE:-_EDGE]
    # The median is the background, which covers more than half of a tile.
    background = np.median(lab.reshape(-1, 3), axis=0)
    difference = np.sqrt(((lab - background) ** 2).sum(axis=2))
    return np.asarray(cv2.GaussianBlur(difference, (3, 3), 0), dtype=np.float32)


def find_strokes(cell: NDArray[np.uint8]) -> list[Stroke]:
    """Return strokes that may be digits, from left to right."""
    difference = compute_contrast(cell)
    maximum = float(np.percentile(difference, 99))
    if maximum < _MIN_CONTRAST:
        return []
    grey = np.clip(255 * difference / maximum, 0, 255).astype(np.uint8)
    _, mask = cv2.threshold(grey, 0, 255, cv2.THRESH_BINARY | cv2.THRESH_OTSU)
    count, labels, boxes, _ = cv2.connectedComponentsWithStats(mask, connectivity=8)
    side = len(difference)
    shapes = []
    for label in range(1, count):
        left, top, width, height, area = (int(value) for value in boxes[label])
        at_edge = left == 0 or top == 0 or left + width == side or top + height == side
        fits = _MIN_HEIGHT * CELL <= height <= _MAX_HEIGHT * CELL
        if at_edge or not fits or area < 0.06 * height * height:
            continue
        strokes = cv2.dilate((labels == label).astype(np.uint8), np.ones((3, 3), np.uint8))
        ink = np.where(strokes, grey / np.float32(255), np.float32(0))
        shapes.append(Stroke(ink[top : top + height, left : left + width], left))
    tallest = max((len(stroke.ink) for stroke in shapes), default=0)
    candidates = [stroke for stroke in shapes if len(stroke.ink) >= _MIN_SHARE_OF_TALLEST * tallest]
    return sorted(candidates, key=lambda stroke: stroke.left)
