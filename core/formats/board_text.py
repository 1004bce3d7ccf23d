"""Reads boards and goals from text in any form that a person would read as a board.

The text is divided into rows of cells (`board_cells`), and the cells are read in every numbering
and size that fits (`board_numbers`). A reading counts only if it is a permutation. Text around the
board (`surroundings`) is left out only if the whole text is not a board. ``docs/formats.md`` lists
the forms.
"""

from __future__ import annotations

import re
from itertools import islice
from typing import Final

from tilework.core.errors import BoardSyntaxError
from tilework.core.formats.board_cells import Block, Brackets, split_brackets, split_lines
from tilework.core.formats.board_faults import (
    ambiguous_text,
    board_too_large,
    cells_limit,
    check_width,
    find_fault,
    no_board,
    several_boards,
    size_and_width,
)
from tilework.core.formats.board_numbers import NO_HINT, Findings, Reading, SizeHint, read_block
from tilework.core.formats.long_text import SIZE_PREFIX, read_long_text
from tilework.core.formats.spellings import Source, cell_value, rewrite, rewrite_notation, shorten
from tilework.core.formats.surroundings import remove_surroundings
from tilework.core.messages import Message
from tilework.core.puzzle import goals
from tilework.core.puzzle.board import MAX_SIDE, Board, Size
from tilework.core.puzzle.phrases import goal_size, invalid_size, unknown_goal

# More than any reasonable text needs, including indentation: per cell, and in addition
_CELL_CHARACTERS: Final = 32
_EXTRA_CHARACTERS: Final = 4096
_MIN_CELLS: Final = 4  # of a board among other text
_MAX_BOARDS: Final = 200  # of several boards, to say that there are several
_MAX_ASIDE: Final = 1  # number in a line of its own, beside a board
_MAX_AMONG_TEXT: Final = 1 << 18  # longer texts are only boards

_SIGN: Final = re.compile(r"[^\W_]")
_LETTERS: Final = re.compile("[A-Za-z]{2}")
_NUMBER: Final = re.compile(r"(?<![\w.])[0-9]+(?![\w.])")
_DIGIT: Final = re.compile("[0-9]")
_SEPARATORS: Final = re.compile(r"[\s,;:]*")
_OPENING: Final = re.compile(r"[\[({]")
_CLOSING: Final = re.compile(r"[\])}]")
_ARROW: Final = re.compile(r"(?<=\s)[-=]+>(?=\s)|^[-=]+>(?=\s)|(?<=\s)[-=]+>$", re.MULTILINE)
_EMPTY_PAIR: Final = re.compile(r"(?<![^\s,])(?:\[\s*\]|\(\s*\)|\{\s*\})(?![^\s,])")
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
    given_hint = NO_HINT if width is None else SizeHint(width, None)
    plain = rewrite_notation(source.text)
    found = first = _find_boards(source, plain, given_hint)
    notes: tuple[Message, ...] = ()
    if not found.boards and len(plain) <= _MAX_AMONG_TEXT:
        cleared = remove_surroundings(plain)
        hint = cleared.hint if given_hint == NO_HINT else given_hint
        found = _find_boards(source, cleared.text, hint, among_text=True)
        if found.brackets is not None and not cleared.removed:
            cleared.removed.append(found.brackets.outside)
        around = " ".join(max(cleared.removed, key=len, default="").split())
        if around:
            notes = (Message("read-around", "without {text!r}", text=shorten(around)),)
    if len(found.boards) == 1 and len(found.boards[0]) == 1:
        [[reading]] = found.boards
        if max_cells is not None and reading.board.size.cells > max_cells:
            raise source.error(0, board_too_large(reading.board.size, max_cells))
        if not _TRANSPOSED.search(plain):
            return Reading(reading.board, (*reading.notes, *notes))
        transposed = reading.board.cells.reshape(reading.board.height, -1).T.reshape(-1)
        size = Size(reading.board.height, reading.board.width)
        found.boards[0].append(Reading(Board.trusted(transposed.copy(), size)))
    if len(found.boards) > 1:
        raise several_boards([readings[0].board for readings in found.boards])
    if found.boards:
        raise ambiguous_text([reading.board for reading in found.boards[0]])
    cells = (cell for block in first.blocks for row in block.rows for cell in row.cells)
    is_word_wrong = len(list(islice((cell for cell in cells if cell_value(cell) is None), 2))) == 1
    is_bracket_wrong = first.brackets is not None and first.brackets.fault is not None
    if _DIGIT.search(plain) and (
        not found.blocks or is_word_wrong or (is_bracket_wrong and not _LETTERS.search(plain))
    ):
        found = first
    raise find_fault(source, found, max_cells)


def read_goal(text: str, size: Size) -> Board:
    """Read the name of a goal (`tilework.core.puzzle.goals`) or a board."""
    if goals.is_goal_name(text):
        return goals.named_goal(text, size)
    name = text.strip().replace("-", "").replace("_", "")
    if not name or (name.isalpha() and len(name) < size.cells):
        choices = ", ".join(goals.GoalName)
        raise BoardSyntaxError(unknown_goal(shorten(text), choices))
    width = (
        None
        if "\n" in text or "/" in text or "[" in text or SIZE_PREFIX.match(text)
        else size.width
    )
    goal = read_board(text, width, max_cells=size.cells)
    if goal.size != size:
        raise BoardSyntaxError(goal_size(goal.size, Size(*size)))
    return goal


