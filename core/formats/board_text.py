"""Reads boards and goals from text in any form that a person would read as a board.

The text is divided into rows of cells (`board_cells`), and the cells are read in every numbering
and size that fits (`board_numbers`). A reading counts only if it is a permutation. Text around the
board (`surroundings`) is left out only if the whole text is not a board. ``docs/formats.md`` lists
the forms.
"""

from __future__ import annotations

import re
from itertools import count, islice
from typing import Final

from tilework.core.errors import BoardSyntaxError
from tilework.core.formats.board_cells import Block, Row, split_rows, unwrap_brackets
from tilework.core.formats.board_faults import (
    Findings,
    ambiguous_text,
    board_too_large,
    cells_limit,
    check_width,
    find_fault,
    no_board,
    several_boards,
    size_and_width,
)
from tilework.core.formats.board_numbers import NO_HINT, Reading, SizeHint, read_block
from tilework.core.formats.long_text import SIZE_PREFIX, read_long_text
from tilework.core.formats.spellings import (
    Source,
    cell_value,
    not_a_tile,
    rewrite,
    rewrite_notation,
    shorten,
)
from tilework.core.formats.surroundings import remove_surroundings, trim_words
from tilework.core.messages import Message
from tilework.core.puzzle import goals
from tilework.core.puzzle.board import MAX_SIDE, Board, Size
from tilework.core.puzzle.phrases import goal_size, invalid_size, unknown_goal

# More than any reasonable text needs, including indentation: per cell, and in addition
_CELL_CHARACTERS: Final = 32
_EXTRA_CHARACTERS: Final = 4096
_MIN_CELLS: Final = 4  # of a board among other text
_MAX_BOARDS: Final = 200  # of several boards, to say that there are several
_MAX_AMONG_TEXT: Final = 1 << 14  # characters of a text in which a board can be anywhere

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
    _check_limits(source, width, max_cells)
    if (board := read_long_text(source.text, width)) is not None:
        return Reading(board)
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
        [(board, notes)] = readings
        if end < len(source.text):
            raise source.error(end, not_a_tile(source.text[end:].split(maxsplit=1)[0]))
        if max_cells is not None and board.size.cells > max_cells:
            raise source.error(0, board_too_large(board.size, max_cells))
        if not _TRANSPOSED.search(plain):
            around = " ".join(" ".join(found.asides).split())
            note = Message("read-around", "without {text!r}", text=shorten(around))
            return Reading(board, (*notes, note) if around else notes)
        transposed = board.cells.reshape(board.height, -1).T.reshape(-1)
        size = Size(board.height, board.width)
        readings.append(Reading(Board.trusted(transposed.copy(), size)))
    if len(found.boards) > 1:
        raise several_boards([readings[0].board for readings in found.boards])
    raise ambiguous_text([reading.board for reading in readings])


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


def _check_limits(source: Source, width: int | None, max_cells: int | None) -> None:
    length = len(source.given)
    if max_cells is not None and length > max_cells * _CELL_CHARACTERS + _EXTRA_CHARACTERS:
        raise BoardSyntaxError(
            "text-length",
            "the text is too long: {count} characters; {limit}",
            count=length,
            limit=cells_limit(max_cells),
        )
    check_width(width)


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
            raise source.error(0, size_and_width(size, hint.width))
        hint = SizeHint(*size, is_named=False)
        text = " " * prefix.end() + text[prefix.end() :]
    text, asides, fault = unwrap_brackets(text)
    is_whole = removed is None
    if removed is not None:
        asides = [*removed, *asides, *([source.text[fault[0]]] if fault else [])]
        text = trim_words(text, asides)
    has_arrows = 0 < text.count(">") <= _MAX_BOARDS
    blocks = split_rows(rewrite(_ARROW, text, "\n\n") if has_arrows else text)
    found = Findings([], asides, text, blocks, hint, fault)
    if not blocks or (is_whole and (fault or asides)):
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
