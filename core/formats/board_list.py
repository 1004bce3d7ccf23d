"""Lists of boards: files and pasted text with a board on each line, or between empty lines."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import Final, NamedTuple

from tilework.core.errors import BoardError, BoardSyntaxError, InputError, OptionError
from tilework.core.formats.board_cells import Reading
from tilework.core.formats.board_text import read_text
from tilework.core.formats.spellings import BLANK, cell_value
from tilework.core.messages import Message
from tilework.core.puzzle.board import Board, Size

_NAMED: Final = re.compile(r"(\S+)\s+([0-9]{1,9})\s+([0-9]{1,9})\s+(.+)", re.DOTALL)
_COMMENT: Final = re.compile(r"\s*(?:#(?!\([\s0-9Xx_.]*\))|//|;;)")  # ``#(1 2 3 0)`` is Lisp
_MIN_CELLS: Final = 4  # of a line that is surely a board, and not a row of one
# Text is a list of boards if at least two of this many first entries are boards
_CHECKED_ENTRIES: Final = 20
_MAX_ERRORS: Final = 100
_Limits = tuple[int | None, int | None]  # width and max_cells


@dataclass(frozen=True, slots=True)
class BoardLine:
    """A board in a list: usually a line, or all lines up to an empty one."""

    id: str  # the name before the size, if any, or the line number
    number: int  # of the first line in the file, from 1
    text: str  # the board, at the same columns as in the file
    width: int | None = None  # if it does not state its size
    max_cells: int | None = None

    def read(self) -> Reading:
        return read_text(self.text, self.width, max_cells=self.max_cells)

    def is_board(self, min_cells: int = _MIN_CELLS) -> bool:
        try:
            return self.read().board.size.cells >= min_cells
        except BoardError:
            return False


def board_lines(
    lines: Iterable[str], width: int | None = None, max_cells: int | None = None
) -> Iterator[BoardLine]:
    """Yield the boards in a file, without empty lines and comments.

    Lines between two empty ones are one board if they can be read as one; otherwise, each is one.
    From a stream, lines are yielded as they arrive if the first of them is a board. `width` is that
    of boards that do not state their size.
    """
    limits = width, max_cells
    is_stream = not isinstance(lines, list)
    block: list[tuple[int, str]] = []
    is_line_by_line = False
    for number, line in enumerate(lines, 1):
        text = line.removeprefix("\ufeff").rstrip("\r\n")
        if not text.strip():
            yield from _divide(block, limits)
            block, is_line_by_line = [], False
        elif is_line_by_line:
            yield from _entries([(number, text)], limits)
        else:
            block.append((number, text))
            if is_stream and len(block) == 1:
                is_line_by_line = any(entry.is_board() for entry in _entries(block, limits))
                if is_line_by_line or _COMMENT.match(text):
                    yield from _entries(block, limits)
                    block = []
    yield from _divide(block, limits)


def describe_line_error(error: InputError) -> Message:
    """Describe why a line is not a board, without its line number."""
    if isinstance(error, BoardSyntaxError) and error.line == 1:
        return _at_column(error)
    return error.message


def _at_column(error: BoardSyntaxError) -> Message:
    return Message(error.code, "column {column}: {error}", column=error.column, error=error.reason)


def _divide(block: list[tuple[int, str]], limits: _Limits) -> Iterator[BoardLine]:
    """Yield the lines as one board if they are one, or if none of the first is one."""
    while block and _COMMENT.match(block[0][1]):
        block = block[1:]
    first = list(islice(_entries(block, limits), _CHECKED_ENTRIES))
    if len(first) > 1 and not all(entry.is_board() for entry in first[:2]):
        number = block[0][0]
        text = "\n".join(line for _number, line in block)
        whole = BoardLine(str(number), number, text, *limits)
        if whole.is_board(1) or not any(entry.is_board(1) for entry in first):
            yield whole
            return
    yield from _entries(block, limits)


def _entries(block: list[tuple[int, str]], limits: _Limits) -> Iterator[BoardLine]:
    """Yield the lines that are not comments as boards, with a name and a size or without."""
    for number, line in block:
        if not _COMMENT.match(line):
            yield _parse_line(line, number, limits)


def _parse_line(line: str, number: int, limits: _Limits) -> BoardLine:
    """Distinguish a line with a name and a size from a bare board; ``|`` starts a comment."""
    text = line.partition("|")[0].strip()
    if (named := _NAMED.fullmatch(text)) is not None:
        name, size = named[1], Size(int(named[2]), int(named[3]))
        words = text.replace(",", " ").split()
        # A board has every word once; the size is among the tiles once more.
        is_counted = len(words) == size.cells + 3 and len(set(words)) < len(words)
        is_name = name[0].isalpha() and cell_value(name) != BLANK and name[-1] not in ":="
        if is_name or is_counted:
            start = line.index(name)
            sized = " " * (start + named.start(2)) + f"{size.width}x{size.height}:"
            board = sized.ljust(start + named.start(4)) + named[4]
            return BoardLine(name, number, board, None, limits[1])
    bare = BoardLine(str(number), number, text, *limits)
    is_whole = "|" not in line or text.count(" ") < 3 or not bare.is_board()
    return BoardLine(str(number), number, line, *limits) if is_whole else bare


class LineError(NamedTuple):
    """The number, from 1, of a line that is not a board, and the reason."""

    line: int
    message: Message


@dataclass(slots=True)
class BoardList:
    """Boards with the numbers of their first lines, and the lines that could not be read."""

    boards: list[tuple[int, Board]] = field(default_factory=list)
    errors: list[LineError] = field(default_factory=list)
    error_count: int = 0  # of all errors; only the first hundred are listed


def read_board_list(text: str, *, max_cells: int, max_boards: int) -> BoardList | None:
    """Read several boards; None if the text does not contain several."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    entries = board_lines(lines, max_cells=max_cells)
    result = BoardList()
    _read_entries(islice(entries, _CHECKED_ENTRIES), result)
    if len(result.boards) > 1:
        rest = list(islice(entries, max_boards - len(result.boards) - result.error_count + 1))
        if len(result.boards) + result.error_count + len(rest) > max_boards:
            raise OptionError(
                "several-boards",
                "a batch accepts at most {max} boards; send the rest in another one",
                max=max_boards,
            )
        _read_entries(rest, result)
        return result
    try:
        read_text(text, max_cells=max_cells)
    except BoardError as error:
        # Boards that are not on lines of their own, such as two lists in a program
        boards = error.boards if isinstance(error, BoardSyntaxError) else ()
        return BoardList([(1, board) for board in boards]) if boards else None
    return None


def _read_entries(entries: Iterable[BoardLine], result: BoardList) -> None:
    for entry in entries:
        try:
            result.boards.append((entry.number, entry.read().board))
        except BoardError as error:
            result.error_count += 1
            if len(result.errors) == _MAX_ERRORS:
                continue
            line, message = entry.number, error.message
            if isinstance(error, BoardSyntaxError) and error.line is not None:
                line, message = line - 1 + error.line, _at_column(error)
            result.errors.append(LineError(line, message))
