"""Boards as decoded JSON: text, a flat list, a list of rows, or an object with one of these.

An object has ``tiles`` and optionally ``width`` and ``height``.
"""

from __future__ import annotations

from tilework.core.errors import BoardError, BoardSyntaxError
from tilework.core.formats.board_text import read_board
from tilework.core.formats.board_tokens import cells_limit, not_a_tile, parse_tile, shorten
from tilework.core.messages import Message
from tilework.core.puzzle.board import MAX_SIDE, Board, Size
from tilework.core.puzzle.phrases import row_length, tiles

# The first number that an int64 array cannot store.
_INT64_LIMIT = 1 << 63


def read_board_json(
    value: object, width: int | None = None, *, max_cells: int | None = None
) -> Board:
    """Read a board of at most `max_cells` cells from a decoded JSON value."""
    height = None
    if isinstance(value, dict):
        width = _read_side(value, "width", width)
        height = _read_side(value, "height", None)
        value = value.get("tiles")
    if isinstance(value, str):
        board = read_board(value, width, max_cells=max_cells)
        if height is not None and height != board.height:
            raise BoardError(_wrong_height(board.size, height))
        return board
    if not isinstance(value, list) or not value:
        raise BoardError(
            "json-board",
            "{value} is not a board; use text, a list of tiles or a list of rows",
            value=shorten(repr(value)),
        )
    count = sum(len(row) if isinstance(row, list) else 1 for row in value)
    if max_cells is not None and count > max_cells:
        raise BoardError(
            "many-tiles",
            "{tiles} are too many; {limit}",
            tiles=tiles(count),
            limit=cells_limit(max_cells),
        )
    if not any(isinstance(row, list) for row in value):
        return Board(_read_tiles(value, None), width, height)
    rows = [_read_tiles(row, index) for index, row in enumerate(value, 1)]
    for index, row in enumerate(rows, 1):
        if len(row) != len(rows[0]):
            raise BoardSyntaxError(row_length(index, len(row), len(rows[0])))
    size = Size(len(rows[0]), len(rows))
    if width not in (None, size.width):
        raise BoardError(
            "other-width",
            "the board is {size}, but the given width is {width}",
            size=size,
            width=width,
        )
    if height not in (None, size.height):
        raise BoardError(_wrong_height(size, height))
    return Board([tile for row in rows for tile in row], *size)


def board_rows(board: Board) -> list[list[int]]:
    rows: list[list[int]] = board.cells.reshape(board.height, board.width).tolist()
    return rows


def _read_side(value: dict[object, object], name: str, default: int | None) -> int | None:
    side = value.get(name, default)
    if side is None:
        return None
    if isinstance(side, bool) or not isinstance(side, int) or not 1 <= side <= MAX_SIDE:
        raise BoardError(
            "side-type",
            "invalid {name} {value}; use a whole number from 1 to {max}",
            name=name,
            value=shorten(repr(side)),
            max=MAX_SIDE,
        )
    return side


def _read_tiles(row: object, index: int | None) -> list[int]:
    if not isinstance(row, list) or not row:
        raise BoardSyntaxError(
            "row-type",
            "row {row} is not a list of tiles: {value}",
            row=index,
            value=shorten(repr(row)),
        )
    numbers = []
    for position, item in enumerate(row, 1):
        number = item if type(item) is int else _read_tile(item)
        if number is None:
            raise BoardSyntaxError(_with_position(position, index, not_a_tile(str(item))))
        numbers.append(number)
    if not -_INT64_LIMIT < min(numbers) <= max(numbers) < _INT64_LIMIT:
        position = next(
            position for position, number in enumerate(numbers, 1) if abs(number) >= _INT64_LIMIT
        )
        raise BoardError(_with_position(position, index, not_a_tile(str(numbers[position - 1]))))
    return numbers


def _with_position(position: int, row: int | None, error: Message) -> Message:
    if row is None:
        return Message(error.code, "tile {position}: {error}", position=position, error=error)
    return Message(
        error.code, "row {row}, column {column}: {error}", row=row, column=position, error=error
    )


def _wrong_height(size: Size, height: int | None) -> Message:
    return Message(
        "other-height",
        "the board is {size}, but the given height is {height}",
        size=size,
        height=height,
    )


def _read_tile(item: object) -> int | None:
    if item is None:
        return 0
    if isinstance(item, str):
        return parse_tile(item.strip())
    if isinstance(item, bool) or not isinstance(item, int):
        return None
    return item
