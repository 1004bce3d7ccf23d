"""Shapes in a picture that may be cells of a board: outlines that are nearly square."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

SIDE: Final = 1_200  # pixels of the longer side of the picture in which shapes are looked for
_LEAST_CELL: Final = 14
_LARGEST_SHARE: Final = 0.62
_MOST_SHAPES: Final = 1_500
_LONGEST_TO_SHORTEST: Final = 1.7
_LEAST_FILL: Final = 0.72
_LOCAL_WINDOWS: Final = (15, 61)
_LOCAL_CONTRAST: Final = 4


@dataclass(frozen=True, slots=True)
class Shapes:
    centres: NDArray[np.float64]
    # Along the axis that is nearer to the horizontal, and along the other
    sides: NDArray[np.float64]
    angles: NDArray[np.float64]  # of the first axis, in radians, between -π/4 and π/4

    def __len__(self) -> int:
        return len(self.angles)

    def where(self, chosen: NDArray[np.bool_]) -> Shapes:
        return Shapes(self.centres[chosen], self.sides[chosen], self.angles[chosen])


def find_shapes(colours: NDArray[np.uint8]) -> Shapes:
    rows = [row for mask in _masks(colours) for row in _squares(mask)]
    # Larger ones first: they are cells sooner than what is drawn on them.
    table = np.array(rows, dtype=np.float64).reshape(-1, 5)
    table = _distinct(table[np.argsort(-table[:, 2] * table[:, 3], kind="stable")])
    return Shapes(table[:, :2], table[:, 2:4], table[:, 4])


def _masks(colours: NDArray[np.uint8]) -> Iterator[NDArray[np.uint8]]:
    smooth = cv2.GaussianBlur(colours, (5, 5), 0)
    grey = cv2.cvtColor(smooth, cv2.COLOR_RGB2GRAY)
    kinds = (cv2.THRESH_BINARY, cv2.THRESH_BINARY_INV)
    for kind in kinds:
        yield _bytes(cv2.threshold(grey, 0, 255, kind | cv2.THRESH_OTSU)[1])
        for window in _LOCAL_WINDOWS:
            mean = cv2.ADAPTIVE_THRESH_MEAN_C
            yield _bytes(cv2.adaptiveThreshold(grey, 255, mean, kind, window, _LOCAL_CONTRAST))
    # Tiles as bright as what is between them differ in their colour.
    edges = np.zeros(grey.shape, dtype=np.uint8)
    for channel in cv2.split(smooth):
        edges |= _bytes(cv2.Canny(channel, 25, 60))
    for width in (3, 5):
        yield _bytes(cv2.dilate(edges, np.ones((width, width), np.uint8)))


def _bytes(image: object) -> NDArray[np.uint8]:
    return np.asarray(image, dtype=np.uint8)


def _squares(mask: NDArray[np.uint8]) -> Iterator[tuple[float, ...]]:
    """Yield centre, sides and angle of each outline that is nearly square."""
    largest = _LARGEST_SHARE * min(mask.shape)
    outlines, _ = cv2.findContours(mask, cv2.RETR_LIST, cv2.CHAIN_APPROX_SIMPLE)
    for outline in outlines:
        _, _, width, height = cv2.boundingRect(outline)
        if min(width, height) < _LEAST_CELL or max(width, height) > 1.2 * largest:
            continue
        (x, y), (along, across), degrees = cv2.minAreaRect(outline)
        if not _LEAST_CELL <= min(along, across) <= max(along, across) <= largest:
            continue
        if max(along, across) > _LONGEST_TO_SHORTEST * min(along, across):
            continue
        # The hull: a digit that touches the edge bites into the outline.
        if cv2.contourArea(cv2.convexHull(outline)) < _LEAST_FILL * along * across:
            continue
        degrees %= 180
        if 45 < degrees <= 135:
            along, across, degrees = across, along, degrees - 90
        elif degrees > 135:
            degrees -= 180
        yield x, y, along, across, np.deg2rad(degrees)


def _distinct(table: NDArray[np.float64]) -> NDArray[np.float64]:
    kept = np.empty((0, 5))
    for row in table:
        side = max(row[2], row[3])
        near = np.abs(kept[:, :2] - row[:2]).max(axis=1, initial=0.0) < 0.12 * side
        alike = np.abs(np.log(kept[:, 2:4] / row[2:4])).max(axis=1, initial=0.0) < 0.12
        if not (near & alike).any():
            kept = np.vstack((kept, row))
            if len(kept) == _MOST_SHAPES:
                break
    return kept
