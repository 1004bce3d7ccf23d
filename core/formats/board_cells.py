"""Divides text into rows of cells.

Whitespace, commas, bars, tabs and semicolons separate cells; newlines and ``/`` separate rows, and
so do bars and semicolons between groups of several cells. Brackets enclose rows, and brackets
around these a board; inside them a newline is whitespace, as in JSON.
"""

from __future__ import annotations

import re
from collections import Counter
from itertools import takewhile
from typing import Final, NamedTuple

from tilework.core.formats.spellings import BLANK, RULE, cell_value

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


class Unwrapped(NamedTuple):
    """A text of the same length without brackets, what was left out, and what is wrong."""

    text: str
    asides: list[str]
    fault: tuple[int, str] | None = None


def unwrap_brackets(text: str) -> Unwrapped:
    """Replace brackets by the ends of rows and boards, and blank what is around and between."""
    text = _EMPTY_BRACKETS.sub(lambda pair: "_".center(len(pair[0])), text)
    pieces: list[str] = []
    opened: list[int] = []
    leaves: list[tuple[int, int]] = []  # innermost brackets that are rows: parent and piece
    outside: list[int] = []
    fault: tuple[int, str] | None = None
    last = -1
    for match in _BRACKET.finditer(text):
        offset, piece, end = match.start(), text[last + 1 : match.start()], _ROW_END
        is_outside = True
        if match[0] in "[({":
            opened.append(offset)
        elif not opened:
            fault = fault or (offset, "closing-bracket")
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
    if opened:
        fault = fault or (opened[-1], "open-bracket")
    if not leaves:  # brackets around single cells are their borders
        return Unwrapped(_BRACKET.sub(" ", text), [], fault)
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
    return Unwrapped("".join(pieces), asides, fault)


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
