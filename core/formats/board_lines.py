"""Files of many boards: ``ID width height tiles… | known length | note``, or a board a line."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice

from tilework.core.errors import BoardError, BoardSyntaxError, InputError
from tilework.core.formats.board_pieces import BLANK_WORDS, board_too_large, shortened
from tilework.core.formats.board_text import read_board
from tilework.core.messages import Message
from tilework.core.puzzle.board import Board, Size
from tilework.core.puzzle.phrases import tile_count

_LONGEST_SIDE = 9  # digits

_WORD = re.compile(r"[^\s,]+")
_VECTOR = re.compile(r"#\([\s0-9Xx_.]*\)")


@dataclass(frozen=True, slots=True)
class BoardLine:
    """One board of a file, still as text.

    Attributes
    ----------
    id : str
        The name before the size, or the line's number from 1 where it has none.
    number : int
        The line's number in the file, from 1.
    text : str
        The tiles.
    width, height : int or None
        The size, where the line states it.
    """

    id: str
    number: int
    text: str
    width: int | None = None
    height: int | None = None

    def board(self, width: int | None, *, max_cells: int | None = None) -> Board:
        """Read the board; ``width`` serves lines that do not state their size.

        Larger boards than ``max_cells`` are refused before the work of reading them.

        Raises
        ------
        BoardError
            If the text is no board, or not one of the stated size.
        """
        if self.width is None or self.height is None:
            return read_board(self.text, width, max_cells=max_cells)
        cells = self.width * self.height
        if max_cells is not None and cells > max_cells:
            fault = board_too_large(Size(self.width, self.height), max_cells)
            raise BoardError(
                Message(fault.code, "{name!r}: {fault}", name=shortened(self.id), fault=fault)
            )
        if not _has_tiles(self.text, cells):
            count = sum(1 for _ in _WORD.finditer(self.text))
            fault = tile_count(Size(self.width, self.height), cells, count)
            raise BoardError(
                Message(fault.code, "{name!r}: {fault}", name=shortened(self.id), fault=fault)
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


def fault_of_line(error: InputError) -> Message:
    """Return why a line is no board, without its number: it counts within the line alone."""
    if isinstance(error, BoardSyntaxError) and error.line == 1:
        return Message(
            error.code, "column {column}: {fault}", column=error.column, fault=error.fault
        )
    return error.message


def _split(text: str, number: int) -> BoardLine:
    """Distinguish a line with a name and a size from a bare board.

    Where the name is a number too, the line repeats one: the width or the height stands among
    the tiles, or both are 1. The numbers of a bare board differ from each other.
    """
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
