"""Boards as the learned potential sees them: labels by goal cell, and codes with a border."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from tilework.core.puzzle.arrangement import inverse
from tilework.core.puzzle.board import Board, Size
from tilework.core.puzzle.moves import grid
from tilework.core.solver.kernels.learned.potential import (
    BLANK_CODE,
    BORDER_CODE,
    CODES,
    canonical_blocks,
)

RING = 1  # rows and columns of border on each side
Labels = NDArray[np.uint16]


class Layout:
    """Tables that are the same for all boards of a size.

    Attributes
    ----------
    stride, padded_cells : int
        The padded board's width and number of cells. Neighbouring rows share their borders.
    padded : int32 array, shape (cells,); by cell, its place in the padded board
    ways, legal; as of `tilework.core.puzzle.moves.grid`
    down, right : int16 arrays, shape (cells, cells)
        By label and cell, rows and columns that a tile has still to go, with sign.
    code_of : uint8 array, shape (cells, cells)
        By label and cell, the class of a tile there: see `displacement_class`.
    """

    def __init__(self, size: Size) -> None:
        width, height = size
        self.size = size
        self.stride = width + RING
        self.padded_cells = (height + 2 * RING) * self.stride + RING
        rows, columns = np.divmod(np.arange(size.cells, dtype=np.int32), width)
        self.padded = ((rows + RING) * self.stride + columns + RING).astype(np.int32)
        self.ways, self.legal = grid(size)
        self.down = (rows[:, None] - rows[None, :]).astype(np.int16)
        self.right = (columns[:, None] - columns[None, :]).astype(np.int16)
        self.steps = (np.abs(self.down) + np.abs(self.right)).astype(np.uint16)
        self.code_of = displacement_class(self.down, self.right)

    def codes(self, labels: NDArray[np.uint16], blank_label: int) -> NDArray[np.uint8]:
        """Return the codes of boards, shape (..., padded_cells); labels have shape (..., cells)."""
        codes = np.full((*labels.shape[:-1], self.padded_cells), BORDER_CODE, dtype=np.uint8)
        cells = self.code_of[labels, np.arange(self.size.cells)]
        codes[..., self.padded] = np.where(labels == blank_label, BLANK_CODE, cells)
        return codes


@lru_cache(maxsize=32)
def layout_of(size: Size) -> Layout:
    """Return the layout of a size, remembering the last few: 0.5 MB of 16 × 16, 7 MB of 32 × 32."""
    return Layout(size)


def labels_of(board: Board, goal: Board) -> Labels:
    """Name the tiles of a board by their cells in the goal."""
    return inverse(goal.cells)[board.cells].astype(np.uint16)


def displacement_class(down: NDArray[np.int16], right: NDArray[np.int16]) -> NDArray[np.uint8]:
    """Return 0 to 24 by what is left to go: none, one or two, more; rows and columns, with sign."""

    def level(way: NDArray[np.int16]) -> NDArray[np.int16]:
        steps = np.abs(way)
        return np.sign(way) * ((steps > 0).astype(np.int16) + (steps > 2))

    return ((level(down) + 2) * 5 + level(right) + 2).astype(np.uint8)


@dataclass(frozen=True, slots=True)
class BlockClasses:
    of_block: NDArray[np.int32]  # each block's class
    examples: NDArray[np.int64]  # a block of each class, in increasing order


@lru_cache(maxsize=1)
def block_classes() -> BlockClasses:
    """Return the classes, made in some 20 ms at the first call."""
    least = np.empty(CODES**4, dtype=np.int32)
    canonical_blocks(least)
    is_least = least == np.arange(least.size)
    numbers = np.cumsum(is_least, dtype=np.int32) - 1
    return BlockClasses(numbers[least], np.flatnonzero(is_least))
