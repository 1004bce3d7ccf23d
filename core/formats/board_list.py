"""Lists of boards: files and pasted text with a board on each line, or between empty lines."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import Final

from tilework.core.errors import BoardError, BoardSyntaxError, InputError, OptionError
from tilework.core.formats.board_faults import board_too_large
from tilework.core.formats.board_numbers import Reading
from tilework.core.formats.board_text import read_text
from tilework.core.formats.spellings import BLANK, cell_value, shorten
from tilework.core.messages import Message
from tilework.core.puzzle.board import Board, Size
from tilework.core.puzzle.phrases import tile_count

_MAX_SIDE_DIGITS: Final = 9
_WORD: Final = re.compile(r"[^\s,]+")
_VECTOR: Final = re.compile(r"#\([\s0-9Xx_.]*\)")
_MIN_CELLS: Final = 4  # of a line that is surely a board, and not a row of one
# Text is a list of boards if at least two of this many first entries are boards
_CHECKED_ENTRIES: Final = 20
_MAX_ERRORS: Final = 100


@dataclass(frozen=True, slots=True)
class BoardLimits:
    """The width of boards that do not state their size, and the largest size."""

    width: int | None = None
    max_cells: int | None = None


@dataclass(frozen=True, slots=True)
class BoardLine:
    """A board in a list: usually a line, or all lines up to an empty one."""

    id: str  # the name before the size, if any, or the line number
    number: int  # of the first line in the file, from 1
    text: str  # the tiles
    limits: BoardLimits
    size: Size | None = None  # if the line states it

    def read(self) -> Reading:
        if self.size is None:
            return read_text(self.text, self.limits.width, max_cells=self.limits.max_cells)
        cells, max_cells = self.size.cells, self.limits.max_cells
        reason = None
        if max_cells is not None and cells > max_cells:
            reason = board_too_large(self.size, max_cells)
        elif not _has_tiles(self.text, cells):
            reason = tile_count(self.size, cells, sum(1 for _ in _WORD.finditer(self.text)))
        if reason is not None:
            name = shorten(self.id)
            raise BoardError(Message(reason.code, "{name!r}: {error}", name=name, error=reason))
        return read_text(self.text, self.size.width, max_cells=max_cells)

    def is_board(self, min_cells: int = _MIN_CELLS) -> bool:
        try:
            return self.read().board.size.cells >= min_cells
        except BoardError:
            return False


def board_lines(lines: Iterable[str], limits: BoardLimits = BoardLimits()) -> Iterator[BoardLine]:
    """Yield the boards in a file, without empty lines and comments.

    Lines between two empty ones are one board if they can be read as one; otherwise, each is one.
    From a stream, lines are yielded as they arrive if the first of them is a board.
    """
    is_stream = not isinstance(lines, list)
    block: list[tuple[int, str]] = []
    is_line_by_line = False
    for number, line in enumerate(lines, 1):
        text = line.removeprefix("\ufeff").rstrip("\r\n")
        if not text.strip():
            yield from _divide(block, limits)
            block, is_line_by_line = [], False
        elif block or (not is_line_by_line and not _is_comment(text)):
            entry = _parse_line(text, number, limits)
            is_line_by_line = is_stream and not block and entry.is_board()
            if is_line_by_line:
                yield entry
            else:
                block.append((number, text))
        else:
            yield from _entries([(number, text)], limits)
    yield from _divide(block, limits)


def describe_line_error(error: InputError) -> Message:
    """Describe why a line is not a board, without its line number."""
    if isinstance(error, BoardSyntaxError) and error.line == 1:
        return Message(
            error.code, "column {column}: {error}", column=error.column, error=error.reason
        )
    return error.message


def _divide(block: list[tuple[int, str]], limits: BoardLimits) -> Iterator[BoardLine]:
    """Yield the lines as one board if they are one, or if none of the first is one."""
    entries = list(_entries(block, limits))
    if len(block) > 1 and not all(entry.is_board() for entry in entries[:2]):
        whole = _join(block, limits)
        if whole.is_board(1) or not any(entry.is_board(1) for entry in entries[:_CHECKED_ENTRIES]):
            entries = [whole]
    yield from entries


def _join(block: list[tuple[int, str]], limits: BoardLimits) -> BoardLine:
    number = block[0][0]
    return BoardLine(str(number), number, "\n".join(line for _number, line in block), limits)


def _entries(block: list[tuple[int, str]], limits: BoardLimits) -> Iterator[BoardLine]:
    for number, line in block:
        if not _is_comment(line):
            yield _parse_line(line, number, limits)


def _is_comment(line: str) -> bool:
    text = line.strip()
    return text.startswith(("#", "//", ";;")) and _VECTOR.match(text) is None


def _parse_line(line: str, number: int, limits: BoardLimits) -> BoardLine:
    """Distinguish a line with a name and a size from a bare board; ``|`` starts a comment."""
    text = line.partition("|")[0].strip()
    parts = text.split(maxsplit=3)
    if len(parts) == 4 and _is_side(parts[1]) and _is_side(parts[2]):
        size = Size(int(parts[1]), int(parts[2]))
        if _is_name(parts[0]) or (_has_tiles(parts[3], size.cells) and _repeats_a_word(text)):
            return BoardLine(parts[0], number, parts[3], limits, size)
    bare = BoardLine(str(number), number, text, limits)
    is_whole = "|" not in line or (text.count(" ") < 3 or not bare.is_board())
    return BoardLine(str(number), number, line, limits) if is_whole else bare


def _is_name(word: str) -> bool:
    """Whether a first word can only be a name, not a tile, blank, size or bracket."""
    return word[0].isalpha() and cell_value(word) != BLANK and word[-1] not in ":="


def _has_tiles(text: str, count: int) -> bool:
    """Whether the text has `count` words; reads no more than necessary."""
    if 2 * count - 1 > len(text):
        return False
    return sum(1 for _ in islice(_WORD.finditer(text), count + 1)) == count


def _repeats_a_word(text: str) -> bool:
    words = text.replace(",", " ").split()
    return len(set(words)) < len(words)


def _is_side(word: str) -> bool:
    return word.isdecimal() and len(word) <= _MAX_SIDE_DIGITS


@dataclass(frozen=True, slots=True)
class LineError:
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
    result = BoardList()
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    for count, entry in enumerate(board_lines(lines, BoardLimits(max_cells=max_cells)), start=1):
        try:
            result.boards.append((entry.number, entry.read().board))
        except BoardError as error:
            result.error_count += 1
            if result.error_count <= _MAX_ERRORS:
                result.errors.append(_line_error(entry, error))
        if count > max_boards:
            raise OptionError(
                "several-boards",
                "a batch accepts at most {max} boards; send the rest in another one",
                max=max_boards,
            )
        if count == _CHECKED_ENTRIES and len(result.boards) < 2:
            return None
    return result if len(result.boards) > 1 else _read_together(text, max_cells)


def _read_together(text: str, max_cells: int) -> BoardList | None:
    """Read boards that are not on lines of their own, such as two lists in a program."""
    try:
        read_text(text, max_cells=max_cells)
    except BoardSyntaxError as error:
        if error.boards:
            return BoardList([(1, board) for board in error.boards])
    except BoardError:
        pass
    return None


def _line_error(entry: BoardLine, error: BoardError) -> LineError:
    if not isinstance(error, BoardSyntaxError) or error.line is None:
        return LineError(entry.number, error.message)
    message = Message(
        error.code, "column {column}: {error}", column=error.column, error=error.reason
    )
    return LineError(entry.number - 1 + error.line, message)
