"""Reads boards and goals from text in any form that a person would read as a board.

The text is divided into rows of cells, and the cells are read in every numbering and size that fits
(`board_cells`). A reading counts only if it is a permutation. Text around the board is left out
only if the whole text is not a board. ``docs/formats.md`` lists the forms.
"""

from __future__ import annotations

import re
from itertools import count, islice
from math import isqrt
from typing import Final

import numpy as np

from tilework.core.arguments import optional
from tilework.core.errors import BoardSyntaxError
from tilework.core.formats.board_cells import (
    Block,
    Reading,
    Row,
    read_block,
    split_rows,
    unwrap_brackets,
)
from tilework.core.formats.board_faults import (
    Findings,
    ambiguous_text,
    cells_limit,
    find_fault,
    many_tiles,
    no_board,
    other_side,
    several_boards,
)
from tilework.core.formats.spellings import (
    NO_HINT,
    SizeHint,
    Source,
    cell_value,
    not_a_tile,
    remove_surroundings,
    rewrite,
    rewrite_notation,
    shorten,
    trim_words,
)
from tilework.core.messages import Message
from tilework.core.puzzle import goals
from tilework.core.puzzle.arrangement import is_permutation
from tilework.core.puzzle.board import MAX_SIDE, Board, Size, check_side
from tilework.core.puzzle.phrases import goal_size, invalid_size, unknown_goal

# More than any reasonable text needs, including indentation: per cell, and in addition
_CELL_CHARACTERS: Final = 32
_EXTRA_CHARACTERS: Final = 4096
_MIN_CELLS: Final = 4  # of a board among other text
_MAX_BOARDS: Final = 200  # of several boards, to say that there are several
_MAX_AMONG_TEXT: Final = 1 << 14  # characters of a text in which a board can be anywhere

LONG_CHARACTERS = 1 << 12
SIZE_PREFIX: Final = re.compile(r"\s*([0-9]{1,9})\s*[xX*]\s*([0-9]{1,9})\s*:")
_PLAIN: Final = b"0123456789 \t\n"
# Rows in brackets, and rows with commas or slashes, without empty cells and text around them
_GAP: Final = r"[ \t\n]*+"
_LISTS: Final = re.compile(
    rf"{_GAP}[\[({{](?:{_GAP}[\[({{]{_GAP}[0-9]++(?:{_GAP}(?:,{_GAP})?[0-9]++)*+{_GAP}[\])}}]"
    rf"{_GAP},?+){{2,}}+{_GAP}[\])}}]{_GAP}"
)
_ROWS: Final = re.compile(
    rf"{_GAP}(?:[ \t]*+[0-9]++(?:[ \t]*+(?:,[ \t]*+)?[0-9]++)++[ \t]*+(?:[/\n]{_GAP}|\Z))++"
)
_LIST_SIGNS: Final = str.maketrans("[({\n,])}", "     \n\n\n")
_ROW_SIGNS: Final = str.maketrans(",/", " \n")
_SIGN: Final = re.compile(r"[^\W_]")
_LETTERS: Final = re.compile("[A-Za-z]{2}")
_DIGIT: Final = re.compile("[0-9]")
_DIGITS: Final = re.compile("[0-9]{1,9}")
_NUMBER: Final = re.compile(r"(?<![\w.])[0-9]+(?![\w.])")
_ARROW: Final = re.compile(r"(?<=\s)[-=]+>(?=\s)|^[-=]+>(?=\s)|(?<=\s)[-=]+>$", re.MULTILINE)
# Code that reads a list column by column, or exchanges rows and columns
_TRANSPOSED: Final = re.compile(
    r"\bmatrix\s?\((?![^\n]*byrow\s?=\s?T)|\border\s?=\s?.F\b|\breshape\s?\(\s?[\[(]"
    r"|[\])]\s?(?:'|\.T\b|\.transpose)|\btranspose\s?\("
)


def read_board(text: str, width: int | None = None, *, max_cells: int | None = None) -> Board:
    """Read a board in any accepted form; see `read_text`."""
    return read_text(text, width, max_cells=max_cells).board


