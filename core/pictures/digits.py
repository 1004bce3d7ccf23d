"""Which digit a piece of strokes is: directions of its edges, and a small neural network.

The features are counts of edge directions in the parts of a square, as in Liu, Nakashima, Sako and
Fujisawa, "Handwritten digit recognition: benchmarking of state-of-the-art techniques" (Pattern
Recognition 36, 2003), with the square itself beside them. The network has one hidden layer; an
eleventh answer is "no digit". `tools.training.digits` made its weights.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from tilework.core.pictures.strokes import Piece

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
def shipped() -> Network:
    with np.load(SHIPPED, allow_pickle=False) as file:
        return Network(file["hidden"].astype(np.float32), file["output"].astype(np.float32))


def features_of(pieces: Sequence[Piece]) -> NDArray[np.float32]:
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
