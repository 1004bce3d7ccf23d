"""Divides text into rows of cells.

Whitespace, commas, bars, tabs and semicolons separate cells; newlines and ``/`` separate rows, and
so do bars and semicolons between groups of several cells. Brackets enclose rows and boards. Inside
brackets a newline is whitespace, as in JSON.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from tilework.core.formats.spellings import BLANK, RULE, cell_value

_SEVERAL: Final = re.compile(r"[^\s,;|/][ \t,]+[^\s,;|/]")
_BRACKET: Final = re.compile(r"[\[\](){}]")
_OPENING: Final = "[({"
_MAX_DEPTH: Final = 50


class Row(NamedTuple):
    """The cells of a row, empty ones included, and where it is in the text."""

    cells: list[str]
    start: int
    end: int


@dataclass(slots=True)
class Block:
    """Rows that can be a board.

    `in_brackets` if each row is; `is_wrapped` if they are the lines of one list in brackets.
    """

    rows: list[Row]
    in_brackets: bool = False
    is_wrapped: bool = False

    @property
    def count(self) -> int:
        return sum(len(row.cells) for row in self.rows)


def cell_offset(text: str, row: Row, index: int) -> int:
    """Return the offset of a cell; that of an empty one is behind the cell before it."""
    offset = row.start
    for cell in row.cells[:index]:
        offset = text.find(cell, offset) + len(cell)
    return text.find(row.cells[index], offset)


def split_lines(text: str, start: int = 0, end: int | None = None) -> list[Block]:
    """Return the rows of a text without brackets, divided into blocks at empty lines."""
    end = len(text) if end is None else end
    part = text[start:end]
    lines = part.split("\n")
    breaks = "".join(sign for sign in "/;|" if _separates_rows(sign, lines))
    cell_sign = next((sign for sign in ";|/\t" if sign in part and sign not in breaks), "")
    if cell_sign == "\t" and re.search(r"\S +\S", part):
        cell_sign = ""
    row_break = re.compile(f"[{re.escape(breaks)}]") if breaks else None
    blocks: list[Block] = []
    rows: list[Row] = []
    for line in lines:
        found = False
        stop = start + len(line)
        for piece in row_break.split(line) if row_break else (line,):
            cells = _split_cells(piece, cell_sign)
            if any(cells):
                rows.append(Row(cells, start, min(start + len(piece), stop)))
                found = True
            start += len(piece) + 1
        start = stop + 1
        if not found and rows and RULE not in line:
            blocks.append(Block(rows))
            rows = []
    if rows:
        blocks.append(Block(rows))
    kept = {
        row.start
        for row in _drop_borders([row for block in blocks for row in block.rows], cell_sign)
    }
    for block in blocks:
        block.rows = [row for row in block.rows if row.start in kept]
    return [block for block in blocks if block.rows]


def _separates_rows(sign: str, lines: list[str]) -> bool:
    """Whether a sign separates rows: there are several cells, or signs in one word, between two."""
    found = [line for line in lines if sign in line]
    if not found:
        return False
    if sign == "/" and len(found) == 1:
        return True
    return any(_SEVERAL.search(line) for line in found)


def _split_cells(text: str, sign: str) -> list[str]:
    if sign and sign in text:
        return [cell.strip() for cell in text.split(sign)]
    if "," not in text:
        return text.split()
    cells: list[str] = []
    for part in text.split(","):
        words = part.split()
        cells.extend(words or [""])
    return cells


def _drop_borders(rows: list[Row], sign: str) -> list[Row]:
    """Remove empty cells outside the board: behind separators at both ends of the rows."""
    empty = sum(row.cells.count("") for row in rows)
    if not empty:
        return rows
    if sign == "|" and all(not row.cells[0] and not row.cells[-1] for row in rows):
        _delete(rows, 0)
        _delete(rows, -1)
        return [row for row in rows if row.cells]
    least = 0 if any(map(_has_blank, rows)) else 1
    while (sign == "|" or len(rows) > 1) and all(row.cells[:1] == [""] for row in rows):
        empty -= _delete(rows, 0)
    while empty > least and all(row.cells[-1:] == [""] for row in rows):
        empty -= _delete(rows, -1)
    if empty > least or len({len(row.cells) for row in rows}) > 1:
        for row in rows:
            while row.cells and not row.cells[-1]:
                del row.cells[-1]
    return [row for row in rows if row.cells]


def _delete(rows: list[Row], index: int) -> int:
    for row in rows:
        del row.cells[index : index + 1 or None]
    return len(rows)


def _has_blank(row: Row) -> bool:
    return any(cell and cell_value(cell) in (0, -1, BLANK) for cell in row.cells)


@dataclass(slots=True)
class _Group:
    """An open bracket: the rows that were closed in it, and whether it contains brackets."""

    start: int
    rows: list[Row] = field(default_factory=list)
    is_leaf: bool = True
    end: int = 0  # of the last bracket in it


class Brackets(NamedTuple):
    """What is in brackets, what is around it, and what is wrong with the brackets."""

    blocks: list[Block]
    outside: str
    are_borders: bool  # of single cells: [1] [2] [3]
    fault: tuple[int, str] | None  # the offset and the code of the error


def split_brackets(text: str) -> Brackets:
    """Return the boards in brackets: lists of rows, flat lists, or a row in each pair."""
    outermost = _Group(-1)
    stack = [outermost]
    blocks: list[Block] = []
    outside: list[str] = []
    fault: tuple[int, str] | None = None
    for match in _BRACKET.finditer(text):
        offset = match.start()
        if match[0] in _OPENING:
            outside.append(text[stack[-1].end : offset])
            stack[-1].is_leaf = False
            stack.append(_Group(offset, end=offset + 1))
            if len(stack) > _MAX_DEPTH:
                return Brackets([], text, False, (offset, "nesting"))
        elif len(stack) == 1:
            fault = fault or (offset, "closing-bracket")
        else:
            group = stack.pop()
            if group.is_leaf:
                _add_leaf(text, group.start + 1, offset, stack[-1], blocks)
            else:
                outside.append(text[group.end : offset])
                _add_block(blocks, group.rows, in_brackets=True)
            stack[-1].end = offset + 1
    if len(stack) > 1:
        fault = fault or (stack[-1].start, "open-bracket")
    outside.append(text[outermost.end :])
    is_one_each = all(len(row.cells) < 2 for row in outermost.rows)
    are_borders = len(outermost.rows) > 3 and is_one_each and not blocks and not fault
    _add_block(blocks, outermost.rows, in_brackets=True)
    return Brackets(blocks, "\n".join(outside), are_borders, fault)


def _add_block(blocks: list[Block], rows: list[Row], **kind: bool) -> None:
    rows = _drop_borders([row for row in rows if row.cells], "")
    if rows:
        blocks.append(Block(rows, **kind))


def _add_leaf(text: str, start: int, end: int, parent: _Group, blocks: list[Block]) -> None:
    """Add the content of innermost brackets as one row, or as rows if it is divided into some."""
    content = text[start:end]
    if any(sign in content for sign in ";/\n"):
        found = [row for block in split_lines(text, start, end) for row in block.rows]
        if len(found) > 1 and (";" in content or "/" in content):
            _add_block(blocks, found)
            return
        if len(found) > 1 and sum(map(bool, found[0].cells)) > 1:
            _add_block(blocks, found, is_wrapped=True)
    sign = next((sign for sign in ";|" if sign in content), "")
    parent.rows.append(Row(_split_cells(content, sign), start, end))