def read_text(text: str, width: int | None = None, *, max_cells: int | None = None) -> Reading:
    """Read a board in any accepted form, with notes on how it was read.

    Parameters
    ----------
    width : int, optional; required for a flat list that is not square
    max_cells : int, optional; reject larger boards before reading them

    Raises
    ------
    BoardSyntaxError
        If the text is not a board, is several boards, or can be read in several ways; with the
        line and column.
    """
    source = Source.of(text)
    length = len(source.given)
    if max_cells is not None and length > max_cells * _CELL_CHARACTERS + _EXTRA_CHARACTERS:
        raise BoardSyntaxError(
            "text-length",
            "the text is too long: {count} characters; {limit}",
            count=length,
            limit=cells_limit(max_cells),
        )
    optional(check_side, "width", width)
    if (prefix := SIZE_PREFIX.match(source.text)) is not None:
        _check_size(source, Size(int(prefix[1]), int(prefix[2])), max_cells)
    if (long_board := read_long_text(source.text, width)) is not None:
        _check_size(source, long_board.size, max_cells)
        return Reading(long_board)
    if not _SIGN.search(source.text):
        raise no_board(source)
    given_hint = SizeHint(width)
    end = _end_of_boards(source.text)
    plain = rewrite_notation(source.text[:end])
    found = first = _find_boards(source, plain, given_hint)
    if not found.boards:
        cleared = remove_surroundings(plain)
        hint = cleared.hint if width is None else given_hint
        found = _find_boards(source, cleared.text, hint, cleared.removed)
    if not found.boards:
        raise find_fault(source, _choose_fault(first, found), max_cells)
    [*readings] = found.boards[0]
    if len(found.boards) == len(readings) == 1:
        if end < len(source.text):
            raise source.error(end, not_a_tile(source.text[end:].split(maxsplit=1)[0]))
        board, notes = reading = readings[0]
        _check_size(source, board.size, max_cells)
        if not _TRANSPOSED.search(plain):
            around = " ".join(" ".join(found.asides).split())
            note = Message("read-around", "without {text!r}", text=shorten(around))
            return Reading(board, (*notes, note)) if around else reading
        transposed = board.cells.reshape(board.height, -1).T.reshape(-1)
        size = Size(board.height, board.width)
        readings.append(Reading(Board.trusted(transposed.copy(), size)))
    if len(found.boards) > 1:
        raise several_boards([readings[0].board for readings in found.boards])
    raise ambiguous_text([reading.board for reading in readings])


def _check_size(source: Source, size: Size, max_cells: int | None) -> None:
    if max_cells is not None and size.cells > max_cells:
        raise source.error(0, many_tiles(size.cells, max_cells))


def _choose_fault(first: Findings, cleared: Findings) -> Findings:
    """Choose the text in which a reader would look for the fault: with or without its words."""
    cells = (cell for block in first.blocks for cell in block.cells)
    words = list(islice((cell for cell in cells if cell_value(cell) is None), 2))
    is_bracket_wrong = first.bracket is not None and not _LETTERS.search(first.text)
    is_word_wrong = len(words) == 1 and not first.asides
    is_first = not cleared.blocks or is_word_wrong or is_bracket_wrong
    return first if is_first and _DIGIT.search(first.text) else cleared


def read_goal(text: str, size: Size) -> Board:
    """Read the name of a goal (`tilework.core.puzzle.goals`) or a board."""
    if goals.is_goal_name(text):
        return goals.named_goal(text, size)
    name = text.strip().replace("-", "").replace("_", "")
    if not name or (name.isalpha() and len(name) < size.cells):
        raise BoardSyntaxError(unknown_goal(shorten(text), ", ".join(goals.GoalName)))
    has_rows = any(sign in text for sign in "\n/[") or SIZE_PREFIX.match(text)
    goal = read_board(text, None if has_rows else size.width, max_cells=size.cells)
    if goal.size != size:
        raise BoardSyntaxError(goal_size(goal.size, Size(*size)))
    return goal


def _end_of_boards(text: str) -> int:
    """Return how much of a text to read: of a long one that cannot be a board, the beginning.

    A board has at most one cell more than there are numbers without a gap, from 1.
    """
    if len(text) <= _MAX_AMONG_TEXT:
        return len(text)
    numbers = set(map(int, set(_DIGITS.findall(text))))
    most = next(number for number in count(1) if number not in numbers) + 1
    if len(text) <= most * _CELL_CHARACTERS + _EXTRA_CHARACTERS:
        return len(text)
    return text.rfind("\n", 0, _MAX_AMONG_TEXT) + 1 or _MAX_AMONG_TEXT


def _find_boards(
    source: Source, text: str, hint: SizeHint, removed: list[str] | None = None
) -> Findings:
    """Find the boards in a text; among other text if `removed` is a list of what was removed."""
    if (prefix := SIZE_PREFIX.match(text)) is not None:
        size = Size(int(prefix[1]), int(prefix[2]))
        if not all(1 <= side <= MAX_SIDE for side in size):
            raise source.error(prefix.start(1), invalid_size(size, MAX_SIDE))
        if hint != NO_HINT and hint.width not in (None, size.width):
            raise source.error(0, other_side(size, "width", hint.width))
        hint = SizeHint(*size, is_named=False)
        text = " " * prefix.end() + text[prefix.end() :]
    text, asides, fault = unwrap_brackets(text)
    is_whole = removed is None
    if removed is not None:
        asides = [*removed, *asides, *(() if fault is None else source.text[fault])]
        text = trim_words(text, asides)
    has_arrows = 0 < text.count(">") <= _MAX_BOARDS
    blocks = split_rows(rewrite(_ARROW, text, "\n\n") if has_arrows else text)
    found = Findings([], asides, text, blocks, hint, fault)
    if not blocks or (is_whole and (asides or fault is not None)):
        return found
    boards, rest = _read_blocks(text, blocks, hint, is_whole=is_whole)
    if not boards and is_whole and len(text) <= _MAX_AMONG_TEXT:
        boards = _read_side_by_side(text)
    return found._replace(boards=boards, blocks=rest)


