"""Explains why text is not a board: what is wrong first, where, and what to write instead."""

from __future__ import annotations

from collections.abc import Sequence
from math import isqrt
from typing import Final

import numpy as np

from tilework.core.errors import BoardSyntaxError
from tilework.core.formats.board_cells import Block, Row, cell_offset
from tilework.core.formats.board_numbers import (
    NO_HINT,
    Findings,
    SizeHint,
    common_width,
    read_block,
    stated_size,
)
from tilework.core.formats.spellings import (
    BLANK,
    EXAMPLE,
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
_MAX_SIGNS: Final = 37
_MAX_SHOWN: Final = 60


def cells_limit(max_cells: int) -> Message:
    return plural(
        "most-cells",
        "boards of up to {count} cell are accepted here",
        "boards of up to {count} cells are accepted here",
        count=max_cells,
    )


def board_too_large(size: Size, max_cells: int) -> Message:
    return Message(
        "board-too-large",
        "{size} boards are too large; {limit}",
        size=size,
        limit=cells_limit(max_cells),
    )


def check_width(width: int | None) -> None:
    if width is not None and not 1 <= width <= MAX_SIDE:
        raise BoardSyntaxError(
            "width-range",
            "invalid width {width}: sides must be between 1 and {max}",
            width=width,
            max=MAX_SIDE,
        )


def size_and_width(size: Size, width: int | None) -> Message:
    return Message(
        "size-and-width",
        "the text gives the size {size}, but the requested width is {width}",
        size=size,
        width=width,
    )


def several_boards(boards: Sequence[Board]) -> BoardSyntaxError:
    error = BoardSyntaxError(
        "several-given",
        "these are {count} boards, {first} and {second}; give one of them, with the other as its "
        "goal, or send them as a batch",
        count=len(boards),
        first=_show(_format(boards[0])),
        second=_show(_format(boards[1])),
    )
    error.boards = tuple(boards)
    error.fixes = tuple(_format(board) for board in boards[:2])
    return error


def ambiguous_text(boards: Sequence[Board]) -> BoardSyntaxError:
    error = BoardSyntaxError(
        "two-readings",
        "this can be read in two ways; write {first}, or {second}",
        first=_show(_format(boards[0], sized=True)),
        second=_show(_format(boards[1], sized=True)),
    )
    error.fixes = tuple(_format(board, sized=True) for board in boards)
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


class _FaultError(Exception):
    """What is wrong with a cell; the offset is behind it for what is missing there."""

    def __init__(
        self, row: int, column: int, message: Message, fix: str = "", *, is_missing: bool = False
    ) -> None:
        self.row, self.column, self.fix, self.is_missing = row, column, fix, is_missing
        self.message = message
        if fix:
            self.message = Message(
                message.code, "{error}; write {fix}", error=message, fix=_show(fix)
            )


def find_fault(source: Source, found: Findings, max_cells: int | None) -> BoardSyntaxError:
    """Return the error for the first fault that a reader would see in a text without boards."""
    text, hint, brackets = found.text, found.hint, found.brackets
    block = max(found.blocks, key=lambda block: block.count, default=None)
    if brackets is not None and brackets.fault is not None:
        offset, code = brackets.fault
        return source.error(offset, _bracket_message(code, text[offset]))
    if block is None or not block.count:
        return no_board(source)
    after = stated_size(block, NO_HINT)
    if after is not None and hint.width not in (None, after[1].width) and hint.height is None:
        raise source.error(
            0, size_and_width(Size(after[1].width or 0, after[1].height or 0), hint.width)
        )
    rows, stated = stated_size(block, hint) or (block.rows, hint)
    if len(rows) < len(block.rows) and not _is_side(stated, rows):
        rows, stated = block.rows, hint
    hint = stated
    if all(len(row.cells) == 1 for row in rows):
        rows = _spread_signs(rows)
    try:
        _check(text, rows, hint, max_cells)
    except _FaultError as fault:
        row = rows[fault.row]
        is_missing = fault.is_missing
        place = max(0, fault.column - 1) if is_missing else fault.column
        offset = cell_offset(text, row, place)
        if is_missing and fault.column:
            offset += len(row.cells[place])
        error = source.error(offset, fault.message)
        error.rows = [list(row.cells) for row in rows]
        if is_missing:
            error.rows[fault.row].insert(fault.column, "")  # type: ignore[attr-defined]
        error.mark = (fault.row, fault.column)
        if len(error.rows) == 1:
            side = hint.width or isqrt(len(error.rows[0]) - 1) + 1
            [cells] = error.rows
            error.rows = [cells[start : start + side] for start in range(0, len(cells), side)]
            error.mark = divmod(fault.column, side)
        error.fixes = (fault.fix,) if fault.fix else ()
        return error
    raise AssertionError("a board without faults was not read")


def find_fault_in_rows(block: Block, hint: SizeHint) -> tuple[int, int, Message]:
    """Return the row and column, from 1, of the first fault of rows without a text."""
    try:
        _check("", block.rows, hint, None)
    except _FaultError as fault:
        return fault.row + 1, fault.column + 1, fault.message
    raise AssertionError("a board without faults was not read")


def _is_side(hint: SizeHint, rows: list[Row]) -> bool:
    """Whether a number before the rows is their size, and not a row without spaces."""
    count, cells = sum(len(row.cells) for row in rows), (hint.width or 0) * (hint.height or 0)
    if len(rows) == 1 or not hint.is_named:
        return count == cells or (hint.is_named and 2 * count > cells)
    return len(str(hint.width)) != common_width(rows) or hint.width == common_width(rows)


def _spread_signs(rows: list[Row]) -> list[Row]:
    """Return the signs of words that can only be rows, or a board, with one sign a tile."""
    count = sum(len(row.cells[0]) for row in rows)
    values = [cell_value(row.cells[0]) for row in rows]
    is_large = all(value is not None and value > count for value in values)
    if not is_large or count > _MAX_SIGNS:
        return rows
    return [row._replace(cells=list(row.cells[0])) for row in rows]


def _bracket_message(code: str, bracket: str) -> Message:
    if code == "nesting":
        return Message("nesting", "{bracket!r} is nested too deeply", bracket=bracket)
    if code == "closing-bracket":
        return Message("closing-bracket", "{bracket!r} has no opening bracket", bracket=bracket)
    return Message("open-bracket", "{bracket!r} is never closed", bracket=bracket)


def _check(text: str, rows: list[Row], hint: SizeHint, max_cells: int | None) -> None:
    """Raise the first fault of rows that are not a board."""
    count = sum(len(row.cells) for row in rows)
    if max_cells is not None and count > max_cells:
        before = 0
        for index, row in enumerate(rows):
            if before + len(row.cells) > max_cells:
                message = Message(
                    "too-many-tiles", "too many tiles; {limit}", limit=cells_limit(max_cells)
                )
                raise _FaultError(index, max_cells - before, message)
            before += len(row.cells)
    cells = [cell for row in rows for cell in row.cells]
    table = {cell: cell_value(cell) for cell in set(cells)}
    values = [table[cell] for cell in cells]
    for index, value in enumerate(values):
        if value is None:
            raise _unreadable_cell(rows, index)
    numbers = [value for value in values if value is not None and value > 0]
    lacks_blank = len(numbers) == count > 1 and sorted(numbers) == list(range(1, count + 1))
    is_line = len(rows) == 1 or all(len(row.cells) == 1 for row in rows)
    if is_line:
        _check_count(rows, hint, count, lacks_blank=lacks_blank)
    else:
        _check_rows(text, rows, hint, lacks_blank=lacks_blank)
    if lacks_blank:
        message = Message(
            "blankless",
            "there is no blank among these {tiles}; write 0 in its place",
            tiles=tiles(count),
        )
        raise _FaultError(len(rows) - 1, len(rows[-1].cells) - 1, message)
    _check_numbers(rows, values)


def _unreadable_cell(rows: list[Row], index: int) -> _FaultError:
    row, column = _place(rows, index)
    cell = rows[row].cells[column]
    changed = [list(other.cells) for other in rows]
    changed[row][column] = "0"
    fix = "" if any(map(str.isdigit, cell)) else _fix(changed)
    return _FaultError(row, column, not_a_tile(cell), fix)


def _fix(rows: Sequence[Sequence[str]]) -> str:
    """Return rows as text if they are a board; otherwise an empty string."""
    if not _MIN_FIX_CELLS <= sum(map(len, rows)) <= _MAX_FIX_CELLS:
        return ""
    text = _join(rows)
    readings = read_block(text, Block([Row(list(row), 0, 0) for row in rows]), SizeHint(None, None))
    return _format(readings[0].board) if len(readings) == 1 else ""


def _check_count(rows: list[Row], hint: SizeHint, count: int, *, lacks_blank: bool) -> None:
    last = len(rows) - 1, len(rows[-1].cells) - 1
    sizes = hint.sizes(count)
    side = isqrt(count)
    if lacks_blank and not sizes and (hint.sizes(count + 1) or isqrt(count + 1) ** 2 == count + 1):
        size = (hint.sizes(count + 1) or [Size(isqrt(count + 1), isqrt(count + 1))])[0]
        message = Message(
            "no-blank-line",
            "the blank is missing: a {size} board has these {tiles} and a blank; write 0 for it",
            size=size,
            tiles=tiles(count),
        )
        raise _FaultError(last[0], last[1] + 1, message, is_missing=True)
    if hint.width is not None:
        width = hint.width
        size = Size(width, hint.height or -(-count // width))
        if size.cells != count:
            raise _FaultError(
                *_place(rows, min(count - 1, size.cells)), tile_count(size, size.cells, count)
            )
    elif side * side != count and len(rows) == 1:
        message = Message(
            "square",
            "{tiles} do not form a square; put the size before them, as in 4x3: 1 2 3 …",
            tiles=tiles(count),
        )
        raise _FaultError(*last, message)
    if count > MAX_SIDE:
        raise _FaultError(0, 0, invalid_size(Size(hint.width or 1, count), MAX_SIDE))


def _check_rows(text: str, rows: list[Row], hint: SizeHint, *, lacks_blank: bool) -> None:
    expected = common_width(rows)
    if hint.width is not None and (hint.is_named or expected != hint.height):
        expected = hint.width
    for index, row in enumerate(rows):
        length = len(row.cells)
        if length == expected:
            continue
        changed = [list(other.cells) for other in rows]
        message = row_length(index + 1, length, expected)
        if length < expected:
            changed[index] = [sign for cell in row.cells for sign in cell]
            if fix := _fix(changed):
                raise _FaultError(index, length - 1, message, fix)
            others = (_indent(text, other) for other in rows if other is not row)
            is_first = _indent(text, row) > max(others)
            changed[index] = ["0", *row.cells] if is_first else [*row.cells, "0"]
            if lacks_blank and (fix := _fix(changed)):
                missing = Message(
                    "blank-missing", "the blank is missing in row {row}", row=index + 1
                )
                place = 0 if is_first else length
                raise _FaultError(index, place, missing, fix, is_missing=True)
        has_blank = any(
            cell_value(cell) in (0, -1, BLANK) for other in rows for cell in other.cells
        )
        if not has_blank:
            message = Message(
                message.code, "{error}; write the blank as 0, X, _ or .", error=message
            )
        raise _FaultError(index, min(length - 1, expected), message)
    size = Size(expected, len(rows))
    if not hint.matches(size):
        stated = Size(hint.width or expected, hint.height or len(rows))
        count = size.cells
        raise _FaultError(
            *_place(rows, min(count - 1, stated.cells)), tile_count(stated, stated.cells, count)
        )
    if max(size) > MAX_SIDE:
        raise _FaultError(0, 0, invalid_size(size, MAX_SIDE))


def _indent(text: str, row: Row) -> int:
    part = text[row.start : row.end]
    return len(part) - len(part.lstrip(" "))


def _check_numbers(rows: list[Row], values: Sequence[int | None]) -> None:
    blanks = [index for index, value in enumerate(values) if value == BLANK]
    if len(blanks) + values.count(0) > 1 and blanks:
        second = blanks[1] if len(blanks) > 1 else max(blanks[0], values.index(0))
        row, column = _place(rows, second)
        message = Message(
            "second-blank",
            "a second blank, {cell!r}; a board has one",
            cell=shorten(rows[row].cells[column]),
        )
        numbered = iter([str((value or 0) + 1) if value != BLANK else "0" for value in values])
        fix = _fix([[next(numbered) for _cell in other.cells] for other in rows])
        raise _FaultError(row, column, message, "" if len(blanks) > 1 else fix)
    numbers = np.array([0 if value == BLANK else value for value in values], dtype=np.int64)
    index = find_invalid_tile(numbers)
    if index < 0:
        message = Message(
            "shapeless", "these cells have no shape; write a row of the board on each line"
        )
        raise _FaultError(0, 0, message)
    raise _FaultError(*_place(rows, index), describe_invalid_tiles(numbers))


def _place(rows: list[Row], index: int) -> tuple[int, int]:
    """Return the row and column of a cell, counted through all rows."""
    for row, other in enumerate(rows):
        if index < len(other.cells):
            return row, index
        index -= len(other.cells)
    return len(rows) - 1, len(rows[-1].cells) - 1
