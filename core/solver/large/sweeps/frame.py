"""The frame of a staged beam: the board with a border, possibly transposed or reflected."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from tilework.core.puzzle.board import Size
from tilework.core.puzzle.moves import Moves
from tilework.core.solver.kernels.best_sweep import ONE


def gain_table(size: Size, power: float) -> NDArray[np.int16]:
    """Return the gains of moving a tile one cell forward, by the signed distance to its goal.

    Parameters
    ----------
    size : Size; of the board. The gain of moving a tile that is a third of the longer side away,
        the average on random boards, is the cost of a move at a price of one.
    power : float; exponent of the potential, at least 1

    Returns
    -------
    int16[2 · longer side + 3]; in units of 1/`ONE`, with distance 0 in the middle. For moves
        backward, read it from the other end.
    """
    average = max(size) / 3
    max_distance = max(size) + 1
    distances = np.arange(-max_distance, max_distance + 1)

    def weight(distance: NDArray[np.int64]) -> NDArray[np.float64]:
        return np.abs(distance / average) ** power * (average / power)

    change = (weight(distances) - weight(distances - 1)) * ONE
    return np.clip(np.rint(change), -(1 << 15), (1 << 15) - 1).astype(np.int16)


STEP = 2  # rows of a strip and columns of a block; the last ones may have 3
MAX_TILES = 9  # of one block
Block = list[tuple[int, int]]  # row and column of each cell


def divide_into_blocks(rows: int, columns: int, goal_blank: tuple[int, int]) -> list[Block]:
    """Divide a board into blocks, in the order in which they are solved."""
    blocks: list[Block] = []
    top, bottom = 0, rows
    left_to_right = True
    for first, end in _take_outer_pairs(rows, goal_blank[0]):
        spans = _split(columns)
        for left, right in spans if left_to_right else spans[::-1]:
            blocks.append(_list_cells(first, end, left, right))
        left_to_right = not left_to_right
        top, bottom = (end, bottom) if first == top else (top, first)
    left, right = 0, columns
    for first, end in _take_outer_pairs(columns, goal_blank[1]):
        blocks.append(_list_cells(top, bottom, first, end))
        left, right = (end, right) if first == left else (left, first)
    blocks.append([cell for cell in _list_cells(top, bottom, left, right) if cell != goal_blank])
    return blocks


def _take_outer_pairs(length: int, goal_blank: int) -> Iterator[tuple[int, int]]:
    """Yield pairs of lines from both ends until 2 or 3 lines around ``goal_blank`` are left."""
    low, high = 0, length
    while high - low > STEP + 1:
        if goal_blank - low >= STEP:
            yield low, low + STEP
            low += STEP
        else:
            yield high - STEP, high
            high -= STEP


def _split(length: int) -> list[tuple[int, int]]:
    starts = list(range(0, length - 1, STEP))
    return list(zip(starts, [*starts[1:], length], strict=True))


def _list_cells(top: int, bottom: int, left: int, right: int) -> Block:
    return [(row, column) for column in range(left, right) for row in range(top, bottom)]


class Frame:
    """Positions of a board's cells in a padded grid.

    The board is transposed if its width exceeds its height, so that strips run along its shorter
    side, and reflected so that the blank's goal is in the lower right quarter, where strips end.

    Attributes
    ----------
    pitch : int; difference between a position and the position below it
    positions : int32[cells]; the position of each cell of the board
    cells : int32[positions]; the cell at each position; 0 on the border
    rows, columns : int16[positions]; of each position
    blocks : int32[blocks, MAX_TILES]; the positions of each block, padded with -1
    """

    def __init__(self, size: Size, goal_blank: int) -> None:
        width, height = size
        row, column = np.divmod(np.arange(size.cells, dtype=np.int64), width)
        codes = np.arange(4, dtype=np.uint8)
        if width > height:
            row, column = column, row
            width, height = height, width
            codes = codes[[2, 3, 0, 1]]
        if row[goal_blank] < height / 2 - 0.5:
            row = height - 1 - row
            codes[:2] = codes[1::-1]
        if column[goal_blank] < width / 2 - 0.5:
            column = width - 1 - column
            codes[2:] = codes[:1:-1]
        self.pitch = width + 1
        count = (height + 2) * self.pitch + 1
        self.positions: NDArray[np.int32] = ((row + 1) * self.pitch + column + 1).astype(np.int32)
        self.cells = np.zeros(count, dtype=np.int32)
        self.cells[self.positions] = np.arange(size.cells, dtype=np.int32)
        self.rows = (np.arange(count) // self.pitch - 1).astype(np.int16)
        self.columns = (np.arange(count) % self.pitch - 1).astype(np.int16)
        self._codes = codes
        blocks = divide_into_blocks(height, width, (int(row[goal_blank]), int(column[goal_blank])))
        self.blocks = np.full((len(blocks), MAX_TILES), -1, dtype=np.int32)
        for number, block in enumerate(blocks):
            block_positions = [(r + 1) * self.pitch + c + 1 for r, c in block]
            self.blocks[number, : len(block_positions)] = block_positions

    def to_board_moves(self, moves: Moves) -> Moves:
        return self._codes[moves]
