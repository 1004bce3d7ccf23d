"""The board as the staged beam looks at it: turned, and with a closed border."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from tilework.core.puzzle.board import Size
from tilework.core.puzzle.moves import Moves
from tilework.core.solver.kernels.sweeps.best_sweep import ONE


def gains(size: Size, power: float) -> NDArray[np.int16]:
    """Return what a tile gains that moves one cell on, by how many cells on its home is.

    Parameters
    ----------
    size : Size; of the board. A step of a tile that is a third of the longer side away, as far as
        tiles of random boards are on average, gains what a move costs at a price of one.
    power : float; of the potential, from 1

    Returns
    -------
    int16[2 · longer side + 3]; in units of 1/`ONE`; home in the middle. What a tile gains by moving
        back is found the same way from the other side.
    """
    typical = max(size) / 3
    far = max(size) + 1
    away = np.arange(-far, far + 1)

    def weight(distance: NDArray[np.int64]) -> NDArray[np.float64]:
        return np.abs(distance / typical) ** power * (typical / power)

    change = (weight(away) - weight(away - 1)) * ONE
    return np.clip(np.rint(change), -(1 << 15), (1 << 15) - 1).astype(np.int16)


STEP = 2  # rows of a strip, and columns of a block; what would leave one over is one larger
MOST_TILES = 9  # of one block
Block = list[tuple[int, int]]  # cells as row and column


def blocks(rows: int, columns: int, home: tuple[int, int]) -> list[Block]:
    """Cut a board into blocks whose tiles are placed together, in their order."""
    found: list[Block] = []
    top, bottom = 0, rows
    forth = True
    for begin, end in _peel(rows, home[0]):
        columns_cut = _cut(columns)
        for left, right in columns_cut if forth else columns_cut[::-1]:
            found.append(_block(begin, end, left, right))
        forth = not forth
        top, bottom = (end, bottom) if begin == top else (top, begin)
    left, right = 0, columns
    for begin, end in _peel(columns, home[1]):
        found.append(_block(top, bottom, begin, end))
        left, right = (end, right) if begin == left else (left, begin)
    found.append([cell for cell in _block(top, bottom, left, right) if cell != home])
    return found


def _peel(length: int, home: int) -> Iterator[tuple[int, int]]:
    """Take pairs from both ends, first from the lower, until 2 or 3 are left around ``home``."""
    low, high = 0, length
    while high - low > STEP + 1:
        if home - low >= STEP:
            yield low, low + STEP
            low += STEP
        else:
            yield high - STEP, high
            high -= STEP


def _cut(length: int) -> list[tuple[int, int]]:
    begins = list(range(0, length - 1, STEP))
    return list(zip(begins, [*begins[1:], length], strict=True))


def _block(top: int, bottom: int, left: int, right: int) -> Block:
    return [(row, column) for column in range(left, right) for row in range(top, bottom)]


class Frame:
    """Places of a board's cells in a padded grid.

    The board is transposed where it is wider than high, so that strips run along its shorter side,
    and reflected so that the blank's goal is in the lower right quarter, where the strips end.

    Attributes
    ----------
    pitch : int; from a place to the one below
    places : int32[cells]; the place of each cell of the board
    cells : int32[places]; the cell of each place; 0 on the border
    rows, columns : int16[places]; of each place, in the frame
    blocks : int32[blocks, MOST_TILES]; the places of each block, then -1
    """

    def __init__(self, size: Size, home: int) -> None:
        width, height = size
        row, column = np.divmod(np.arange(size.cells, dtype=np.int64), width)
        codes = np.arange(4, dtype=np.uint8)
        if width > height:
            row, column = column, row
            width, height = height, width
            codes = codes[[2, 3, 0, 1]]
        if row[home] < height / 2 - 0.5:
            row = height - 1 - row
            codes[:2] = codes[1::-1]
        if column[home] < width / 2 - 0.5:
            column = width - 1 - column
            codes[2:] = codes[:1:-1]
        self.pitch = width + 1
        count = (height + 2) * self.pitch + 1
        self.places: NDArray[np.int32] = ((row + 1) * self.pitch + column + 1).astype(np.int32)
        self.cells = np.zeros(count, dtype=np.int32)
        self.cells[self.places] = np.arange(size.cells, dtype=np.int32)
        self.rows = (np.arange(count) // self.pitch - 1).astype(np.int16)
        self.columns = (np.arange(count) % self.pitch - 1).astype(np.int16)
        self._codes = codes
        cut = blocks(height, width, (int(row[home]), int(column[home])))
        self.blocks = np.full((len(cut), MOST_TILES), -1, dtype=np.int32)
        for number, block in enumerate(cut):
            inside = [(r + 1) * self.pitch + c + 1 for r, c in block]
            self.blocks[number, : len(inside)] = inside

    def moves(self, found: Moves) -> Moves:
        return self._codes[found]
