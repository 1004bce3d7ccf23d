"""The board: an immutable arrangement of tiles and one blank on a grid.

``cells`` is a flat, read-only, row-major int32 array that contains each of ``0 .. width*height-1``
exactly once; 0 is the blank.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import isqrt
from numbers import Integral
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from tilework.core.arguments import check_integer, check_type, invalid, optional
from tilework.core.errors import BoardError, CellError
from tilework.core.messages import Message
from tilework.core.puzzle.arrangement import (
    CHUNK,
    Cells,
    describe_invalid_tiles,
    find_blank,
    hamming,
    is_permutation,
    is_range,
    is_reachable,
    manhattan,
)
from tilework.core.puzzle.moves import blank_steps, legal_moves
from tilework.core.puzzle.phrases import goal_size, invalid_size, tile_count
from tilework.core.puzzle.phrases import tiles as tile_phrase

MAX_SIDE = 32_768


class Size(NamedTuple):
    width: int
    height: int

    @property
    def cells(self) -> int:
        return self.width * self.height

    def __call__(self) -> int:
        """Return N of an N×N board, so that ``board.size()`` works as in Princeton's assignment."""
        if self.width != self.height:
            raise BoardError(
                "no-single-size",
                "a {size} board has no single size; use its width and height",
                size=self,
            )
        return self.width

    def __str__(self) -> str:
        return f"{self.width}×{self.height}"


class Board:
    """An immutable, hashable board.

    Parameters
    ----------
    tiles : sequence of int, sequence of rows, or ndarray of whole numbers
        ``width * height`` numbers, row by row, 0 or None for the blank. A read-only int32 array
        (such as a memory-mapped file) is shared, anything else copied.
    width, height : int, optional
        From 1 to 32,768. A two-dimensional array has both; otherwise one can be omitted, and both
        if the board is square.
    """

    __slots__ = ("_blank", "_cells", "_hash", "_size")

    _size: Size
    _cells: Cells
    _blank: int
    _hash: int | None

    def __init__(
        self,
        tiles: Sequence[int] | Sequence[Sequence[int]] | NDArray[np.integer],
        width: int | None = None,
        height: int | None = None,
    ) -> None:
        values = _read_integers(tiles)
        if values.ndim == 2 and width is None and height is None:
            height, width = values.shape
        self._size = _resolve_size(values.size, width, height)
        values = values.reshape(-1)
        if not is_permutation(values):
            raise BoardError(
                "permutation",
                "the tiles are not a permutation of 0 to {last}: {error}",
                last=values.size - 1,
                error=describe_invalid_tiles(values),
            )
        is_shared = values.dtype == np.int32 and not values.flags.writeable
        cells = np.ascontiguousarray(values) if is_shared else values.astype(np.int32)
        self._cells = _freeze(cells)
        self._blank = find_blank(self._cells)
        self._hash = None

    @classmethod
    def trusted(cls, cells: Cells, size: Size, blank: int | None = None) -> Self:
        """Create a board from a flat int32 array without checking that it is a permutation."""
        board = cls.__new__(cls)
        board._cells = _freeze(cells)
        board._size = size
        board._blank = find_blank(cells) if blank is None else blank
        board._hash = None
        return board

    @property
    def size(self) -> Size:
        return self._size

    @property
    def cells(self) -> Cells:
        """Flat, read-only int32 array of shape (width * height,)."""
        return self._cells

    @property
    def width(self) -> int:
        return self._size.width

    @property
    def height(self) -> int:
        return self._size.height

    @property
    def blank(self) -> int:
        return self._blank

    def tile_at(self, row: int, column: int) -> int:
        """Return the tile at a row and column, both counted from 0; 0 is the blank."""
        row = check_integer("row", row, 0, self.height - 1, CellError)
        column = check_integer("column", column, 0, self.width - 1, CellError)
        return int(self._cells[row * self.width + column])

    def neighbors(self) -> Iterator[Self]:
        """Yield the boards one move away, for the legal moves in the order U, D, L, R."""
        legal = legal_moves(self._blank, *self.size)
        for move, step in enumerate(blank_steps(self.width)):
            if legal >> move & 1:
                yield self._with_blank_at(self._blank + step)

    def hamming(self, goal: Board | None = None) -> int:
        """Count the misplaced tiles, without the blank; the default goal is blank-last."""
        return hamming(self._cells, self._goal_cells(goal))

    def manhattan(self, goal: Board | None = None) -> int:
        """Sum the tiles' distances to their goal cells, without the blank."""
        return manhattan(self._cells, self._goal_cells(goal), self.width)

    def is_goal(self, goal: Board | None = None) -> bool:
        if goal is not None:
            return self == _check_board("goal", goal)
        return self._blank == self._cells.size - 1 and is_range(self._cells[:-1], 1)

    def is_solvable(self, goal: Board | None = None) -> bool:
        """Whether the goal can be reached from this board; the default goal is blank-last."""
        return is_reachable(self._cells, self._goal_cells(goal), *self.size)

    def _goal_cells(self, goal: Board | None) -> Cells | None:
        if goal is None:
            return None
        if _check_board("goal", goal).size != self.size:
            raise BoardError(goal_size(goal.size, self.size))
        return goal._cells

    def _with_blank_at(self, cell: int) -> Self:
        cells = self._cells.copy()
        cells[self._blank] = cells[cell]
        cells[cell] = 0
        return self.trusted(cells, self._size, cell)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Board):
            return NotImplemented
        return (
            self._blank == other._blank
            and self.size == other.size
            and all(
                self._cells[start : start + CHUNK].tobytes()
                == other._cells[start : start + CHUNK].tobytes()
                for start in range(0, self._cells.size, CHUNK)
            )
        )

    def __hash__(self) -> int:
        if self._hash is None:
            self._hash = hash((self.size, self._blank, self._cells[:CHUNK].tobytes()))
        return self._hash

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self._cells, *self.size)

    def __str__(self) -> str:
        """Return Princeton's text: the side (``4x3:`` for a rectangle), then the rows."""
        width, height = self.size
        header = str(width) if width == height else f"{width}x{height}:"
        digits = max(2, len(str(self._cells.size - 1)))
        rows = (
            " ".join(str(tile).rjust(digits) for tile in row)
            for row in self._cells.reshape(height, width).tolist()
        )
        return "\n".join([header, *rows])

    def __repr__(self) -> str:
        if self._cells.size > 400:
            return f"Board(<{self._cells.size} tiles>, {self.width}, {self.height})"
        return f"Board({self._cells.tolist()}, {self.width}, {self.height})"


