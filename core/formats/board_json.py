"""Boards as decoded JSON: text, a flat list, a list of rows, or an object with one of these.

An object has ``tiles`` and may have ``width`` and ``height``.
"""

from __future__ import annotations

from core.errors import BoardError, BoardSyntaxError
from core.formats.board_pieces import limit_words, number_of, quoted
from core.formats.board_text import read_board
from core.puzzle.board import Board


def read_board_json(
    value: object, width: int | None = None, *, max_cells: int | None = None
) -> Board:
    """Read a board out of a decoded JSON value, of at most that many cells.

    Raises
    ------
    BoardError
        If the value is no board, or too large a one; the message says which row and place is wrong.
    """
    height = None
    if isinstance(value, dict):
        width = _side(value, "width", width)
        height = _side(value, "height", None)
        value = value.get("tiles")
    if isinstance(value, str):
        board = read_board(value, width, max_cells=max_cells)
        if height is not None and height != board.height:
            raise BoardError(f"the tiles make {board.size}, but the height given is {height}")
        return board
    if not isinstance(value, list) or not value:
        given = quoted(repr(value))
        raise BoardError(f"{given} is no board; give text, or a list of tiles or of rows")
    count = sum(len(row) if isinstance(row, list) else 1 for row in value)
    if max_cells is not None and count > max_cells:
        raise BoardError(f"{count} tiles are too many; {limit_words(max_cells)}")
    if not any(isinstance(row, list) for row in value):
        return Board(_numbers(value, None), width, height)
    rows = [_numbers(row, index) for index, row in enumerate(value, 1)]
    for index, row in enumerate(rows, 1):
        if len(row) != len(rows[0]):
            raise BoardSyntaxError(
                f"row {index} has {len(row)} tiles, row 1 has {len(rows[0])}; rows are equally long"
            )
    if (width or len(rows[0])) != len(rows[0]) or (height or len(rows)) != len(rows):
        raise BoardError(
            f"{len(rows)} rows of {len(rows[0])} tiles do not make the width or height given"
        )
    return Board([tile for row in rows for tile in row], len(rows[0]), len(rows))


def board_rows(board: Board) -> list[list[int]]:
    """The tiles as a list of rows."""
    rows: list[list[int]] = board.cells.reshape(board.height, board.width).tolist()
    return rows


def _side(value: dict[object, object], name: str, default: int | None) -> int | None:
    side = value.get(name, default)
    if side is None:
        return None
    if isinstance(side, bool) or not isinstance(side, int):
        raise BoardError(f"{quoted(repr(side))} is no {name}; give a whole number")
    return side


def _numbers(row: object, index: int | None) -> list[int]:
    if not isinstance(row, list) or not row:
        raise BoardSyntaxError(f"row {index}, {quoted(repr(row))}, is not a list of tiles")
    numbers = []
    for place, item in enumerate(row, 1):
        number = _number(item)
        if number is None:
            where = f"place {place}" if index is None else f"row {index}, place {place}"
            raise BoardSyntaxError(
                f"{where}: {quoted(repr(item))} is not a tile; tiles are whole numbers, 0 the blank"
            )
        numbers.append(number)
    return numbers


def _number(item: object) -> int | None:
    if item is None:
        return 0
    if isinstance(item, str):
        return number_of(item.strip())
    if isinstance(item, bool) or not isinstance(item, int):
        return None
    return item
