"""The board: an immutable arrangement of tiles and one blank on a grid.

Invariants, stated once and held by the constructor: ``cells`` is a flat, read-only, row-major
int32 array of ``width * height`` numbers that hold each of ``0 .. width*height-1`` exactly once;
0 is the blank.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from core.errors import BoardError

MAX_SIDE = 32_768

Cells = NDArray[np.int32]


class Size(NamedTuple):
    """Width and height of a board, in cells."""

    width: int
    height: int

    @property
    def cells(self) -> int:
        return self.width * self.height

    def __str__(self) -> str:
        return f"{self.width}×{self.height}"


class Board:
    """An immutable, hashable board.

    Parameters
    ----------
    tiles : sequence of int or ndarray
        ``width * height`` numbers, row by row, 0 for the blank.
    width, height : int, optional
        From 1 to 32,768. Both may be left out where the count is a square.

    Raises
    ------
    BoardError
        If the numbers are not a permutation of 0 .. n-1 or do not fill the size.
    """

    def __init__(
        self,
        tiles: Sequence[int] | NDArray[np.integer],
        width: int | None = None,
        height: int | None = None,
    ) -> None:
        cells = np.ascontiguousarray(tiles, dtype=np.int32).reshape(-1)
        if cells is tiles or np.shares_memory(cells, np.asarray(tiles)):
            cells = cells if not cells.flags.writeable else cells.copy()
        cells.flags.writeable = False
        self._cells = cells
        self.size = _size_of(cells.size, width, height)
        _check_permutation(cells)

    @property
    def cells(self) -> Cells:
        """Flat, read-only int32 array of shape (width * height,)."""
        return self._cells

    @property
    def width(self) -> int:
        return self.size.width

    @property
    def height(self) -> int:
        return self.size.height

    @cached_property
    def blank(self) -> int:
        """Index of the blank's cell, from 0."""
        return int(np.flatnonzero(self._cells == 0)[0])

    def tile_at(self, row: int, column: int) -> int:
        """Return the tile at a row and column, both from 0; 0 is the blank.

        Raises
        ------
        IndexError
            Outside the board.
        """
        if not (0 <= row < self.height and 0 <= column < self.width):
            raise IndexError(f"({row}, {column}) is outside a board of {self.size}")
        return int(self._cells[row * self.width + column])

    def neighbors(self) -> Iterator[Board]:
        """Yield the boards one move away, by the moves U, D, L, R of a tile where legal."""
        row, column = divmod(self.blank, self.width)
        if row + 1 < self.height:
            yield self._swapped(self.blank + self.width)
        if row > 0:
            yield self._swapped(self.blank - self.width)
        if column + 1 < self.width:
            yield self._swapped(self.blank + 1)
        if column > 0:
            yield self._swapped(self.blank - 1)

    def _swapped(self, cell: int) -> Board:
        cells = self._cells.copy()
        cells[self.blank], cells[cell] = cells[cell], 0
        return Board(cells, self.width, self.height)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Board):
            return NotImplemented
        return self.size == other.size and bool(np.array_equal(self._cells, other._cells))

    def __hash__(self) -> int:
        return hash((self.size, self._cells.tobytes()))

    def __repr__(self) -> str:
        return f"Board({self._cells.tolist()}, {self.width}, {self.height})"


def _size_of(count: int, width: int | None, height: int | None) -> Size:
    if width is None and height is None:
        side = round(count**0.5)
        if side * side != count:
            raise BoardError(f"{count} cells are not a square; give the width, as in 4x3:")
        width = height = side
    width = width if width is not None else count // (height or 1)
    height = height if height is not None else count // (width or 1)
    if not (1 <= width <= MAX_SIDE and 1 <= height <= MAX_SIDE):
        raise BoardError(f"{width}×{height} is no size; sides go from 1 to {MAX_SIDE}")
    if width * height != count:
        raise BoardError(f"{count} numbers do not fill {width}×{height} = {width * height} cells")
    return Size(width, height)


def _check_permutation(cells: Cells) -> None:
    if not np.array_equal(np.sort(cells), np.arange(cells.size)):
        raise BoardError(f"{cells.tolist()} is not each of 0..{cells.size - 1} once")
