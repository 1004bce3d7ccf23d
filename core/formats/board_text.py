"""Reading boards and goals as people write them.

Accepted, with the blank as ``0 X x _ .``, ``None``, or empty between commas::

    3               Princeton's file: the side, then the rows
    0 1 3
    4 2 5
    7 8 6

    0 1 3 4 2 5 7 8 6            a flat list, with spaces or commas
    (0 1 3 4 2 5 7 8 6)          the same in brackets
    '(0 1 3 4 2 5 7 8 6)         Lisp's list, or its vector: #(0 1 3 4 2 5 7 8 6)
    0 1 3 / 4 2 5 / 7 8 6        rows separated by / or by newlines
    [[0,1,3],[4,2,5],[7,8,6]]    rows as JSON
    3x2: 1 2 3 4 5 0             any of these after width x height
    | 7 | 8 |   |                cells between bars or tabs, the blank's empty

A single row is a square board where its count is a square; for another size the width must be
given. A first line of one number n before n·n more is always Princeton's side.
"""

from __future__ import annotations

import re
from itertools import pairwise
from math import isqrt

import numpy as np

from tilework.core.errors import BoardSyntaxError
from tilework.core.formats.board_tokens import (
    BLANK_WORDS,
    Tokens,
    board_too_large,
    cells_limit,
    cut,
    shorten,
    syntax_error_at,
)
from tilework.core.messages import Message
from tilework.core.puzzle import goals
from tilework.core.puzzle.arrangement import describe_fault, fault_place, is_permutation
from tilework.core.puzzle.board import MAX_SIDE, Board, Size
from tilework.core.puzzle.phrases import (
    goal_size,
    invalid_size,
    row_length,
    tile_count,
    tiles,
    unknown_goal,
)

# More than any sensible text takes for a cell, with JSON's indentation, and besides the cells.
_CELL_CHARACTERS = 32
_SPARE_CHARACTERS = 1024

EXAMPLE = "0 1 3 4 2 5 7 8 6"

# What no text has but the content of a picture or a program read as one.
_NO_TEXT = re.compile("[\x00-\x08\x0e-\x1a\x7f\ufffd]")
_PREFIX = re.compile(r"\s*([0-9]{1,9})\s*[xX×*]\s*([0-9]{1,9})\s*:")

# Larger texts are no spreadsheets, and are read by compiled code as they are
_LONGEST_TABLE = 1 << 22
_RULE = re.compile(r"^[ \t]*[|+]?[ \t]*[:=-]{2,}[ :=|+\t-]*$", re.MULTILINE)
_TABLE_SIZE = re.compile(r"\s*[0-9]+\s*(?:[xX×*]\s*[0-9]+\s*:)?\s*")
_TABLE_BLANKS = BLANK_WORDS | {"0"}


def read_board(text: str, width: int | None = None, *, max_cells: int | None = None) -> Board:
    """Read a board in any of the accepted forms.

    Parameters
    ----------
    width : int, optional; in cells; needed for a flat list that is not square
    max_cells : int, optional; refuse larger boards, before the work of reading them

    Raises
    ------
    BoardSyntaxError; at text that is no board, or too large a one; the message quotes the piece
        with its line and column
    """
    text = text.removeprefix("\ufeff")
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    if max_cells is not None and len(text) > max_cells * _CELL_CHARACTERS + _SPARE_CHARACTERS:
        raise BoardSyntaxError(
            "text-length",
            "the text is too long: {count} characters; {limit}",
            count=len(text),
            limit=cells_limit(max_cells),
        )
    if width is not None and not 1 <= width <= MAX_SIDE:
        raise BoardSyntaxError(
            "width-range",
            "invalid width {width}: sides go from 1 to {most}",
            width=width,
            most=MAX_SIDE,
        )
    _check_text(text)
    if "|" in text or "\t" in text:
        text = fill_empty_cell(text)
    size, begin = _prefix(text)
    pieces = cut(text, begin, max_cells)
    if not pieces.row_ends:
        raise BoardSyntaxError(
            "no-board",
            "{text!r} contains no board; write one as in {example}",
            text=shorten(text),
            example=EXAMPLE,
        )
    if size is None:
        size, pieces = _without_header(text, pieces)
    if size is None:
        size = _size_of(text, pieces, width)
    elif width is not None and width != size.width:
        message = Message(
            "size-and-width",
            "the text gives the size {size}, but the requested width is {width}",
            size=size,
            width=width,
        )
        raise syntax_error_at(text, 0, message)
    if max_cells is not None and size.cells > max_cells:
        raise syntax_error_at(text, 0, board_too_large(size, max_cells))
    if not pieces.is_line:
        _check_rows(text, pieces, size)
    count = pieces.values.size
    if count != size.cells:
        place = min(count - 1, size.cells)
        raise syntax_error_at(text, pieces.offset_of(place), tile_count(size, size.cells, count))
    if not is_permutation(pieces.values):
        place = fault_place(pieces.values)
        raise syntax_error_at(text, pieces.offset_of(place), describe_fault(pieces.values))
    return Board.trusted(pieces.values.astype(np.int32, copy=False), size)


