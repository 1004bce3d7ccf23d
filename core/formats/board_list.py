"""Lists of boards: files with one board per line, and pasted text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Final

from tilework.core.errors import BoardError, BoardSyntaxError, InputError, OptionError
from tilework.core.formats.board_text import read_board
from tilework.core.formats.board_tokens import BLANK_WORDS, board_too_large, shorten
from tilework.core.messages import Message
from tilework.core.puzzle.board import Board, Size
from tilework.core.puzzle.phrases import tile_count

_MAX_SIDE_DIGITS = 9

_WORD = re.compile(r"[^\s,]+")
_VECTOR = re.compile(r"#\([\s0-9Xx_.]*\)")


@dataclass(frozen=True, slots=True)
class BoardLine:
    id: str  # the name before the size, if any, or the line number
    number: int  # the line number in the file, from 1
    text: str  # the tiles
    # The size, if the line states it
    width: int | None = None
    height: int | None = None

    def board(self, width: int | None, *, max_cells: int | None = None) -> Board:
        """Read the board; `width` applies to lines that do not state their size."""
        if self.width is None or self.height is None:
            return read_board(self.text, width, max_cells=max_cells)
        cells = self.width * self.height
        if max_cells is not None and cells > max_cells:
            reason = board_too_large(Size(self.width, self.height), max_cells)
            raise BoardError(
                Message(reason.code, "{name!r}: {error}", name=shorten(self.id), error=reason)
            )
        if not _has_tiles(self.text, cells):
            count = sum(1 for _ in _WORD.finditer(self.text))
            reason = tile_count(Size(self.width, self.height), cells, count)
            raise BoardError(
                Message(reason.code, "{name!r}: {error}", name=shorten(self.id), error=reason)
            )
        return read_board(self.text, self.width, max_cells=max_cells)


def board_lines(lines: Iterable[str]) -> Iterator[BoardLine]:
    """Yield the boards in a file, without blank lines and comments.

    A byte order mark is ignored. A comment begins with ``#``, unless it is a Lisp vector:
    ``#(1 2 3 0)``.
    """
    for number, line in enumerate(lines, start=1):
        text = line.removeprefix("\ufeff").partition("|")[0].strip()
        if text and (text[0] != "#" or _VECTOR.fullmatch(text)):
            yield _parse_line(text, number)


def describe_line_error(error: InputError) -> Message:
    """Describe why a line is not a board, without its line number."""
    if isinstance(error, BoardSyntaxError) and error.line == 1:
        return Message(
            error.code, "column {column}: {error}", column=error.column, error=error.reason
        )
    return error.message


def _parse_line(text: str, number: int) -> BoardLine:
    """Distinguish a line with a name and a size from a bare board."""
    parts = text.split(maxsplit=3)
    if len(parts) == 4 and _is_side(parts[1]) and _is_side(parts[2]):
        width, height = int(parts[1]), int(parts[2])
        if _is_name(parts[0]) or (_has_tiles(parts[3], width * height) and _repeats_a_word(text)):
            return BoardLine(parts[0], number, parts[3], width, height)
    return BoardLine(str(number), number, text)


def _is_name(word: str) -> bool:
    """Whether a first word can only be a name, not a tile, blank, size or bracket."""
    return word[0].isalpha() and word not in BLANK_WORDS and not word.endswith(":")


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


# Text is a list of boards if at least two of this many first entries are boards, and a block of
# lines has a board on each line if at least one of this many first lines is a board
_CHECKED_ENTRIES: Final = 20

_MAX_ERRORS: Final = 100


@dataclass(frozen=True, slots=True)
class LineError:
    """The number, from 1, of a line that is not a board, and the reason."""

    line: int
    message: Message


@dataclass(frozen=True, slots=True)
class BoardList:
    """Boards with the numbers of their first lines, and the lines that could not be read."""

    boards: list[tuple[int, Board]]
    errors: list[LineError]
    error_count: int  # of all errors; only the first hundred are listed


def read_board_list(text: str, *, max_cells: int, max_boards: int) -> BoardList | None:
    """Read several boards; None if the text does not contain several."""
    boards: list[tuple[int, Board]] = []
    errors: list[LineError] = []
    error_count = 0
    for count, entry in enumerate(islice(_read_entries(text, max_cells), max_boards + 1), start=1):
        if isinstance(entry, LineError):
            error_count += 1
            if error_count <= _MAX_ERRORS:
                errors.append(entry)
        else:
            boards.append(entry)
        if count > max_boards:
            raise OptionError(
                "several-boards",
                "a batch accepts at most {max} boards; send the rest in another one",
                max=max_boards,
            )
        if count == _CHECKED_ENTRIES and len(boards) < 2:
            return None
    return BoardList(boards, errors, error_count) if len(boards) > 1 else None


def _read_entries(text: str, max_cells: int) -> Iterator[tuple[int, Board] | LineError]:
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    for first, lines in _split_blocks(text.split("\n")):
        yield from _read_block(first, lines, max_cells)


def _split_blocks(lines: list[str]) -> Iterator[tuple[int, list[str]]]:
    """Yield blocks of lines without blank lines, with the number of the first line."""
    block: list[str] = []
    for number, line in enumerate([*lines, ""], start=1):
        if line.strip():
            block.append(line)
        elif block:
            yield number - len(block), block
            block = []


def _read_block(
    first: int, lines: list[str], max_cells: int
) -> Iterator[tuple[int, Board] | LineError]:
    """Read a block: one board with a row per line, or a board on each line."""
    line_error: LineError | None = None
    if len(lines) > 1:
        try:
            yield first, read_board("\n".join(lines), max_cells=max_cells)
        except BoardSyntaxError as error:
            with_column = Message(
                error.code, "column {column}: {error}", column=error.column, error=error.reason
            )
            message = error.message if error.line is None else with_column
            line_error = LineError(first - 1 + (error.line or 1), message)
        except BoardError as error:
            line_error = LineError(first, error.message)
        else:
            return
    entries = (_read_line(line, first, max_cells) for line in board_lines(lines))
    first_entries = list(islice(entries, _CHECKED_ENTRIES))
    if line_error is not None and all(isinstance(entry, LineError) for entry in first_entries):
        yield line_error
    else:
        yield from first_entries
        yield from entries


def _read_line(line: BoardLine, first: int, max_cells: int) -> tuple[int, Board] | LineError:
    number = first - 1 + line.number
    try:
        return number, line.board(None, max_cells=max_cells)
    except BoardError as error:
        return LineError(number, describe_line_error(error))
