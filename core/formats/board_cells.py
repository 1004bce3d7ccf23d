"""Divides text into rows of cells, and turns the cells into the tiles of boards.

Whitespace, commas, bars, tabs and semicolons separate cells; newlines and ``/`` separate rows, and
so do bars and semicolons between groups of several cells. Brackets enclose rows, and brackets
around these a board; inside them a newline is whitespace, as in JSON.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import reduce
from itertools import takewhile
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tilework.core.formats.spellings import BLANK, PLAIN_BLANKS, RULE, SizeHint, cell_value, shorten
from tilework.core.messages import Message
from tilework.core.puzzle.arrangement import is_permutation
from tilework.core.puzzle.board import MAX_SIDE, Board, Size

_BOARD_END, _ROW_END, _WRAP = "\x1d", "\x1e", "\x1c"  # what brackets, and newlines in them, become
_BRACKET: Final = re.compile(r"[\[\](){}]")
# A blank, unlike those of ``int[][]`` and ``f()``
_EMPTY_BRACKETS: Final = re.compile(
    r"\[\s+\]|\(\s+\)|\{\s+\}|(?<![^\s,])(?:\[\]|\(\)|\{\})(?![^\s,])"
)
_NO_LINE_END: Final = re.compile(r"[^\n]")
_SEVERAL_NUMBERS: Final = re.compile(r"(?<![\w.])[0-9]+(?![\w.])[^0-9]+[0-9]")
_CONTENT: Final = re.compile(r"[^\s,;]")
_SEVERAL: Final = re.compile(r"[^\s,;|/][ \t,]+[^\s,;|/]")


class Row(NamedTuple):
    """The cells of a row, empty ones included, and where it is in the text."""

    cells: list[str]
    start: int = 0
    end: int = 0


class Block(NamedTuple):
    """Rows that can be a board.

    `in_brackets` if each row is; `is_wrapped` if they are the lines of one list in brackets.
    """

    rows: list[Row]
    in_brackets: bool = False
    is_wrapped: bool = False

    @property
    def cells(self) -> list[str]:
        return [cell for row in self.rows for cell in row.cells]


def unwrap_brackets(text: str) -> tuple[str, list[str], int | None]:
    """Replace brackets by the ends of rows and boards, and blank what is around and between.

    Returns a text of the same length, what was blanked, and the offset of a bracket without its
    counterpart.
    """
    text = _EMPTY_BRACKETS.sub(lambda pair: "_".center(len(pair[0])), text)
    pieces: list[str] = []
    opened: list[int] = []
    leaves: list[tuple[int, int]] = []  # innermost brackets that are rows: parent and piece
    outside: list[int] = []
    fault: int | None = None
    last = -1
    for match in _BRACKET.finditer(text):
        offset, piece, end = match.start(), text[last + 1 : match.start()], _ROW_END
        is_outside = True
        if match[0] in "[({":
            opened.append(offset)
        elif not opened:
            fault = offset if fault is None else fault
        elif opened.pop() == last:
            is_outside = not opened and len(piece.replace(",", " ").split(maxsplit=1)) < 2
            if not is_outside:
                leaves.append((opened[-1] if opened else -1, len(pieces)))
        else:
            end = _BOARD_END
        if is_outside:
            outside.append(len(pieces))
        pieces += (piece, end)
        last = offset
    outside.append(len(pieces))
    pieces.append(text[last + 1 :])
    if opened and fault is None:
        fault = opened[-1]
    if not leaves:  # brackets around single cells are their borders
        return _BRACKET.sub(" ", text), [], fault
    asides = []
    for index in outside:
        if _CONTENT.search(pieces[index]) and not _SEVERAL_NUMBERS.search(pieces[index]):
            asides.append(pieces[index].strip(" ,;\n\t"))
            pieces[index] = _NO_LINE_END.sub(" ", pieces[index])
            if index:
                pieces[index - 1] = _BOARD_END
    siblings = Counter(parent for parent, _piece in leaves)
    for parent, index in leaves:
        first_line = pieces[index].strip().partition("\n")[0].replace(",", " ")
        is_wrapped = siblings[parent] == 1 and len(first_line.split(maxsplit=1)) > 1
        pieces[index] = pieces[index].replace("\n", _WRAP if is_wrapped else " ")
    return "".join(pieces), asides, fault


def cell_offset(text: str, row: Row, index: int) -> int:
    """Return the offset of a cell; that of an empty one is behind the cell before it."""
    offset = row.start
    for cell in row.cells[:index]:
        offset = text.find(cell, offset) + len(cell)
    return text.find(row.cells[index], offset)


def split_rows(text: str) -> list[Block]:
    """Return the rows of a text without brackets, divided into blocks at empty lines."""
    lines = text.split("\n")
    breaks = "".join(sign for sign in "/;|" if _separates_rows(sign, lines))
    cell_sign = next((sign for sign in ";|/\t" if sign in text and sign not in breaks), "")
    if cell_sign == "\t" and re.search(r"\S +\S", text):
        cell_sign = ""
    ends = "\n" + _BOARD_END + _ROW_END + _WRAP + breaks
    blocks: list[list[Row]] = [[]]
    is_empty = True
    for match in re.finditer(f"([^{ends}]*)([{ends}]|$)", text):
        cells = _split_cells(match[1], cell_sign)
        if any(cells):
            blocks[-1].append(Row(cells, *match.span(1)))
        is_empty = is_empty and not any(cells) and RULE not in match[1]
        if blocks[-1] and ((is_empty and match[2] == "\n") or match[2] == _BOARD_END):
            blocks.append([])
        is_empty = is_empty or match[2] == "\n"
    rows = _drop_borders([row for block in blocks for row in block], cell_sign)
    kept = {row.start: row for row in rows}
    blocks = [[kept[row.start] for row in block if row.start in kept] for block in blocks]
    return [
        Block(
            block,
            text.startswith(_ROW_END, block[0].end),
            _WRAP in text[block[0].start : block[-1].end],
        )
        for block in blocks
        if block
    ]


def _separates_rows(sign: str, lines: list[str]) -> bool:
    """Whether a sign separates rows: there are several cells, or signs in one word, between two."""
    found = [line for line in lines if sign in line]
    return bool(found) and (
        (sign == "/" and len(found) == 1) or any(_SEVERAL.search(line) for line in found)
    )


def _split_cells(text: str, sign: str) -> list[str]:
    if sign and sign in text:
        return [cell.strip() for cell in text.split(sign)]
    if "," not in text:
        return text.split()
    return [cell for part in text.split(",") for cell in part.split() or [""]]


def _drop_borders(rows: list[Row], sign: str) -> list[Row]:
    """Return rows without empty cells outside the board, behind separators at both ends."""
    empty = sum(row.cells.count("") for row in rows)
    if not empty:
        return rows
    lead = min(_count_empty(row.cells) for row in rows)
    tail = min(_count_empty(row.cells[::-1]) for row in rows)
    if sign == "|" and lead and tail:
        return [Row(row.cells[1:-1], *row[1:]) for row in rows if len(row.cells) > 2]
    lead = lead if sign == "|" or len(rows) > 1 else 0
    empty -= lead * len(rows)
    # One empty cell can be the blank.
    spared = not any(
        cell and cell_value(cell) in (0, -1, BLANK) for row in rows for cell in row.cells
    )
    tail = min(tail, max(0, -((spared - empty) // len(rows))))
    rows = [Row(row.cells[lead : len(row.cells) - tail], *row[1:]) for row in rows]
    if empty - tail * len(rows) > spared or len({len(row.cells) for row in rows}) > 1:
        rows = [
            Row(row.cells[: len(row.cells) - _count_empty(row.cells[::-1])], *row[1:])
            for row in rows
        ]
    return [row for row in rows if row.cells]


def _count_empty(cells: list[str]) -> int:
    return sum(1 for _ in takewhile(lambda cell: not cell, cells))


_MIN_INDEXED: Final = 10  # a shorter line with one number too many is more likely a mistake
_MIN_NUMBERED: Final = 9  # cells of a board whose blank can have the last number
MAX_SIGNS: Final = 37  # the digits, the letters and a blank
_WORD: Final = re.compile(r"\S+")
_PREFIXED: Final = re.compile(r"([^\W\d_]{1,9}[-_]?)([0-9]+)")

Notes = tuple[Message, ...]
_LABELS: Final = (Message("read-labels", "labels of rows and columns left out"),)
_INDEX: Final = (Message("read-index", "the first number left out"),)
_GAP: Final = (Message("read-gap", "the blank where a cell is empty"),)
_SIGNS: Final = (Message("read-signs", "one digit or letter a tile"),)


class Reading(NamedTuple):
    """A board, and how it was read where that is not the plain form."""

    board: Board
    notes: Notes = ()

    def describe(self) -> Message | None:
        """Say how the board was read; None for the plain form."""
        if not self.notes:
            return None
        return reduce(
            lambda first, second: Message(
                first.code, "{first}, {second}", first=first, second=second
            ),
            self.notes,
            Message("read-size", "{size}", size=self.board.size),
        )


def read_block(text: str, block: Block, hint: SizeHint) -> list[Reading]:
    """Return the boards as which rows can be read: one, or several if they are ambiguous."""
    for rows, stated, notes in _without_labels(text, block, hint):
        readings: dict[Board, Reading] = {}
        for cells, size, more in _shapes(text, block._replace(rows=rows), stated):
            if max(size) <= MAX_SIDE and (numbered := _number(cells, size)) is not None:
                board = Board.trusted(numbered[0].astype(np.int32, copy=False), size)
                readings.setdefault(board, Reading(board, (*notes, *more, *numbered[1])))
        if readings:
            return list(readings.values())
    return []


def stated_sizes(block: Block, hint: SizeHint) -> Iterator[tuple[list[Row], SizeHint]]:
    """Yield the rows after a size in the first line or lines, and that size."""
    rows = block.rows
    is_square = len(rows) == 2 == len(rows[0].cells) == len(rows[1].cells)
    is_board = block.in_brackets or is_square or len(rows) < 2 or len(rows[0].cells) > 2
    if hint.height or is_board:
        return
    sides = [cell_value(cell) or 0 for cell in rows[0].cells]
    if not all(1 <= side <= MAX_SIDE for side in sides) or hint.width not in (None, *sides):
        return
    if len(sides) == 2:
        yield rows[1:], SizeHint(sides[0], sides[1], is_named=False, is_exact=False)
        return
    yield rows[1:], SizeHint(sides[0], sides[0])
    second = cell_value(rows[1].cells[0]) or 0
    if len(rows[1].cells) == 1 and second > 0 and len(rows) > 2:
        yield rows[2:], SizeHint(sides[0], second, is_named=False, is_exact=False)


def _without_labels(
    text: str, block: Block, hint: SizeHint
) -> Iterator[tuple[list[Row], SizeHint, Notes]]:
    """Yield the rows without a size, as they are, and without labels of rows and columns."""
    rows = block.rows
    for rest, size in stated_sizes(block, hint):
        yield rest, size, ()
    yield rows, hint, ()
    header, body = rows[0].cells, rows[1:]
    if not body:
        is_long = len(header) >= _MIN_INDEXED and "," not in text[slice(*rows[0][1:])]
        if is_long and not block.in_brackets and header[0].rstrip(".:)").isdecimal():
            yield _without_first(rows), hint, _INDEX
        return
    width = common_width(body)
    is_named = not any(any(map(str.isdigit, cell)) for cell in header)
    if is_named and len(header) == width > 1:
        yield body, hint, _LABELS
    has_names = (is_named or _counts(header)) and len(header) in (width, width - 1)
    if has_names and _counts([row.cells[0] for row in body]):
        yield _without_first(body), hint, _LABELS
    if _counts([row.cells[0] for row in rows]):
        yield _without_first(rows), hint, _LABELS


def _counts(cells: list[str]) -> bool:
    """Whether cells count from 0 or 1."""
    start = cell_value(cells[0])
    return start in (0, 1) and all(
        cell_value(cell) == number for number, cell in enumerate(cells, start)
    )


def _without_first(rows: list[Row]) -> list[Row]:
    return [row._replace(cells=row.cells[1:]) for row in rows]


def _shapes(text: str, block: Block, hint: SizeHint) -> Iterator[tuple[Sequence[str], Size, Notes]]:
    """Yield the cells of each board that rows can be, with its size."""
    rows, cells = block.rows, block.cells
    if not cells:
        return
    widths = {len(row.cells) for row in rows}
    size = Size(max(widths), len(rows))
    if len(widths) == 1 and len(rows) > 1 and hint.matches(size):
        yield cells, size, ()
    is_column = widths == {1} and not block.in_brackets
    if len(rows) == 1 or is_column or block.is_wrapped:
        for flat in hint.sizes(len(cells)):
            yield cells, flat, ()
    if len(widths) > 1 and len(cells) == size.cells - 1 and hint.matches(size):
        gap = _find_gap(text, rows, size.width)
        if gap is not None:
            yield [*cells[:gap], "", *cells[gap:]], size, _GAP
    yield from _sign_shapes(rows, hint)


def _find_gap(text: str, rows: list[Row], width: int) -> int | None:
    """Return the cell that aligned columns leave empty; None if they do not show which."""
    starts = [text.rfind("\n", 0, row.start) + 1 for row in rows]
    words = [
        [(match.start() - start, match.end() - start) for match in _WORD.finditer(text, *row[1:])]
        for row, start in zip(rows, starts, strict=True)
    ]
    if any(len(found) != len(row.cells) for found, row in zip(words, rows, strict=True)):
        return None
    [short] = (index for index, found in enumerate(words) if len(found) < width)
    others = [text[row.start : row.end].strip() for row in (*rows[:short], *rows[short + 1 :])]
    for edge in (0, 1):
        columns = {tuple(word[edge] for word in found) for found in words if len(found) == width}
        places = {word[edge] for word in words[short]}
        gaps = [index for index, place in enumerate(next(iter(columns))) if place not in places]
        # Without padding, a row that is too short looks the same.
        is_shown = gaps[0] < width - 1 or any("  " in other for other in others)
        if len(columns) == len(gaps) == 1 and is_shown:
            return short * width + gaps[0]
    return None


def _sign_shapes(rows: list[Row], hint: SizeHint) -> Iterator[tuple[Sequence[str], Size, Notes]]:
    """Yield boards with one sign a tile: a word for each row, or one for the board."""
    if len(rows) > MAX_SIGNS:
        return
    words = rows[0].cells if len(rows) == 1 else [" ".join(row.cells) for row in rows]
    signs = list("".join(words))
    width = max(map(len, words))
    is_even = all(len(word) == width for word in words) and sum(" " in word for word in words) < 2
    if width < 2 or len(signs) > MAX_SIGNS or not is_even:
        return
    size = Size(width, len(words))
    for shape in [size] if len(words) > 1 and hint.matches(size) else hint.sizes(len(signs)):
        if len(words) == 1 or shape == size:
            yield signs, shape, _SIGNS


def _number(cells: Sequence[str], size: Size) -> tuple[NDArray[np.int64], Notes] | None:
    """Return the tiles, numbered from 1, if the cells are a permutation in some numbering."""
    if len(set(cells)) < len(cells):
        return None
    table = {cell: cell_value(cell) for cell in cells}
    unread = [cell for cell, value in table.items() if value is None]
    prefixed = [match for cell in unread if (match := _PREFIXED.fullmatch(cell))]
    if len(prefixed) == len(unread) >= len(cells) - 1 and len({m[1] for m in prefixed}) == 1:
        table |= {match[0]: int(match[2][:10]) for match in prefixed}
        unread = []
    if not unread:
        return _renumber([table[cell] or 0 for cell in cells], cells, size)
    is_signs = all(len(cell) == 1 or value == BLANK for cell, value in table.items())
    if not is_signs or len(cells) > MAX_SIGNS:
        return None
    for first, note in (
        ("0", Message("read-digits", "A stands for 10, B for 11 and so on")),
        ("A", Message("read-letters", "A stands for 1, B for 2 and so on")),
    ):
        for blanks in ("", "xX", "oO"):
            values = [_sign_value(cell, first, blanks) for cell in cells]
            found = None if None in values else _renumber(values, cells, size)  # type: ignore[arg-type]
            if found is not None:
                return found[0], (note, *found[1])
    return None


def _renumber(
    values: list[int], cells: Sequence[str], size: Size
) -> tuple[NDArray[np.int64], Notes] | None:
    count, low, high = len(values), min(values), max(values)
    notes: Notes = ()
    if low == BLANK:
        sign = cells[values.index(BLANK)].strip()
        notes = () if sign in PLAIN_BLANKS else _blank_note(sign)
        values = [max(value, 0) for value in values]
    elif low == -1 and 0 not in values:
        values = [max(value, 0) for value in values]
        notes = _blank_note("-1")
    elif low == -1:
        values = [value + 1 for value in values]
        notes = (*_blank_note("-1"), Message("read-from-zero", "tiles numbered from 0"))
    elif low == 1 and high == count >= _MIN_NUMBERED and size.width == size.height:
        values = [value % count for value in values]
        notes = _blank_note(str(count))
    numbers = np.array(values, dtype=np.int64)
    return (numbers, notes) if is_permutation(numbers) else None


def _sign_value(cell: str, first: str, blanks: str) -> int | None:
    if len(cell) == 1 and cell not in blanks and cell.isascii() and cell.isalnum():
        value = int(cell, 36) - (0 if first == "0" else 9)
        return 0 if cell == "0" else value if value > 0 else None
    return BLANK if cell in blanks or cell_value(cell) == BLANK else None


def _blank_note(sign: str) -> Notes:
    return (Message("read-blank", "blank {sign}", sign=shorten(sign)),)


def common_width(rows: list[Row]) -> int:
    """Return the length of most rows; in doubt of the first one that has several cells."""
    counts = Counter(len(row.cells) for row in rows)
    return max(counts, key=lambda width: (counts[width], width > 1))
