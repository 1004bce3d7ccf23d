"""Which digits pieces of strokes are, and how probable that makes each tile on each cell.

A small neural network tells digits by the directions of their edges. Its features are counts of
those directions in the parts of a square, as in Liu, Nakashima, Sako and Fujisawa, "Handwritten
digit recognition: benchmarking of state-of-the-art techniques" (Pattern Recognition 36, 2003), with
the square itself beside them. It has one hidden layer; an eleventh answer is "no digit".
`tools.training.digits` made its weights.
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

from tilework.core.pictures.strokes import Piece, find_strokes

SHIPPED: Final = Path(__file__).with_name("digits.npz")
CLASSES: Final = 11
NO_DIGIT: Final = 10

_SIDE: Final = 24
_DIRECTIONS: Final = 8
_PARTS: Final = 6
_COARSE: Final = 12
FEATURES: Final = _DIRECTIONS * _PARTS**2 + _COARSE**2 + 1


@dataclass(frozen=True, slots=True)
class Network:
    hidden: NDArray[np.float32]
    output: NDArray[np.float32]  # the last row of each is what is added

    def shares(self, features: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return how probable each class is: shape (n, `CLASSES`)."""
        units = np.maximum(features @ self.hidden[:-1] + self.hidden[-1], 0)
        scores = units @ self.output[:-1] + self.output[-1]
        powers = np.exp(scores - scores.max(axis=1, keepdims=True))
        shares: NDArray[np.float32] = powers / powers.sum(axis=1, keepdims=True)
        return shares

    def save(self, path: Path) -> None:
        np.savez_compressed(
            path, hidden=self.hidden.astype(np.float16), output=self.output.astype(np.float16)
        )


@lru_cache(maxsize=1)
def load_network() -> Network:
    with np.load(SHIPPED, allow_pickle=False) as file:
        return Network(file["hidden"].astype(np.float32), file["output"].astype(np.float32))


def extract_features(pieces: Sequence[Piece]) -> NDArray[np.float32]:
    """Return the features of pieces: shape (n, `FEATURES`)."""
    rows = [_features(piece.ink) for piece in pieces]
    return np.array(rows, dtype=np.float32).reshape(-1, FEATURES)


def _features(ink: NDArray[np.float32]) -> NDArray[np.float32]:
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
    turn = np.arctan2(down, across) / (2 * np.pi) * _DIRECTIONS
    planes = []
    for direction in range(_DIRECTIONS):
        # Each edge counts for the two directions that it lies between.
        away = np.abs((turn - direction + _DIRECTIONS / 2) % _DIRECTIONS - _DIRECTIONS / 2)
        plane = strength * np.maximum(0, 1 - away)
        plane = cv2.GaussianBlur(plane, (0, 0), 1.6)
        planes.append(cv2.resize(plane, (_PARTS, _PARTS), interpolation=cv2.INTER_AREA))
    counts = np.sqrt(np.maximum(np.array(planes, dtype=np.float32), 0)).ravel()
    coarse = cv2.resize(square, (_COARSE, _COARSE), interpolation=cv2.INTER_AREA)
    return np.concatenate((counts, coarse.ravel(), [np.float32(width / height)]))


_WIDE: Final = 0.75  # width by height from which a piece may be two digits that touch
_LEFT_OUT: Final = 0.1
_CUT: Final = 0.5  # what a reading is worth less for each piece left out, and for a cut
_BARE: Final = 0.97  # worth of "the blank" where nothing is drawn

# What every tile is worth everywhere: the reader may be wrong about all it sees
_ANYTHING: Final = 1e-4

# A way to read a cell: the places of its digits among the pieces, and its worth.
_Way = tuple[tuple[int, ...], float]


def tile_probabilities(cells: NDArray[np.uint8], network: Network) -> NDArray[np.float64]:
    """Say how probable each tile is on each cell."""
    pieces: list[Piece] = []
    ways: list[list[_Way]] = []
    for cell in cells:
        seen = find_strokes(cell)
        ways.append(list(_ways(seen, len(pieces))))
        pieces += seen
        for piece in seen:
            pieces += piece.cut() if _is_wide(piece) else ()
    shares = network.shares(extract_features(pieces))
    count = len(cells)
    worths = np.full((count, count), _ANYTHING)
    for row, of_cell in zip(worths, ways, strict=True):
        if not of_cell:
            row[0] = _BARE
        for places, worth in of_cell:
            _add(row, shares[list(places)], worth)
    return worths


def _is_wide(piece: Piece) -> bool:
    height, width = piece.ink.shape
    return bool(width > _WIDE * height)


def _ways(seen: Sequence[Piece], first: int) -> Iterator[_Way]:
    """Yield the ways to read pieces, whose places begin with `first`; their cuts come after."""
    count = len(seen)
    for place in range(count):
        yield (first + place,), _LEFT_OUT ** (count - 1)
        if place + 1 < count:
            yield (first + place, first + place + 1), _LEFT_OUT ** (count - 2)
    cut = first + count
    for piece in seen:
        if _is_wide(piece):
            yield (cut, cut + 1), _CUT * _LEFT_OUT ** (count - 1)
            cut += 2


def _add(row: NDArray[np.float64], shares: NDArray[np.float32], worth: float) -> None:
    """Raise the worth of each number that these digits can be to what this way makes it."""
    joint = worth * shares[0, :NO_DIGIT].astype(np.float64)
    if len(shares) == 2:
        # No number begins with a 0.
        joint = np.outer(joint[1:], shares[1, :NO_DIGIT]).ravel()
    first = 10 if len(shares) == 2 else 0
    last = min(len(row), first + len(joint))
    if last > first:
        np.maximum(row[first:last], joint[: last - first], out=row[first:last])
