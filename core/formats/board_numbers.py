"""Turns cells into the tiles of a board: sizes, numberings, and cells that are left empty."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import pairwise
from math import isqrt
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tilework.core.formats.board_cells import Block, Brackets, Row
from tilework.core.formats.spellings import BLANK, PLAIN_BLANKS, cell_value, shorten
from tilework.core.messages import Message
from tilework.core.puzzle.arrangement import is_permutation
from tilework.core.puzzle.board import MAX_SIDE, Board, Size

_MIN_INDEXED: Final = 10  # a shorter line with one number too many is more likely a mistake
_MIN_NUMBERED: Final = 9  # cells of a board whose blank can have the last number
_MAX_SIGNS: Final = 37  # the digits, the letters and a blank
_WORD: Final = re.compile(r"\S+")


class SizeHint(NamedTuple):
    """The size that a text states.

    `is_named` if it calls the sides width and height, so that rows have that width; `is_exact` if
    a flat list has it: 4x3 is four wide, but rows can be three wide.
    """

    width: int | None
    height: int | None
    is_named: bool = True
    is_exact: bool = True

    def matches(self, size: Size) -> bool:
        return self._fits(*size) or (not self.is_named and self._fits(size.height, size.width))

    def _fits(self, width: int, height: int) -> bool:
        return self.width in (None, width) and self.height in (None, height)

    def sizes(self, count: int) -> list[Size]:
        """Return the sizes of a flat list."""
        width = self.width or (count // self.height if self.height else 0)
        height = self.height or (count // self.width if self.width else 0)
        sizes = [Size(width, height)]
        if not self.is_exact and width != height:
            sizes.append(Size(height, width))
        return [size for size in sizes if size.cells == count]


NO_HINT: Final = SizeHint(None, None)


class Reading(NamedTuple):
    """A board, and how it was read where that is not the plain form."""

    board: Board
    notes: tuple[Message, ...] = ()

    def describe(self) -> Message | None:
        """Say how the board was read; None for the plain form."""
        if not self.notes:
            return None
        return reduce(_join, self.notes, Message("read-size", "{size}", size=self.board.size))


def _join(first: Message, second: Message) -> Message:
    return Message(first.code, "{first}, {second}", first=first, second=second)


@dataclass(slots=True)
class Findings:
    """The boards in a text, each with its readings; and the blocks that it was divided into."""

    text: str
    boards: list[list[Reading]]
    blocks: list[Block]
    hint: SizeHint
    brackets: Brackets | None = None


def read_block(text: str, block: Block, hint: SizeHint) -> list[Reading]:
    """Return the boards as which rows can be read: one, or several if they are ambiguous."""
    for rows, stated, notes in _without_labels(text, block, hint):
        readings: dict[Board, Reading] = {}
        for cells, size, more in _shapes(text, rows, stated, block):
            if max(size) > MAX_SIDE:
                continue
            for values, how in _number(cells, size):
                board = Board.trusted(values.astype(np.int32, copy=False), size)
                readings.setdefault(board, Reading(board, (*notes, *more, *how)))
        if readings:
            return list(readings.values())
    return []


def stated_size(block: Block, hint: SizeHint) -> tuple[list[Row], SizeHint] | None:
    """Return the rows after a size in the first line or lines, and that size."""
    rows = block.rows
    is_square = len(rows) == 2 == len(rows[0].cells) == len(rows[1].cells)
    if block.in_brackets or hint.height or len(rows) < 2 or len(rows[0].cells) > 2 or is_square:
        return None
    sides = [cell_value(cell) or 0 for cell in rows[0].cells]
    if not all(1 <= side <= MAX_SIDE for side in sides) or hint.width not in (None, *sides):
        return None
    rest = rows[1:]
    if len(sides) == 1:
        count = sum(len(row.cells) for row in rest)
        widths = {len(row.cells) for row in rest}
        side = sides[0]
        if widths == {1} and count not in (side**2, side):
            # The other side, and then a tile, or a row without spaces, on each line.
            second = cell_value(rest[0].cells[0]) or 0
            if count > 1 and count - 1 in (side * second, side, second):
                return rest[1:], SizeHint(side, second, is_named=False, is_exact=False)
            return None
        if len(rest[0].cells) == 1 and len(rest) > 1 and max(widths) > 1:
            second = cell_value(rest[0].cells[0]) or 0
            return rest[1:], SizeHint(side, second, is_named=False, is_exact=False)
        return rest, SizeHint(side, side)
    return rest, SizeHint(sides[0], sides[1], is_named=False, is_exact=False)


def _without_labels(
    text: str, block: Block, hint: SizeHint
) -> Iterator[tuple[list[Row], SizeHint, tuple[Message, ...]]]:
    """Yield the rows without a size, as they are, and without labels of rows and columns."""
    rows = block.rows
    if (after := stated_size(block, hint)) is not None:
        yield *after, ()
    yield rows, hint, ()
    if len(rows) == 1:
        is_long = len(rows[0].cells) >= _MIN_INDEXED and "," not in text[slice(*rows[0][1:])]
        if is_long and not block.in_brackets and rows[0].cells[0].rstrip(".:)").isdecimal():
            note = Message("read-index", "the first number left out")
            yield [rows[0]._replace(cells=rows[0].cells[1:])], hint, (note,)
        return
    if not all(row.cells for row in rows):
        return
    labels = (Message("read-labels", "labels of rows and columns left out"),)
    header, body = rows[0].cells, rows[1:]
    width = common_width(body)
    is_named = not any(any(map(str.isdigit, cell)) for cell in header)
    if is_named and len(header) == width > 1:
        yield body, hint, labels
    has_names = (is_named or _counts(header)) and len(header) in (width, width - 1)
    if has_names and _counts([row.cells[0] for row in body]):
        yield _without_first(body), hint, labels
    if _counts([row.cells[0] for row in rows]):
        yield _without_first(rows), hint, labels


def _counts(cells: list[str]) -> bool:
    """Whether cells count from 0 or 1."""
    start = cell_value(cells[0])
    return start in (0, 1) and all(
        cell_value(cell) == number for number, cell in enumerate(cells, start)
    )


def _without_first(rows: list[Row]) -> list[Row]:
    return [row._replace(cells=row.cells[1:]) for row in rows]


def _shapes(
    text: str, rows: list[Row], hint: SizeHint, block: Block
) -> Iterator[tuple[Sequence[str], Size, tuple[Message, ...]]]:
    """Yield the cells of each board that rows can be, with its size."""
    widths = {len(row.cells) for row in rows}
    count = sum(len(row.cells) for row in rows)
    width = max(widths, default=0)
    if not count:
        return
    size = Size(width, len(rows))
    cells = [cell for row in rows for cell in row.cells]
    is_line = len(rows) == 1 or (widths == {1} and not block.in_brackets)
    if len(widths) == 1 and len(rows) > 1 and hint.matches(size):
        yield cells, size, ()
    if is_line or block.is_wrapped:
        side = isqrt(count)
        square = [Size(side, side)] if side * side == count else []
        for flat in square if hint == NO_HINT else hint.sizes(count):
            yield cells, flat, ()
    if len(widths) > 1 and count == size.cells - 1 and hint.matches(size):
        filled = _fill_gap(text, rows, width)
        if filled is not None:
            yield filled, size, (Message("read-gap", "the blank where a cell is empty"),)
    yield from _sign_shapes(text, rows, hint)


def _fill_gap(text: str, rows: list[Row], width: int) -> list[str] | None:
    """Put a blank where aligned columns leave one cell empty; None if they do not show where."""
    lines = [0]
    for before, row in pairwise([rows[0]._replace(start=0), *rows]):
        lines.append(text.rfind("\n", before.start, row.start) + 1 or lines[-1])
    words = [
        [(match.start() - line, match.end() - line) for match in _WORD.finditer(text, *row[1:])]
        for row, line in zip(rows, lines[1:], strict=True)
    ]
    if any(len(found) != len(row.cells) for found, row in zip(words, rows, strict=True)):
        return None
    [short] = (index for index, found in enumerate(words) if len(found) < width)
    is_padded = any(
        "  " in text[row.start : row.end].strip() for row in (*rows[:short], *rows[short + 1 :])
    )
    for edge in (0, 1):
        columns = {tuple(word[edge] for word in found) for found in words if len(found) == width}
        places = [word[edge] for word in words[short]]
        edges = list(next(iter(columns)))
        gaps = [index for index, place in enumerate(edges) if place not in places]
        # Without padding, a row that is too short looks the same.
        if len(columns) == len(gaps) == 1 and (gaps[0] < width - 1 or is_padded):
            cells = [cell for row in rows for cell in row.cells]
            cells.insert(sum(len(row.cells) for row in rows[:short]) + gaps[0], "")
            return cells
    return None


def _sign_shapes(
    text: str, rows: list[Row], hint: SizeHint
) -> Iterator[tuple[Sequence[str], Size, tuple[Message, ...]]]:
    """Yield boards with one sign a tile: a word for each row, or one for the board."""
    if any("" in row.cells for row in rows):
        return
    words = [" ".join(row.cells) for row in rows]
    if len(rows) == 1 and len(rows[0].cells) > 1:
        words = rows[0].cells
    width = max(map(len, words), default=0)
    if width < 2 or sum(map(len, words)) > _MAX_SIGNS or {len(word) for word in words} != {width}:
        return
    if len(rows) > 1 and sum(" " in word for word in words) > 1:
        return
    note = (Message("read-signs", "one digit or letter a tile"),)
    signs = list("".join(words))
    if len(words) > 1:
        size = Size(width, len(words))
        if hint.matches(size):
            yield signs, size, note
        return
    side = isqrt(width)
    for flat in [Size(side, side)] if hint == NO_HINT else hint.sizes(width):
        if flat.cells == width:
            yield signs, flat, note


def _number(
    cells: Sequence[str], size: Size
) -> Iterator[tuple[NDArray[np.int64], tuple[Message, ...]]]:
    """Yield the tiles, numbered from 1, if the cells are a permutation in one of the numberings."""
    table = {cell: cell_value(cell) for cell in set(cells)}
    if None not in table.values():
        yield from _renumber([table[cell] for cell in cells], cells, size)  # type: ignore[misc]
        return
    is_signs = all(len(cell) == 1 or table[cell] == BLANK for cell in table)
    if is_signs and len(cells) <= _MAX_SIGNS:
        yield from _number_signs(cells, size)


def _renumber(
    values: list[int], cells: Sequence[str], size: Size
) -> Iterator[tuple[NDArray[np.int64], tuple[Message, ...]]]:
    count = len(values)
    if len(set(values)) != count:
        return
    low, high = min(values), max(values)
    notes: tuple[Message, ...] = ()
    if low == BLANK:
        sign = cells[values.index(BLANK)].strip()
        notes = () if sign in PLAIN_BLANKS else (_blank_note(sign),)
        values = [max(value, 0) for value in values]
    elif low == -1 and 0 not in values:
        values = [max(value, 0) for value in values]
        notes = (_blank_note("-1"),)
    elif low == -1:
        values = [value + 1 for value in values]
        notes = (_blank_note("-1"), Message("read-from-zero", "tiles numbered from 0"))
    elif low == 1 and high == count >= _MIN_NUMBERED and size.width == size.height:
        values = [value % count for value in values]
        notes = (_blank_note(str(count)),)
    numbers = np.array(values, dtype=np.int64)
    if is_permutation(numbers):
        yield numbers, notes


def _number_signs(
    cells: Sequence[str], size: Size
) -> Iterator[tuple[NDArray[np.int64], tuple[Message, ...]]]:
    """Yield the tiles of cells with one sign each: digits beyond 9, or letters from A."""
    for first, note in (
        ("0", Message("read-digits", "A stands for 10, B for 11 and so on")),
        ("A", Message("read-letters", "A stands for 1, B for 2 and so on")),
    ):
        for blanks in ("", "xX", "oO"):
            values = [_sign_value(cell, first, blanks) for cell in cells]
            if None in values:
                continue
            for array, notes in _renumber(values, cells, size):  # type: ignore[arg-type]
                yield array, (note, *notes)
                return


def _sign_value(cell: str, first: str, blanks: str) -> int | None:
    if len(cell) == 1 and cell not in blanks and cell.isascii() and cell.isalnum():
        value = int(cell, 36) - (0 if first == "0" else 9)
        return 0 if cell == "0" else value if value > 0 else None
    return BLANK if cell in blanks or cell_value(cell) == BLANK else None


def _blank_note(sign: str) -> Message:
    return Message("read-blank", "blank {sign}", sign=shorten(sign))


def common_width(rows: list[Row]) -> int:
    """Return the length of most rows; in doubt of the first one that has several cells."""
    counts = Counter(len(row.cells) for row in rows)
    return max(counts, key=lambda width: (counts[width], width > 1))
