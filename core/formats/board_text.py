"""Reads boards and goals from text.

Accepted forms, with the blank as ``0 X x _ .``, ``None``, or empty between commas::

    3               Princeton's format: the side, then the rows
    0 1 3
    4 2 5
    7 8 6

    0 1 3 4 2 5 7 8 6            a flat list, with spaces or commas
    (0 1 3 4 2 5 7 8 6)          the same in brackets
    '(0 1 3 4 2 5 7 8 6)         a Lisp list, or a vector: #(0 1 3 4 2 5 7 8 6)
    0 1 3 / 4 2 5 / 7 8 6        rows separated by / or by newlines
    [[0,1,3],[4,2,5],[7,8,6]]    rows as JSON
    3x2: 1 2 3 4 5 0             any of these after width x height
    | 7 | 8 |   |                cells between bars or tabs, with an empty cell for the blank

A single row is a square board if its length is a square; otherwise the width is required. A first
line with one number n, followed by n·n numbers, is always the side of Princeton's format.
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
    shorten,
    syntax_error_at,
    tokenize,
)
from tilework.core.messages import Message
from tilework.core.puzzle import goals
from tilework.core.puzzle.arrangement import (
    describe_invalid_tiles,
    find_invalid_tile,
    is_permutation,
)
from tilework.core.puzzle.board import MAX_SIDE, Board, Size
from tilework.core.puzzle.phrases import (
    goal_size,
    invalid_size,
    row_length,
    tile_count,
    tiles,
    unknown_goal,
)

# More than any reasonable text needs, including indentation: per cell, and in addition
_CELL_CHARACTERS = 32
_EXTRA_CHARACTERS = 1024

EXAMPLE = "0 1 3 4 2 5 7 8 6"

# Characters that only binary files contain
_BINARY = re.compile("[\x00-\x08\x0e-\x1a\x7f\ufffd]")
_PREFIX = re.compile(r"\s*([0-9]{1,9})\s*[xX×*]\s*([0-9]{1,9})\s*:")

# Larger texts are not tables; compiled code reads them unchanged
_MAX_TABLE_CHARACTERS = 1 << 22
# Possessive quantifiers do not backtrack, which takes quadratic time on long lines
_RULE = re.compile(r"^[ \t]*+[|+]?[ \t]*+[:=-]{2,}+[ :=|+\t-]*+$", re.MULTILINE)
_TABLE_SIZE = re.compile(r"\s*+[0-9]++\s*+(?:[xX×*]\s*+[0-9]++\s*+:\s*+)?")
_TABLE_BLANKS = BLANK_WORDS | {"0"}


def read_board(text: str, width: int | None = None, *, max_cells: int | None = None) -> Board:
    """Read a board in any accepted form.

    Parameters
    ----------
    width : int, optional; required for a flat list that is not square
    max_cells : int, optional; reject larger boards before reading them

    Raises
    ------
    BoardSyntaxError; if the text is not a board, or is too large; with the line and column
    """
    text = text.removeprefix("\ufeff")
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    if max_cells is not None and len(text) > max_cells * _CELL_CHARACTERS + _EXTRA_CHARACTERS:
        raise BoardSyntaxError(
            "text-length",
            "the text is too long: {count} characters; {limit}",
            count=len(text),
            limit=cells_limit(max_cells),
        )
    if width is not None and not 1 <= width <= MAX_SIDE:
        raise BoardSyntaxError(
            "width-range",
            "invalid width {width}: sides must be between 1 and {max}",
            width=width,
            max=MAX_SIDE,
        )
    _reject_binary(text)
    if "|" in text or "\t" in text:
        text = fill_empty_cell(text)
    size, start = _read_size_prefix(text)
    tokens = tokenize(text, start, max_cells)
    if not tokens.row_ends:
        raise BoardSyntaxError(
            "no-board",
            "{text!r} contains no board; write one like {example}",
            text=shorten(text),
            example=EXAMPLE,
        )
    if size is None:
        size, tokens = _split_header(text, tokens)
    if size is None:
        size = _infer_size(text, tokens, width)
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
    if not tokens.is_line:
        _check_rows(text, tokens, size)
    count = tokens.values.size
    if count != size.cells:
        index = min(count - 1, size.cells)
        raise syntax_error_at(text, tokens.find_offset(index), tile_count(size, size.cells, count))
    if not is_permutation(tokens.values):
        index = find_invalid_tile(tokens.values)
        raise syntax_error_at(
            text, tokens.find_offset(index), describe_invalid_tiles(tokens.values)
        )
    return Board.trusted(tokens.values.astype(np.int32, copy=False), size)


def read_goal(text: str, size: Size) -> Board:
    """Read the name of a goal (`tilework.core.puzzle.goals`) or a board."""
    if goals.is_goal_name(text):
        return goals.named_goal(text, size)
    if not re.search("[0-9]", text):
        choices = ", ".join(goals.GoalName)
        raise BoardSyntaxError(unknown_goal(shorten(text), choices))
    width = None if _PREFIX.match(text) else size.width
    goal = read_board(text, width, max_cells=size.cells)
    if goal.size != size:
        raise BoardSyntaxError(goal_size(goal.size, Size(*size)))
    return goal


def _reject_binary(text: str) -> None:
    match = _BINARY.search(text)
    if match is not None:
        raise BoardSyntaxError(
            "no-text",
            "this is not text but the content of another file, such as a picture: it has the "
            "character U+{code}; write a board like {example}",
            code=f"{ord(match[0]):04X}",
            example=EXAMPLE,
        )


def _read_size_prefix(text: str) -> tuple[Size | None, int]:
    """Return the size at the start of the text, if any, and the offset of the tiles."""
    prefix = _PREFIX.match(text)
    if prefix is None:
        return None, 0
    size = Size(int(prefix[1]), int(prefix[2]))
    if not all(1 <= side <= MAX_SIDE for side in size):
        raise syntax_error_at(text, prefix.start(1), invalid_size(size, MAX_SIDE))
    return size, prefix.end()


def _split_header(text: str, tokens: Tokens) -> tuple[Size | None, Tokens]:
    if tokens.row_ends[0] != 1 or len(tokens.row_ends) < 2:
        return None, tokens
    side = int(tokens.values[0])
    remaining = tokens.values.size - 1
    if tokens.is_line and remaining != side * side:
        return None, tokens
    if not 1 <= side <= MAX_SIDE:
        message = Message(
            "side",
            "invalid size {side} in the first line: sides must be between 1 and {max}",
            side=side,
            max=MAX_SIDE,
        )
        raise syntax_error_at(text, tokens.find_offset(0), message)
    ends = [end - 1 for end in tokens.row_ends[1:]]
    shifted = Tokens(tokens.values[1:], ends, lambda index: tokens.find_offset(index + 1))
    return Size(side, side), shifted


def _infer_size(text: str, tokens: Tokens, width: int | None) -> Size:
    """Infer the size from the rows, the requested width, or the number of tiles."""
    count = tokens.values.size
    rows = len(tokens.row_ends)
    if rows > 1 and not (tokens.is_line and width is not None):
        size = Size(tokens.row_ends[0] if width is None else width, rows)
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
            raise syntax_error_at(text, tokens.find_offset(count - 1), message)
        size = Size(side, side)
    if max(size) > MAX_SIDE:
        raise syntax_error_at(text, tokens.find_offset(0), invalid_size(size, MAX_SIDE))
    return size


def _check_rows(text: str, tokens: Tokens, size: Size) -> None:
    for row, (start, end) in enumerate(pairwise([0, *tokens.row_ends]), 1):
        if end - start != size.width:
            message = row_length(row, end - start, size.width)
            if not (tokens.values == 0).any():
                message = Message(
                    message.code, "{error}; write the blank as 0, X, _ or .", error=message
                )
            raise syntax_error_at(text, tokens.find_offset(end - 1), message)


def fill_empty_cell(text: str) -> str:
    """Put 0 into the only empty cell of a table, and remove its horizontal rules."""
    separator = "|" if "|" in text else "\t"
    if separator not in text or len(text) > _MAX_TABLE_CHARACTERS:
        return text
    if separator == "|":
        text = _RULE.sub("", text)
    rows = _find_table_cells(text, separator)
    cells = [text[start:end].strip() for row in rows for start, end in row]
    if len({len(row) for row in rows}) != 1 or len(cells) < 2 or cells.count("") != 1:
        return text
    if any(cell in _TABLE_BLANKS or len(cell.split()) > 1 for cell in cells if cell):
        return text
    start, end = next(
        (start, end) for row in rows for start, end in row if not text[start:end].strip()
    )
    middle = (start + end) // 2
    return f"{text[:middle]}0{text[min(middle + 1, end) :]}"


def _find_table_cells(text: str, separator: str) -> list[list[tuple[int, int]]]:
    """Return the spans of the cells by line, ignoring a leading size; empty for other texts."""
    rows: list[list[tuple[int, int]]] = []
    start = 0
    for line in text.split("\n"):
        end = start + len(line)
        if separator in line:
            rows.append(_find_line_cells(line, separator, start))
        elif line.strip() and (rows or not _TABLE_SIZE.fullmatch(line)):
            return []
        start = end + 1
    return rows


def _find_line_cells(line: str, separator: str, start: int) -> list[tuple[int, int]]:
    if separator == "|" and line.lstrip().startswith("|"):
        border = line.index("|") + 1
        start, line = start + border, line[border:]
        if line.rstrip().endswith("|"):
            line = line.rstrip()[:-1]
    spans = []
    for cell in line.split(separator):
        spans.append((start, start + len(cell)))
        start += len(cell) + 1
    return spans
