"""Several boards in one text: of a file, one a line, or as people paste them."""

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

_LONGEST_SIDE = 9  # digits

_WORD = re.compile(r"[^\s,]+")
_VECTOR = re.compile(r"#\([\s0-9Xx_.]*\)")


@dataclass(frozen=True, slots=True)
class BoardLine:
    id: str  # the name before the size, or the line's number from 1 where it has none
    number: int  # the line's number in the file, from 1
    text: str  # the tiles
    # The size, where the line states it
    width: int | None = None
    height: int | None = None

    def board(self, width: int | None, *, max_cells: int | None = None) -> Board:
        """Read the board; ``width`` serves lines that do not state their size."""
        if self.width is None or self.height is None:
            return read_board(self.text, width, max_cells=max_cells)
        cells = self.width * self.height
        if max_cells is not None and cells > max_cells:
            fault = board_too_large(Size(self.width, self.height), max_cells)
            raise BoardError(
                Message(fault.code, "{name!r}: {fault}", name=shorten(self.id), fault=fault)
            )
        if not _has_tiles(self.text, cells):
            count = sum(1 for _ in _WORD.finditer(self.text))
            fault = tile_count(Size(self.width, self.height), cells, count)
            raise BoardError(
                Message(fault.code, "{name!r}: {fault}", name=shorten(self.id), fault=fault)
            )
        return read_board(self.text, self.width, max_cells=max_cells)


def board_lines(lines: Iterable[str]) -> Iterator[BoardLine]:
    """Yield the boards of a file; blank lines and comments are passed over.

    A comment begins with ``#``, unless that is the mark of Lisp's vectors: ``#(1 2 3 0)``.
    """
    for number, line in enumerate(lines, start=1):
        text = line.partition("|")[0].strip()
        if text and (text[0] != "#" or _VECTOR.fullmatch(text)):
            yield _split(text, number)


def describe_line_fault(error: InputError) -> Message:
    """Return why a line is no board, without its number: it counts within the line alone."""
    if isinstance(error, BoardSyntaxError) and error.line == 1:
        return Message(
            error.code, "column {column}: {fault}", column=error.column, fault=error.fault
        )
    return error.message


def _split(text: str, number: int) -> BoardLine:
    """Distinguish a line with a name and a size from a bare board."""
    pieces = text.split(maxsplit=3)
    if len(pieces) == 4 and _is_side(pieces[1]) and _is_side(pieces[2]):
        width, height = int(pieces[1]), int(pieces[2])
        if _is_name(pieces[0]) or (_has_tiles(pieces[3], width * height) and _repeats_a_word(text)):
            return BoardLine(pieces[0], number, pieces[3], width, height)
    return BoardLine(str(number), number, text)


def _is_name(piece: str) -> bool:
    """Whether a first word can only be a name: no tile, no blank, no ``3x2:``, no bracket."""
    return piece[0].isalpha() and piece not in BLANK_WORDS and not piece.endswith(":")


def _has_tiles(text: str, count: int) -> bool:
    """Whether a text has so many words; no more of them are looked at, nor kept."""
    if 2 * count - 1 > len(text):
        return False
    return sum(1 for _ in islice(_WORD.finditer(text), count + 1)) == count


def _repeats_a_word(text: str) -> bool:
    words = text.replace(",", " ").split()
    return len(set(words)) < len(words)


def _is_side(piece: str) -> bool:
    return piece.isdecimal() and len(piece) <= _LONGEST_SIDE


# Tokens of which two have to be boards: who writes one board makes mistakes in it, too
_TRIED: Final = 20

_MOST_FAULTS: Final = 100


@dataclass(frozen=True, slots=True)
class LineFault:
    """A line that is no board, by its number from 1, and why."""

    line: int
    message: Message


@dataclass(frozen=True, slots=True)
class BoardList:
    """The boards of a text with the lines on which they begin, and what could not be read."""

    boards: list[tuple[int, Board]]
    faults: list[LineFault]
    # How many pieces could not be read; of more than a hundred, only the first are told
    faulty: int


def read_board_list(text: str, *, max_cells: int, most: int) -> BoardList | None:
    """Read the boards of a text; None where it is not meant for several."""
    boards: list[tuple[int, Board]] = []
    faults: list[LineFault] = []
    faulty = 0
    for count, piece in enumerate(islice(_pieces(text, max_cells), most + 1), start=1):
        if isinstance(piece, LineFault):
            faulty += 1
            if faulty <= _MOST_FAULTS:
                faults.append(piece)
        else:
            boards.append(piece)
        if count > most:
            raise OptionError(
                "several-boards",
                "a batch accepts at most {most} boards; send the rest in another one",
                most=most,
            )
        if count == _TRIED and len(boards) < 2:
            return None
    return BoardList(boards, faults, faulty) if len(boards) > 1 else None


def _pieces(text: str, max_cells: int) -> Iterator[tuple[int, Board] | LineFault]:
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    for first, lines in _blocks(text.split("\n")):
        yield from _boards_of_block(first, lines, max_cells)


def _blocks(lines: list[str]) -> Iterator[tuple[int, list[str]]]:
    """Yield lines that stand together, with the number of the first."""
    block: list[str] = []
    for number, line in enumerate([*lines, ""], start=1):
        if line.strip():
            block.append(line)
        elif block:
            yield number - len(block), block
            block = []


def _boards_of_block(
    first: int, lines: list[str], max_cells: int
) -> Iterator[tuple[int, Board] | LineFault]:
    """A block is one board with a row a line, or has a board on each line."""
    fault: LineFault | None = None
    if len(lines) > 1:
        try:
            yield first, read_board("\n".join(lines), max_cells=max_cells)
        except BoardSyntaxError as error:
            at = Message(
                error.code, "column {column}: {fault}", column=error.column, fault=error.fault
            )
            told = error.message if error.line is None else at
            fault = LineFault(first - 1 + (error.line or 1), told)
        except BoardError as error:
            fault = LineFault(first, error.message)
        else:
            return
    read = [_of_line(line, first, max_cells) for line in board_lines(lines)]
    if fault is not None and all(isinstance(one, LineFault) for one in read):
        yield fault
    else:
        yield from read


def _of_line(line: BoardLine, first: int, max_cells: int) -> tuple[int, Board] | LineFault:
    number = first - 1 + line.number
    try:
        return number, line.board(None, max_cells=max_cells)
    except BoardError as error:
        return LineFault(number, describe_line_fault(error))
