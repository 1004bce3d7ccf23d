"""Recognizes the digits in the cells of a board, and computes the probability of each tile.

Cells are straightened, and connected strokes are found that may be digits. A small neural network
recognizes digits by the directions of their edges. Its features are counts of these directions in
the parts of a square, as in Liu, Nakashima, Sako and Fujisawa, "Handwritten digit recognition:
benchmarking of state-of-the-art techniques" (Pattern Recognition 36, 2003), and a reduced image. It
has one hidden layer; its eleventh class is "no digit". Its weights are trained by
`tools.training.digits`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
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


WEIGHTS_FILE: Final = Path(__file__).with_name("digits.npz")
CLASSES: Final = 11
NO_DIGIT: Final = 10

_SIDE: Final = 24
_DIRECTIONS: Final = 8
_PARTS: Final = 6
_REDUCED_SIDE: Final = 12
FEATURES: Final = _DIRECTIONS * _PARTS**2 + _REDUCED_SIDE**2 + 1


@dataclass(frozen=True, slots=True)
class Network:
    hidden: NDArray[np.float32]
    output: NDArray[np.float32]  # the last row of each is the bias

    def probabilities(self, features: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return the probability of each class: shape (n, `CLASSES`)."""
        units = np.maximum(features @ self.hidden[:-1] + self.hidden[-1], 0)
        scores = units @ self.output[:-1] + self.output[-1]
        exponentials = np.exp(scores - scores.max(axis=1, keepdims=True))
        probabilities: NDArray[np.float32] = exponentials / exponentials.sum(axis=1, keepdims=True)
        return probabilities

    def save(self, path: Path) -> None:
        np.savez_compressed(
            path, hidden=self.hidden.astype(np.float16), output=self.output.astype(np.float16)
        )


@lru_cache(maxsize=1)
def load_network() -> Network:
    with np.load(WEIGHTS_FILE, allow_pickle=False) as file:
        return Network(file["hidden"].astype(np.float32), file["output"].astype(np.float32))


def extract_features(strokes: Sequence[Stroke]) -> NDArray[np.float32]:
    """Return the features of strokes: shape (n, `FEATURES`)."""
    rows = [_compute_features(stroke.ink) for stroke in strokes]
    return np.array(rows, dtype=np.float32).reshape(-1, FEATURES)


def _compute_features(ink: NDArray[np.float32]) -> NDArray[np.float32]:
    height, width = ink.shape
    scale = _SIDE / max(height, width)
    size = (max(1, round(scale * width)), max(1, round(scale * height)))
    small = cv2.resize(ink, size, interpolation=cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR)
    square = np.zeros((_SIDE + 4, _SIDE + 4), dtype=np.float32)
    top, left = (len(square) - size[1]) // 2, (len(square) - size[0]) // 2
    square[top : top + size[1], left : left + size[0]] = small
    across = cv2.Sobel(square, cv2.CV_32F, 1, 0, ksize=3)
    down = cv2.Sobel(square, cv2.CV_32F, 0, 1, ksize=3)
    strength = np.hypot(across, down)
    directions = np.arctan2(down, across) / (2 * np.pi) * _DIRECTIONS
    planes = []
    for direction in range(_DIRECTIONS):
        # Each edge is divided between the two nearest directions.
        distance = np.abs(
            (directions - direction + _DIRECTIONS / 2) % _DIRECTIONS - _DIRECTIONS / 2
        )
        plane = strength * np.maximum(0, 1 - distance)
        plane = cv2.GaussianBlur(plane, (0, 0), 1.6)
        planes.append(cv2.resize(plane, (_PARTS, _PARTS), interpolation=cv2.INTER_AREA))
    counts = np.sqrt(np.maximum(np.array(planes, dtype=np.float32), 0)).ravel()
    reduced = cv2.resize(square, (_REDUCED_SIDE, _REDUCED_SIDE), interpolation=cv2.INTER_AREA)
    return np.concatenate((counts, reduced.ravel(), [np.float32(width / height)]))


_MIN_WIDTH_OF_TWO: Final = 0.75  # width / height of strokes that may be two touching digits
# Factors of the probability of a reading: for each ignored stroke, and for a split
_IGNORED_FACTOR: Final = 0.1
_SPLIT_FACTOR: Final = 0.5
_EMPTY_PROBABILITY: Final = 0.97  # probability of the blank in an empty cell

# Minimum probability of any tile in any cell
_MIN_PROBABILITY: Final = 1e-4

# A reading of a cell: the indices of its digits among all strokes, and a factor
_Candidate = tuple[tuple[int, ...], float]


def compute_tile_probabilities(cells: NDArray[np.uint8], network: Network) -> NDArray[np.float64]:
    """Return the probability of each tile in each cell, by cell and tile."""
    strokes: list[Stroke] = []
    candidates: list[list[_Candidate]] = []
    for cell in cells:
        cell_strokes = find_strokes(cell)
        candidates.append(list(_list_candidates(cell_strokes, len(strokes))))
        strokes += cell_strokes
        for stroke in cell_strokes:
            strokes += stroke.split() if _is_wide(stroke) else ()
    digits = network.probabilities(extract_features(strokes))
    count = len(cells)
    probabilities = np.full((count, count), _MIN_PROBABILITY)
    for row, readings in zip(probabilities, candidates, strict=True):
        if not readings:
            row[0] = _EMPTY_PROBABILITY
        for indices, factor in readings:
            _add_candidate(row, digits[list(indices)], factor)
    return probabilities


def _is_wide(stroke: Stroke) -> bool:
    height, width = stroke.ink.shape
    return bool(width > _MIN_WIDTH_OF_TWO * height)


def _list_candidates(strokes: Sequence[Stroke], first: int) -> Iterator[_Candidate]:
    """Yield the readings of strokes, which start at index ``first``; their splits follow them."""
    count = len(strokes)
    for index in range(count):
        yield (first + index,), _IGNORED_FACTOR ** (count - 1)
        if index + 1 < count:
            yield (first + index, first + index + 1), _IGNORED_FACTOR ** (count - 2)
    split = first + count
    for stroke in strokes:
        if _is_wide(stroke):
            yield (split, split + 1), _SPLIT_FACTOR * _IGNORED_FACTOR ** (count - 1)
            split += 2


def _add_candidate(row: NDArray[np.float64], digits: NDArray[np.float32], factor: float) -> None:
    """Raise the probability of each number to at least that of this reading."""
    joint = factor * digits[0, :NO_DIGIT].astype(np.float64)
    if len(digits) == 2:
        # No number begins with 0, so that row is omitted.
        joint = np.outer(joint[1:], digits[1, :NO_DIGIT]).ravel()
    first = 10 if len(digits) == 2 else 0
    last = min(len(row), first + len(joint))
    if last > first:
        np.maximum(row[first:last], joint[: last - first], out=row[first:last])