def _check_board(name: str, value: Any) -> Board:
    return check_type(name, value, Board, Message("board", "a board"), BoardError)


def _freeze(cells: Cells) -> Cells:
    cells.flags.writeable = False
    return cells.view()


def _read_integers(
    tiles: Sequence[int] | Sequence[Sequence[int]] | NDArray[np.integer],
) -> NDArray[np.integer]:
    try:
        values: NDArray[Any] = np.asarray(tiles)
    except ValueError:
        raise BoardError(
            "ragged-rows", "the rows of a board must all have the same number of tiles"
        ) from None
    if values.size == 0:
        raise BoardError("no-tiles", "a board has at least one cell, the blank")
    if values.dtype.kind in "fO" and values.ndim:
        values = _to_integers(values)
    if values.ndim == 0:
        allowed = Message(
            "board-forms",
            "text such as {example}, or a list of tiles or rows",
            example="8 1 3 / 4 0 2 / 7 6 5",
        )
        raise BoardError(invalid("board", tiles, allowed))
    if values.dtype.kind not in "iu":
        allowed = Message(
            "tiles-allowed", "whole numbers from 0 to {last}, 0 for the blank", last=values.size - 1
        )
        raise BoardError(invalid("tile", _find_other_type(values), allowed))
    if values.ndim > 2:
        raise BoardError(
            "dimensions", "a board has rows and columns, not {count} dimensions", count=values.ndim
        )
    return values.astype(values.dtype.newbyteorder("="), copy=False)


def _to_integers(values: NDArray[Any]) -> NDArray[Any]:
    """Return whole numbers as integers, and None or NaN as 0; other values unchanged."""
    filled = [0 if value is None or value != value else value for value in values.flat]  # noqa: PLR0124 - NaN
    if any(
        isinstance(value, bool) or not isinstance(value, int | float) or value % 1
        for value in filled
    ):
        return values
    return np.array(list(map(int, filled))).reshape(values.shape)


def _find_other_type(values: NDArray[Any]) -> object:
    """Return the first tile that is not a whole number, or else the largest one."""
    tiles = values.reshape(-1).tolist()
    for tile in tiles:
        if isinstance(tile, bool) or not isinstance(tile, Integral):
            return tile
    return max(tiles)


def check_side(name: str, side: object) -> int:
    return check_integer(name, side, 1, MAX_SIDE, BoardError)


def _resolve_size(count: int, width: int | None, height: int | None) -> Size:
    width, height = optional(check_side, "width", width), optional(check_side, "height", height)
    if width is None and height is None:
        width = height = isqrt(count)
        if width * width != count:
            raise BoardError(
                "no-square",
                "{tiles} do not form a square; use the width",
                tiles=tile_phrase(count),
            )
    width = width or count // (height or 1)
    height = height or count // (width or 1)
    if not (1 <= width <= MAX_SIDE and 1 <= height <= MAX_SIDE):
        raise BoardError(invalid_size(Size(width, height), MAX_SIDE))
    if width * height != count:
        raise BoardError(tile_count(Size(width, height), width * height, count))
    return Size(width, height)
