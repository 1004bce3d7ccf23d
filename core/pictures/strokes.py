"""The cells of a board, straightened, and the strokes on a tile that may be digits."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from tilework.core.pictures.grid import Grid

CELL: Final = 80  # pixels of a side of each cell


def straighten_cells(colours: NDArray[np.uint8], grid: Grid) -> NDArray[np.uint8]:
    """Return each cell of a board, row by row."""
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


# Of a cell, left out on each side: lines round tiles, and what is between them
_EDGE: Final = round(0.07 * CELL)

# Between strokes and tile, in CIELAB: noise has less, the palest print more
_LEAST_CONTRAST: Final = 16.0

_LEAST_HEIGHT: Final = 0.2
_LARGEST_HEIGHT: Final = 0.85  # of a digit, as a share of the cell
_LEAST_OF_TALLEST: Final = 0.62


@dataclass(frozen=True, slots=True)
class Piece:
    """Strokes that touch one another: a digit, two of them, or neither."""

    ink: NDArray[np.float32]  # how far each pixel is the stroke's, between 0 and 1
    left: int

    def cut(self) -> tuple[Piece, Piece]:
        """Cut it in two where least is drawn, near its middle."""
        width = self.ink.shape[1]
        first, last = round(0.3 * width), max(round(0.7 * width), round(0.3 * width) + 1)
        at = max(1, first + int(self.ink[:, first:last].sum(axis=0).argmin()))
        parts = (Piece(self.ink[:, :at], self.left), Piece(self.ink[:, at:], self.left + at))
        return parts[0].trimmed(), parts[1].trimmed()

    def trimmed(self) -> Piece:
        drawn = self.ink > 0.3
        if not drawn.any():
            return self
        rows, columns = np.flatnonzero(drawn.any(axis=1)), np.flatnonzero(drawn.any(axis=0))
        ink = self.ink[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
        return Piece(ink, self.left + int(columns[0]))


def contrast(cell: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Return how far each pixel is from the tile's colour, in CIELAB (about 0 to 100)."""
    lab = cv2.cvtColor(cell.astype(np.float32) / 255, cv2.COLOR_RGB2LAB)
    lab = lab[_EDGE:-_EDGE, _EDGE:-_EDGE]
    # More than half of a tile is bare; its digits are in the middle, and so left out.
    ground = np.median(lab.reshape(-1, 3), axis=0)
    away = np.sqrt(((lab - ground) ** 2).sum(axis=2))
    return np.asarray(cv2.GaussianBlur(away, (3, 3), 0), dtype=np.float32)


def find_strokes(cell: NDArray[np.uint8]) -> list[Piece]:
    """Return what may be digits, from left to right."""
    away = contrast(cell)
    most = float(np.percentile(away, 99))
    if most < _LEAST_CONTRAST:
        return []
    grey = np.clip(255 * away / most, 0, 255).astype(np.uint8)
    _, mask = cv2.threshold(grey, 0, 255, cv2.THRESH_BINARY | cv2.THRESH_OTSU)
    count, labels, boxes, _ = cv2.connectedComponentsWithStats(mask, connectivity=8)
    side = len(away)
    kept = []
    for label in range(1, count):
        left, top, width, height, area = (int(one) for one in boxes[label])
        at_edge = left == 0 or top == 0 or left + width == side or top + height == side
        fits = _LEAST_HEIGHT * CELL <= height <= _LARGEST_HEIGHT * CELL
        if at_edge or not fits or area < 0.06 * height * height:
            continue
        strokes = cv2.dilate((labels == label).astype(np.uint8), np.ones((3, 3), np.uint8))
        ink = np.where(strokes, grey / np.float32(255), np.float32(0))
        kept.append(Piece(ink[top : top + height, left : left + width], left))
    tallest = max((len(piece.ink) for piece in kept), default=0)
    high = [piece for piece in kept if len(piece.ink) >= _LEAST_OF_TALLEST * tallest]
    return sorted(high, key=lambda piece: piece.left)
