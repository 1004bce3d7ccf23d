"""The board as the staged beam looks at it: turned, and with a closed border."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tilework.core.puzzle.board import Size
from tilework.core.puzzle.moves import Moves
from tilework.core.solver.large.sweeps.blocks import MOST_TILES, blocks


class Frame:
    """Places of a board's cells in a padded grid.

    The board is transposed where it is wider than high, so that strips run along its shorter side,
    and reflected so that the blank's goal is in the lower right quarter, where the strips end.

    Parameters
    ----------
    size : Size
    home : int
        The blank's goal cell.

    Attributes
    ----------
    pitch : int
        From a place to the one below.
    places : int32[cells]
        The place of each cell of the board.
    cells : int32[places]
        The cell of each place; 0 on the border.
    rows, columns : int16[places]
        Of each place, in the frame.
    blocks : int32[blocks, MOST_TILES]
        The places of each block, then -1.
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
        """Return moves of the frame as moves of the board."""
        return self._codes[found]
