"""Finds nearly square outlines in a picture, which may be the cells of a board."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

SIDE: Final = 1_200  # pixels of the longer side of the searched picture
_MIN_CELL: Final = 14
_MAX_CELL_SHARE: Final = 0.62
_MAX_SHAPES: Final = 1_500
_MAX_ASPECT_RATIO: Final = 1.7
_MIN_FILL: Final = 0.72
_LOCAL_WINDOWS: Final = (15, 61)
_LOCAL_CONTRAST: Final = 4


@dataclass(frozen=True, slots=True)
class Shapes:
    centres: NDArray[np.float64]
    sides: NDArray[np.float64]  # along the axis closer to the horizontal, and along the other axis
    angles: NDArray[np.float64]  # of the first axis, in radians, between -π/4 and π/4

    def __len__(self) -> int:
        return len(self.angles)

    def select(self, mask: NDArray[np.bool_]) -> Shapes:
        return Shapes(self.centres[mask], self.sides[mask], self.angles[mask])


def find_shapes(colours: NDArray[np.uint8]) -> Shapes:
    rows = [row for mask in _make_masks(colours) for row in _find_squares(mask)]
    # Larger shapes first, because smaller ones may be digits on tiles.
    table = np.array(rows, dtype=np.float64).reshape(-1, 5)
    table = _remove_duplicates(table[np.argsort(-table[:, 2] * table[:, 3], kind="stable")])
    return Shapes(table[:, :2], table[:, 2:4], table[:, 4])


def _make_masks(colours: NDArray[np.uint8]) -> Iterator[NDArray[np.uint8]]:
    smooth = cv2.GaussianBlur(colours, (5, 5), 0)
    grey = cv2.cvtColor(smooth, cv2.COLOR_RGB2GRAY)
    modes = (cv2.THRESH_BINARY, cv2.THRESH_BINARY_INV)
    for mode in modes:
        yield _as_bytes(cv2.threshold(grey, 0, 255, mode | cv2.THRESH_OTSU)[1])
        for window in _LOCAL_WINDOWS:
            mean = cv2.ADAPTIVE_THRESH_MEAN_C
            yield _as_bytes(cv2.adaptiveThreshold(grey, 255, mean, mode, window, _LOCAL_CONTRAST))
    # Tiles as bright as their surroundings differ in colour.
    edges = np.zeros(grey.shape, dtype=np.uint8)
    for channel in cv2.split(smooth):
        edges |= _as_bytes(cv2.Canny(channel, 25, 60))
    for width in (3, 5):
        yield _as_bytes(cv2.dilate(edges, np.ones((width, width), np.uint8)))


def _as_bytes(image: object) -> NDArray[np.uint8]:
    return np.asarray(image, dtype=np.uint8)


def _find_squares(mask: NDArray[np.uint8]) -> Iterator[tuple[float, ...]]:
    """Yield the centre, sides and angle of each nearly square outline."""
    max_side = _MAX_CELL_SHARE * min(mask.shape)
    outlines, _ = cv2.findContours(mask, cv2.RETR_LIST, cv2.CHAIN_APPROX_SIMPLE)
    for outline in outlines:
        box = cv2.boundingRect(outline)[2:]
        if min(box) < _MIN_CELL or max(box) > 1.2 * max_side:
            continue
        (x, y), (width, height), degrees = cv2.minAreaRect(outline)
        if not _MIN_CELL <= min(width, height) <= max(width, height) <= max_side:
            continue
        if max(width, height) > _MAX_ASPECT_RATIO * min(width, height):
            continue
        # Digits that touch the edge cut into the outline, but not into its hull.
        if cv2.contourArea(cv2.convexHull(outline)) < _MIN_FILL * width * height:
            continue
        degrees %= 180
        if 45 < degrees <= 135:
            width, height, degrees = height, width, degrees - 90
        elif degrees > 135:
            degrees -= 180
        yield x, y, width, height, np.deg2rad(degrees)


def _remove_duplicates(table: NDArray[np.float64]) -> NDArray[np.float64]:
    unique = np.empty((0, 5))
    for row in table:
        side = max(row[2], row[3])
        is_near = np.abs(unique[:, :2] - row[:2]).max(axis=1, initial=0.0) < 0.12 * side
        is_similar = np.abs(np.log(unique[:, 2:4] / row[2:4])).max(axis=1, initial=0.0) < 0.12
        if not (is_near & is_similar).any():
            unique = np.vstack((unique, row))
            if len(unique) == _MAX_SHAPES:
                break
    return unique