def _check_limits(source: Source, width: int | None, max_cells: int | None) -> None:
    if (
        max_cells is not None
        and len(source.given) > max_cells * _CELL_CHARACTERS + _EXTRA_CHARACTERS
    ):
        raise BoardSyntaxError(
            "text-length",
            "the text is too long: {count} characters; {limit}",
            count=len(source.given),
            limit=cells_limit(max_cells),
        )
    check_width(width)


def _find_boards(
    source: Source, text: str, hint: SizeHint, *, among_text: bool = False
) -> Findings:
    if (prefix := SIZE_PREFIX.match(text)) is not None:
        size = Size(int(prefix[1]), int(prefix[2]))
        if not all(1 <= side <= MAX_SIDE for side in size):
            raise source.error(prefix.start(1), invalid_size(size, MAX_SIDE))
        if hint != NO_HINT and hint.width not in (None, size.width):
            raise source.error(0, size_and_width(size, hint.width))
        hint = SizeHint(*size, is_named=False)
        text = " " * prefix.end() + text[prefix.end() :]
    brackets: Brackets | None = None
    has_brackets = any(bracket in text for bracket in "[](){}")
    if has_brackets and not _OPENING.search(_EMPTY_PAIR.sub("", text)):
        text = rewrite(_EMPTY_PAIR, text, "_")
        has_brackets = _CLOSING.search(text) is not None
    if has_brackets:
        brackets = split_brackets(text)
        if brackets.are_borders:
            text = _CLOSING.sub("|", _OPENING.sub(" ", text))
            brackets = None
    if brackets is None:
        found = _find_in_lines(rewrite(_ARROW, text, "\n\n"), hint, among_text=among_text)
        is_short = len(text) <= _MAX_AMONG_TEXT
        if (
            is_short
            and not found.boards
            and (pair := _read_side_by_side(rewrite(_ARROW, text, " ")))
        ):
            found.boards = pair
        return found
    if not among_text and (brackets.fault or not _SEPARATORS.fullmatch(brackets.outside)):
        return Findings(text, [], brackets.blocks, hint, brackets)
    return _find_in_brackets(text, brackets, hint, among_text=among_text)


def _find_in_brackets(
    text: str, brackets: Brackets, hint: SizeHint, *, among_text: bool
) -> Findings:
    least = _MIN_CELLS if among_text else 1
    blocks = [block for block in brackets.blocks if block.count >= least]
    read: list[Block] = []
    boards: list[list[Reading]] = []
    for block in sorted(blocks[:_MAX_BOARDS], key=lambda block: -block.count):
        is_part = any(_overlap(block, other) and block.count < other.count for other in read)
        if not is_part and (readings := read_block(text, block, hint)):
            read.append(block)
            boards.append(readings)
    boards = boards or _read_each(text, blocks, hint)
    if among_text and not blocks:
        return _find_in_lines(brackets.outside, NO_HINT, among_text=True)
    if 0 < len(read) < 3:
        parts = [Block([row]) for block in brackets.blocks for row in block.rows]
        unread = sum(
            part.count for part in parts if not any(_overlap(part, block) for block in read)
        )
        unread += len(_NUMBER.findall(brackets.outside))
        if 2 * unread > (sum(block.count for block in read) if among_text else 0):
            outside = _find_in_lines(brackets.outside, NO_HINT, among_text=True).boards
            boards = [*boards, *outside] if outside else []
    return Findings(text, _merge(boards), blocks, hint, brackets)


def _overlap(block: Block, other: Block) -> bool:
    ends = block.rows[0].start, block.rows[-1].end
    return ends[0] <= other.rows[-1].end and other.rows[0].start <= ends[1]


def _find_in_lines(text: str, hint: SizeHint, *, among_text: bool) -> Findings:
    blocks = split_lines(text)
    if not blocks:
        return Findings(text, [], [], hint)
    whole = Block([row for block in blocks for row in block.rows])
    is_long = whole.count >= _MIN_CELLS or any(
        len(cell) >= _MIN_CELLS for cell in whole.rows[0].cells
    )
    if (is_long or not among_text) and (readings := read_block(text, whole, hint)):
        return Findings(text, [readings], [whole], hint)
    if len(blocks) == 1:
        return Findings(text, _read_each(text, blocks, hint), blocks, hint)
    least = _MIN_CELLS if among_text else 1
    blocks = blocks[:_MAX_BOARDS]
    boards = [read_block(text, block, hint) if block.count >= least else [] for block in blocks]
    found = [readings for readings in boards if readings]
    rest = [block for block, readings in zip(blocks, boards, strict=True) if not readings]
    is_aside = among_text and sum(block.count for block in rest) <= _MAX_ASIDE
    if found and (is_aside or not rest):
        return Findings(text, _merge(found), blocks, hint)
    return Findings(text, [], rest if found else [whole], hint)


def _read_each(text: str, blocks: list[Block], hint: SizeHint) -> list[list[Reading]]:
    """Read each row as a board of its own; all longer rows must be boards."""
    rows = [row for block in blocks if not block.is_wrapped for row in block.rows]
    if len(rows) < 2 or any(len(row.cells) < _MIN_CELLS for row in rows):
        return []
    boards = [read_block(text, Block([row]), hint) for row in rows[:_MAX_BOARDS]]
    return boards if all(boards) else []


def _read_side_by_side(text: str) -> list[list[Reading]]:
    """Read two boards whose rows are on the same lines."""
    rows = [row for block in split_lines(text) for row in block.rows]
    half = len(rows[0].cells) // 2 if rows else 0
    if half < 2 or any(len(row.cells) != 2 * half for row in rows):
        return []
    boards = [
        read_block(text, Block([row._replace(cells=row.cells[part]) for row in rows]), NO_HINT)
        for part in (slice(half), slice(half, None))
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
