"""Boards whose cells are kept apart by tabs or bars, with nothing at all where the blank is.

So spreadsheets copy them, and so tables are drawn in text::

    1 ⇥ 2 ⇥ 3          | 1 | 2 | 3 |
    4 ⇥ 5 ⇥ 6          | 4 | 5 | 6 |
    7 ⇥ 8 ⇥            | 7 | 8 |   |
"""

from __future__ import annotations

import re
from typing import Final

from tilework.core.formats.board_pieces import BLANK_WORDS

# Larger texts are no spreadsheets, and are read by compiled code as they are
LONGEST: Final = 1 << 22

_RULE: Final = re.compile(r"^[ \t]*[|+]?[ \t]*[:=-]{2,}[ :=|+\t-]*$", re.MULTILINE)
_SIZE: Final = re.compile(r"\s*[0-9]+\s*(?:[xX×*]\s*[0-9]+\s*:)?\s*")
_BLANKS: Final = BLANK_WORDS | {"0"}

Span = tuple[int, int]


def with_blank_written(text: str) -> str:
    """Return a text with 0 in its one empty cell, and without the rules of a table."""
    separator = "|" if "|" in text else "\t"
    if separator not in text or len(text) > LONGEST:
        return text
    if separator == "|":
        text = _RULE.sub("", text)
    rows = _rows(text, separator)
    cells = [text[begin:end].strip() for row in rows for begin, end in row]
    if len({len(row) for row in rows}) != 1 or len(cells) < 2 or cells.count("") != 1:
        return text
    if any(cell in _BLANKS or len(cell.split()) > 1 for cell in cells if cell):
        return text
    begin, end = next(
        (begin, end) for row in rows for begin, end in row if not text[begin:end].strip()
    )
    middle = (begin + end) // 2
    return f"{text[:middle]}0{text[min(middle + 1, end) :]}"


def _rows(text: str, separator: str) -> list[list[Span]]:
    """Where the cells of each line lie; a size may stand before them. None for other texts."""
    rows: list[list[Span]] = []
    begin = 0
    for line in text.split("\n"):
        end = begin + len(line)
        if separator in line:
            rows.append(_cells(line, separator, begin))
        elif line.strip() and (rows or not _SIZE.fullmatch(line)):
            return []
        begin = end + 1
    return rows


def _cells(line: str, separator: str, begin: int) -> list[Span]:
    if separator == "|" and line.lstrip().startswith("|"):
        border = line.index("|") + 1
        begin, line = begin + border, line[border:]
        if line.rstrip().endswith("|"):
            line = line.rstrip()[:-1]
    spans = []
    for cell in line.split(separator):
        spans.append((begin, begin + len(cell)))
        begin += len(cell) + 1
    return spans