def read_goal(text: str, size: Size) -> Board:
    """Read a goal: its name (`tilework.core.puzzle.goals`) or a board."""
    if goals.is_goal_name(text):
        return goals.named_goal(text, size)
    if not re.search("[0-9]", text):
        offered = ", ".join(goals.GoalName)
        raise BoardSyntaxError(unknown_goal(shorten(text), offered))
    width = None if _PREFIX.match(text) else size.width
    goal = read_board(text, width, max_cells=size.cells)
    if goal.size != size:
        raise BoardSyntaxError(goal_size(goal.size, Size(*size)))
    return goal


def _check_text(text: str) -> None:
    strange = _NO_TEXT.search(text)
    if strange is not None:
        raise BoardSyntaxError(
            "no-text",
            "this is not text but the content of another file, such as a picture: it has the "
            "character U+{code}; write a board as in {example}",
            code=f"{ord(strange[0]):04X}",
            example=EXAMPLE,
        )


def _prefix(text: str) -> tuple[Size | None, int]:
    """The size that the text begins with, if any, and where the tiles begin."""
    prefix = _PREFIX.match(text)
    if prefix is None:
        return None, 0
    size = Size(int(prefix[1]), int(prefix[2]))
    if not all(1 <= side <= MAX_SIDE for side in size):
        raise syntax_error_at(text, prefix.start(1), invalid_size(size, MAX_SIDE))
    return size, prefix.end()


def _without_header(text: str, pieces: Tokens) -> tuple[Size | None, Tokens]:
    if pieces.row_ends[0] != 1 or len(pieces.row_ends) < 2:
        return None, pieces
    side = int(pieces.values[0])
    rest = pieces.values.size - 1
    if pieces.is_line and rest != side * side:
        return None, pieces
    if not 1 <= side <= MAX_SIDE:
        message = Message(
            "side",
            "invalid size {side} in the first line: sides go from 1 to {most}",
            side=side,
            most=MAX_SIDE,
        )
        raise syntax_error_at(text, pieces.offset_of(0), message)
    ends = [end - 1 for end in pieces.row_ends[1:]]
    shifted = Tokens(pieces.values[1:], ends, lambda place: pieces.offset_of(place + 1))
    return Size(side, side), shifted


def _size_of(text: str, pieces: Tokens, width: int | None) -> Size:
    """The size of a board that does not say it: by its rows, the asked width, or as a square."""
    count = pieces.values.size
    rows = len(pieces.row_ends)
    if rows > 1 and not (pieces.is_line and width is not None):
        size = Size(pieces.row_ends[0] if width is None else width, rows)
    elif width is not None:
        size = Size(width, -(-count // width))
    else:
        side = isqrt(count)
        if side * side != count:
            message = Message(
                "square",
                "{tiles} do not form a square; put the size before them, as in 4x3: 1 2 3 …",
                tiles=tiles(count),
            )
            raise syntax_error_at(text, pieces.offset_of(count - 1), message)
        size = Size(side, side)
    if max(size) > MAX_SIDE:
        raise syntax_error_at(text, pieces.offset_of(0), invalid_size(size, MAX_SIDE))
    return size


def _check_rows(text: str, pieces: Tokens, size: Size) -> None:
    for row, (before, end) in enumerate(pairwise([0, *pieces.row_ends]), 1):
        if end - before != size.width:
            message = row_length(row, end - before, size.width)
            if not (pieces.values == 0).any():
                message = Message(
                    message.code, "{fault}; write the blank as 0, X, _ or .", fault=message
                )
            raise syntax_error_at(text, pieces.offset_of(end - 1), message)


def fill_empty_cell(text: str) -> str:
    """Return a spreadsheet's or drawn table's text with 0 in its one empty cell, and no rules."""
    separator = "|" if "|" in text else "\t"
    if separator not in text or len(text) > _LONGEST_TABLE:
        return text
    if separator == "|":
        text = _RULE.sub("", text)
    rows = _cell_rows(text, separator)
    cells = [text[begin:end].strip() for row in rows for begin, end in row]
    if len({len(row) for row in rows}) != 1 or len(cells) < 2 or cells.count("") != 1:
        return text
    if any(cell in _TABLE_BLANKS or len(cell.split()) > 1 for cell in cells if cell):
        return text
    begin, end = next(
        (begin, end) for row in rows for begin, end in row if not text[begin:end].strip()
    )
    middle = (begin + end) // 2
    return f"{text[:middle]}0{text[min(middle + 1, end) :]}"


def _cell_rows(text: str, separator: str) -> list[list[tuple[int, int]]]:
    """Where the cells of each line lie; a size may stand before them. None for other texts."""
    rows: list[list[tuple[int, int]]] = []
    begin = 0
    for line in text.split("\n"):
        end = begin + len(line)
        if separator in line:
            rows.append(_cells(line, separator, begin))
        elif line.strip() and (rows or not _TABLE_SIZE.fullmatch(line)):
            return []
        begin = end + 1
    return rows


def _cells(line: str, separator: str, begin: int) -> list[tuple[int, int]]:
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
