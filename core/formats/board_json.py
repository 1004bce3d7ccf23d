"""Boards as decoded JSON: text, a flat list, a list of rows, or an object with one of these.

An object has ``tiles`` and optionally ``width`` and ``height``.
"""

from __future__ import annotations

from tilework.core.errors import BoardError, BoardSyntaxError
from tilework.core.formats.board_cells import Block, Row
from tilework.core.formats.board_faults import check_tile_count, check_width, find_fault_in_rows
from tilework.core.formats.board_numbers import Reading, SizeHint, common_width, read_block
from tilework.core.formats.board_text import read_text
from tilework.core.formats.spellings import shorten
from tilework.core.messages import Message
from tilework.core.puzzle.board import MAX_SIDE, Board, Size

_MAX_BITS = 10_000  # longer numbers cannot be printed


def read_board_json(
    value: object, width: int | None = None, *, max_cells: int | None = None
) -> Reading:
    """Read a board of at most `max_cells` cells from a decoded JSON value."""
    height = None
    if isinstance(value, dict):
        width = _read_side(value, "width", width)
        height = _read_side(value, "height", None)
        value = value.get("tiles")
    check_width(width)
    if isinstance(value, str):
        reading = read_text(value, width, max_cells=max_cells)
        _check_sides(reading.board.size, None, height)
        return reading
    if not isinstance(value, list) or not value:
        raise BoardError(
            "json-board",
            "{value} is not a board; use text, a list of tiles or a list of rows",
            value=shorten(repr(value)),
        )
    is_flat = not any(isinstance(row, list) for row in value)
    lists = [value] if is_flat else value
    count = sum(len(row) if isinstance(row, list) else 1 for row in lists)
    check_tile_count(count, max_cells)
    rows = [Row(_spell_row(row, index)) for index, row in enumerate(lists, 1)]
    hint = SizeHint(width, height) if is_flat else SizeHint(common_width(rows), len(rows))
    readings = read_block("", Block(rows), hint)
    if len(readings) != 1:
        row, column, message, *_rest = find_fault_in_rows(rows, hint)
        error_type = BoardSyntaxError if message.code in {"tile", "row-length"} else BoardError
        raise error_type(_with_position(column + 1, None if is_flat else row + 1, message))
    _check_sides(readings[0].board.size, width, height)
    return readings[0]


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


def _check_sides(size: Size, width: int | None, height: int | None) -> None:
    if width not in (None, size.width):
        raise BoardError(
            "other-width",
            "the board is {size}, but the given width is {width}",
            size=size,
            width=width,
        )
    if height not in (None, size.height):
        raise BoardError(
            "other-height",
            "the board is {size}, but the given height is {height}",
            size=size,
            height=height,
        )


def _spell_row(row: object, index: int) -> list[str]:
    if not isinstance(row, list) or not row:
        raise BoardSyntaxError(
            "row-type",
            "row {row} is not a list of tiles: {value}",
            row=index,
            value=shorten(repr(row)),
        )
    return [_spell(item) for item in row]


def _spell(item: object) -> str:
    if item is None:
        return ""
    if isinstance(item, str):
        return item.strip()
    if isinstance(item, int) and item.bit_length() > _MAX_BITS:
        return hex(item)
    return str(item)


def _with_position(column: int, row: int | None, error: Message) -> Message:
    if row is None:
        return Message(error.code, "tile {position}: {error}", position=column, error=error)
    return Message(
        error.code, "row {row}, column {column}: {error}", row=row, column=column, error=error
    )