def _read_blocks(
    text: str, blocks: list[Block], hint: SizeHint, *, is_whole: bool
) -> tuple[list[list[Reading]], list[Block]]:
    """Return the boards, and the blocks that are none."""
    whole = blocks[0]._replace(rows=[row for block in blocks for row in block.rows])
    if (is_whole or _is_long(whole)) and (readings := read_block(text, whole, hint)):
        return [readings], []
    if len(blocks) > 1:
        blocks = blocks[:_MAX_BOARDS]
        each = [
            read_block(text, part, hint) if is_whole or _is_long(part) else [] for part in blocks
        ]
        found = [readings for readings in each if readings]
        rest = [block for block, readings in zip(blocks, each, strict=True) if not readings]
        # A number in a line of its own beside a board is not part of it, nor is reshape(3, 3).
        beside = [cell for block in rest for cell in block.cells if not block.in_brackets]
        least = min((len(readings[0].board.cells) for readings in found), default=0)
        is_aside = len(beside) < 2 and 2 * sum(len(block.cells) for block in rest) < least
        if found and (not rest or (is_aside and not is_whole)):
            return _merge(found), rest
        blocks = rest if found else [whole]
    rows = [row for row in whole.rows if not whole.is_wrapped]
    lines = [Block([row]) for row in rows[:_MAX_BOARDS]]
    if len(rows) < 2 or not all(map(_is_long, lines)):
        return [], blocks
    each = [read_block(text, line, hint) for line in lines]
    return (each if all(each) else []), blocks


def _is_long(block: Block) -> bool:
    """Whether rows have enough cells, or signs in their first cell, for a board among text."""
    return len(block.cells) >= _MIN_CELLS or len(block.rows[0].cells[0]) >= _MIN_CELLS


def _read_side_by_side(text: str) -> list[list[Reading]]:
    """Read two boards whose rows are on the same lines."""
    rows = [row for block in split_rows(rewrite(_ARROW, text, " ")) for row in block.rows]
    half = len(rows[0].cells) // 2 if rows else 0
    if half < 2 or any(len(row.cells) != 2 * half for row in rows):
        return []
    parts = (slice(half), slice(half, None))
    boards = [
        read_block(text, Block([Row(row.cells[part]) for row in rows]), NO_HINT) for part in parts
    ]
    return boards if all(boards) else []


def _merge(boards: list[list[Reading]]) -> list[list[Reading]]:
    """Join the readings of the same tiles in different sizes."""
    merged: dict[bytes, dict[Board, Reading]] = {}
    for readings in boards:
        for reading in readings:
            key = readings[0].board.cells.tobytes()
            merged.setdefault(key, {}).setdefault(reading.board, reading)
    return [list(readings.values()) for readings in merged.values()]


def read_long_text(text: str, width: int | None) -> Board | None:
    """Read long texts of plain numbers as arrays, many times as fast as other texts.

    They are rows on lines, in brackets or between slashes, a line or a column. Returns None for
    other texts, and for invalid boards.
    """
    if len(text) <= LONG_CHARACTERS or not text.isascii():
        return None
    prefix = SIZE_PREFIX.match(text)
    start = prefix.end() if prefix else 0
    text, is_list = text[start:], False
    if text.encode().translate(None, _PLAIN):
        is_list = _LISTS.fullmatch(text) is not None
        if not is_list and _ROWS.fullmatch(text) is None:
            return None
        text = text.translate(_LIST_SIGNS if is_list else _ROW_SIGNS)
    values = np.fromstring(text, dtype=np.int64, sep=" ")
    plain = np.frombuffer(text.encode(), dtype=np.uint8)
    is_digit = plain > ord(" ")
    starts = np.flatnonzero(is_digit & ~np.append(False, is_digit[:-1]))
    line_ends = np.append(np.flatnonzero(plain == ord("\n")), plain.size)
    widths = np.diff(np.searchsorted(starts, line_ends), prepend=0)
    widths = widths[widths > 0]
    if not widths.size or values.max() > np.iinfo(np.int32).max:
        return None
    stated = Size(int(prefix[1]), int(prefix[2])) if prefix else None
    if not is_list and stated is None and widths.size > 1 and widths[0] == 1:
        side = int(values[0])
        if widths[1] > 1 or side**2 == values.size - 1:
            stated, values, widths = Size(side, side), values[1:], widths[1:]
    size = Size(int(widths[0]), widths.size)
    if 1 in size and not is_list:
        side = isqrt(values.size)
        columns = side if size.height == 1 and side**2 == values.size else 0
        columns = stated.width if stated else width or columns
        size = Size(columns, values.size // max(1, columns))
    elif (widths != widths[0]).any():
        return None
    is_as_stated = stated in (None, size) and width in (None, size.width)
    if not is_as_stated or size.cells != values.size or max(size) > MAX_SIDE:
        return None
    return Board.trusted(values.astype(np.int32), size) if is_permutation(values) else None
