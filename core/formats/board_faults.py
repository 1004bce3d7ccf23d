"""Explains why text is not a board: what is wrong first, where, and what to write instead."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from math import isqrt
from typing import Final, NamedTuple

import numpy as np

from tilework.core.errors import BoardSyntaxError
from tilework.core.formats.board_cells import (
    MAX_SIGNS,
    Block,
    Reading,
    Row,
    cell_offset,
    common_width,
    read_block,
    stated_sizes,
)
from tilework.core.formats.spellings import (
    BLANK,
    EXAMPLE,
    NO_HINT,
    SizeHint,
    Source,
    cell_value,
    not_a_tile,
    shorten,
)
from tilework.core.messages import Message, plural
from tilework.core.puzzle.arrangement import describe_invalid_tiles, find_invalid_tile
from tilework.core.puzzle.board import MAX_SIDE, Board, Size
from tilework.core.puzzle.phrases import invalid_size, row_length, tile_count, tiles

_MIN_FIX_CELLS: Final = 4
_MAX_FIX_CELLS: Final = 400
_MAX_SHOWN: Final = 60


def cells_limit(max_cells: int) -> Message:
    return plural(
        "most-cells",
        "boards of up to {count} cell are accepted here",
        "boards of up to {count} cells are accepted here",
        count=max_cells,
    )


def many_tiles(count: int, max_cells: int) -> Message:
    return Message(
        "many-tiles",
        "{tiles} are too many; {limit}",
        tiles=tiles(count),
        limit=cells_limit(max_cells),
    )


def other_side(size: Size, name: str, side: int | None) -> Message:
    return Message(
        "other-side",
        "the board is {size}, but the given {name} is {side}",
        size=size,
        name=name,
        side=side,
    )


def several_boards(boards: Sequence[Board]) -> BoardSyntaxError:
    fixes = tuple(map(_format, boards[:2]))
    error = BoardSyntaxError(
        "several-given",
        "these are {count} boards, {first} and {second}; give one of them, with the other as its "
        "goal, or send them as a batch",
        count=len(boards),
        first=_show(fixes[0]),
        second=_show(fixes[1]),
    )
    error.boards, error.fixes = tuple(boards), fixes
    return error


def ambiguous_text(boards: Sequence[Board]) -> BoardSyntaxError:
    fixes = tuple(_format(board, sized=True) for board in boards)
    error = BoardSyntaxError(
        "two-readings",
        "this can be read in two ways; write {first}, or {second}",
        first=_show(fixes[0]),
        second=_show(fixes[1]),
    )
    error.fixes = fixes
    return error


def _format(board: Board, *, sized: bool = False) -> str:
    rows: list[list[int]] = board.cells.reshape(board.height, board.width).tolist()
    prefix = f"{board.width}x{board.height}: " if sized or 1 in board.size else ""
    return prefix + _join([[str(tile) for tile in row] for row in rows])


def _join(rows: Sequence[Sequence[str]]) -> str:
    return " / ".join(" ".join(row) for row in rows)


def _show(text: str) -> str:
    return text if len(text) <= _MAX_SHOWN else text[: _MAX_SHOWN - 1] + "…"


def no_board(source: Source) -> BoardSyntaxError:
    return BoardSyntaxError(
        "no-board",
        "{text!r} contains no board; write one like {example}",
        text=shorten(source.given),
        example=EXAMPLE,
    )


class Findings(NamedTuple):
    """The boards in a text, each with its readings; what was left out and read; what is wrong."""

    boards: list[list[Reading]]
    asides: list[str]
    text: str
    blocks: list[Block]
    hint: SizeHint
    bracket: int | None  # the offset of one without its counterpart


class Fault(NamedTuple):
    """What is wrong with a cell, from row and column 0; `is_missing` if it should come there."""

    row: int
    column: int
    message: Message
    fix: str = ""
    is_missing: bool = False


def find_fault(source: Source, found: Findings, max_cells: int | None) -> BoardSyntaxError:
    """Return the error for the first fault that a reader would see in a text without boards."""
    _boards, _asides, text, blocks, hint, bracket = found
    if bracket is not None:
        sign = source.text[bracket]
        message = Message("bracket", "{bracket!r} has no matching bracket", bracket=sign)
        return source.error(bracket, message)
    if not blocks:
        return no_board(source)
    block = max(blocks, key=lambda block: len(block.cells))
    rows = block.rows
    for _rest, stated in stated_sizes(block, NO_HINT):
        if hint.height is None and hint.width not in (None, stated.width, stated.height):
            size = Size(stated.width or 0, stated.height or 0)
            return source.error(0, other_side(size, "width", hint.width))
    for rest, stated in stated_sizes(block, hint):
        if _is_size(stated, rest):
            rows, hint = rest, stated
            break
    if all(len(row.cells) == 1 for row in rows):
        rows = _spread_signs(rows)
    fault = find_fault_in_rows(rows, hint, max_cells, text)
    place = max(0, fault.column - fault.is_missing)
    offset = cell_offset(text, rows[fault.row], place)
    if fault.is_missing and fault.column:
        offset += len(rows[fault.row].cells[place])
    message = fault.message
    if fault.fix:
        message = Message(message.code, "{error}; write {fix}", error=message, fix=_show(fault.fix))
    error = source.error(offset, message)
    cells = [list(row.cells) for row in rows]
    if fault.is_missing:
        cells[fault.row].insert(fault.column, "")
    error.rows, error.mark = cells, (fault.row, fault.column)
    if len(cells) == 1:
        side = hint.width or isqrt(len(cells[0]) - 1) + 1
        error.rows = [cells[0][start : start + side] for start in range(0, len(cells[0]), side)]
        error.mark = divmod(fault.column, side)
    error.fixes = (fault.fix,) if fault.fix else ()
    return error


def _is_size(hint: SizeHint, rows: list[Row]) -> bool:
    """Whether a number before the rows is their size, and not a row without spaces."""
    count, cells = sum(len(row.cells) for row in rows), (hint.width or 0) * (hint.height or 0)
    if len(rows) == 1 or not hint.is_named:
        return count == cells or (hint.is_named and 2 * count > cells)
    return len(str(hint.width)) != common_width(rows) or hint.width == common_width(rows)


def _spread_signs(rows: list[Row]) -> list[Row]:
    """Return the signs of words that can only be rows, or a board, with one sign a tile."""
    count = sum(len(row.cells[0]) for row in rows)
    is_large = all((cell_value(row.cells[0]) or 0) > count for row in rows)
    if not is_large or count > MAX_SIGNS:
        return rows
    return [row._replace(cells=list(row.cells[0])) for row in rows]


def find_fault_in_rows(
    rows: list[Row], hint: SizeHint, max_cells: int | None = None, text: str = ""
) -> Fault:
    """Return the first fault of rows that are not a board."""
    cells = [cell for row in rows for cell in row.cells]
    if max_cells is not None and len(cells) > max_cells:
        return Fault(*_place(rows, max_cells), many_tiles(len(cells), max_cells))
    table = {cell: cell_value(cell) for cell in set(cells)}
    values = [table[cell] for cell in cells]
    if None in values:
        row, column = _place(rows, values.index(None))
        cell = rows[row].cells[column]
        changed = [*rows[row].cells[:column], "0", *rows[row].cells[column + 1 :]]
        fix = "" if any(map(str.isdigit, cell)) else _fix(rows, row, changed)
        return Fault(row, column, not_a_tile(cell), fix)
    numbers = [value or 0 for value in values]
    count = len(cells)
    lacks_blank = count > 1 and sorted(numbers) == list(range(1, count + 1))
    is_flat = len(rows) == 1 or all(len(row.cells) == 1 for row in rows)
    is_missing = bool(is_flat and lacks_blank and not hint.sizes(count) and hint.sizes(count + 1))
    fault = None
    if not is_flat:
        fault = _check_rows(text, rows, hint, numbers, lacks_blank=lacks_blank)
    elif not is_missing:
        fault = _check_count(rows, hint, count)
    if fault is None and lacks_blank:
        message = Message(
            "no-blank-sign",
            "there is no blank among these {tiles}; write it as 0",
            tiles=tiles(count),
        )
        row, column = _place(rows, count - 1)
        return Fault(row, column + is_missing, message, is_missing=is_missing)
    return fault or _check_numbers(rows, numbers)


def _fix(rows: list[Row], index: int, changed: Sequence[str]) -> str:
    """Return rows with one of them changed as text if they are a board; otherwise nothing."""
    new = [Row(list(changed)) if row is rows[index] else row for row in rows]
    is_of_size = _MIN_FIX_CELLS <= sum(len(row.cells) for row in new) <= _MAX_FIX_CELLS
    if not is_of_size or not all(row.cells for row in new):
        return ""
    text = _join([row.cells for row in new])
    readings = read_block(text, Block([Row(row.cells) for row in new]), NO_HINT)
    return _format(readings[0].board) if len(readings) == 1 else ""


def _check_count(rows: list[Row], hint: SizeHint, count: int) -> Fault | None:
    if hint.width is not None:
        size = Size(hint.width, hint.height or -(-count // hint.width))
        if size.cells != count:
            message = tile_count(size, size.cells, count)
            return Fault(*_place(rows, min(count - 1, size.cells)), message)
    elif not hint.sizes(count) and len(rows) == 1:
        message = Message(
            "square",
            "{tiles} do not form a square; put the size before them, as in 4x3: 1 2 3 …",
            tiles=tiles(count),
        )
        return Fault(*_place(rows, count - 1), message)
    if count > MAX_SIDE:
        return Fault(0, 0, invalid_size(Size(hint.width or 1, count), MAX_SIDE))
    return None


def _check_rows(
    text: str, rows: list[Row], hint: SizeHint, numbers: list[int], *, lacks_blank: bool
) -> Fault | None:
    expected = common_width(rows)
    if hint.width is not None and (hint.is_named or expected != hint.height):
        expected = hint.width
    for index, row in enumerate(rows):
        length = len(row.cells)
        if length == expected:
            continue
        message = row_length(index + 1, length, expected)
        if length < expected:
            if fix := _fix(rows, index, [sign for cell in row.cells for sign in cell]):
                return Fault(index, length - 1, message, fix)
            is_first = _indent(text, row) > max(
                _indent(text, other) for other in rows if other is not row
            )
            changed = ["0", *row.cells] if is_first else [*row.cells, "0"]
            if lacks_blank and (fix := _fix(rows, index, changed)):
                missing = Message(
                    "blank-missing", "the blank is missing in row {row}", row=index + 1
                )
                return Fault(index, 0 if is_first else length, missing, fix, is_missing=True)
        if not {0, -1, BLANK} & set(numbers):
            message = Message(
                message.code, "{error}; write the blank as 0, X, _ or .", error=message
            )
        return Fault(index, min(length - 1, expected), message)
    size = Size(expected, len(rows))
    if not hint.matches(size):
        stated = Size(hint.width or expected, hint.height or len(rows))
        message = tile_count(stated, stated.cells, size.cells)
        return Fault(*_place(rows, min(size.cells - 1, stated.cells)), message)
    return Fault(0, 0, invalid_size(size, MAX_SIDE)) if max(size) > MAX_SIDE else None


def _indent(text: str, row: Row) -> int:
    part = text[row.start : row.end]
    return len(part) - len(part.lstrip(" "))


def _check_numbers(rows: list[Row], values: list[int]) -> Fault:
    blanks = [index for index, value in enumerate(values) if value == BLANK]
    if len(blanks) + values.count(0) > 1 and blanks:
        second = blanks[1] if len(blanks) > 1 else max(blanks[0], values.index(0))
        row, column = _place(rows, second)
        message = Message(
            "second-blank",
            "a second blank, {cell!r}; a board has one",
            cell=shorten(rows[row].cells[column]),
        )
        return Fault(row, column, message)
    numbers = np.array([0 if value == BLANK else value for value in values], dtype=np.int64)
    index = find_invalid_tile(numbers)
    if index >= 0:
        return Fault(*_place(rows, index), describe_invalid_tiles(numbers))
    message = Message(
        "shapeless", "these cells have no shape; write a row of the board on each line"
    )
    return Fault(0, 0, message)


def _place(rows: list[Row], index: int) -> tuple[int, int]:
    """Return the row and column of a cell, counted through all rows."""
    places = ((row, column) for row, other in enumerate(rows) for column in range(len(other.cells)))
    return next(islice(places, index, None))
