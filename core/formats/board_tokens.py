"""Cutting a board's text into numbers and rows, each number with its place in the text.

Tokens are numbers, or a blank written ``0 X x _ .``, ``null``, ``None``, ``""``, or as nothing at
all between commas. An opening bracket may have Lisp's mark of a list or vector before it: ``'(``,
``#(``. White space and ``|`` separate pieces; a newline, ``/`` or the end of a bracket separates
rows. Inside brackets a newline is white space, as in JSON.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum, auto
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from tilework.core.errors import BoardSyntaxError
from tilework.core.messages import Message, plural
from tilework.core.puzzle.arrangement import KERNEL_CELLS
from tilework.core.puzzle.board import MAX_SIDE, Size

BLANK_WORDS = frozenset({"", "x", "X", "_", ".", "null", "None"})
QUOTED = 40
# Texts longer than this are read by a compiled kernel, where they are plain enough.
KERNEL_CHARACTERS = 1 << 22
_MAX_DIGITS = 10
# What is neither a tile nor stands for one, but takes as long to read; indented JSON has one for
# each tile, and four more for each row.
_MARKS = "\n/[]()"
_ROW_MARKS = 4
_SPARE_MARKS = 1024
_MAX_DEPTH = 2

_PIECE = re.compile(r"""[\n,/\[\])]|['‘#]?\(|"[^"\n]*"|'[^'\n]*'|[^\s,/\[\]()|]+""")
_WORD = re.compile("[0-9]+")
_PLAIN = b"0123456789 \t\n"


@dataclass(frozen=True, slots=True)
class Tokens:
    values: NDArray[np.signedinteger]
    row_ends: list[int]  # for each row, how many values it and the rows before it have
    # The index in the text where a value begins, by the value's index
    offset_of: Callable[[int], int]

    @property
    def is_line(self) -> bool:
        """Whether everything is in one row, or everything in one column."""
        return len(self.row_ends) in (1, self.values.size)


class _After(Enum):
    ROW_START = auto()
    VALUE = auto()
    COMMA = auto()
    CLOSED = auto()


def shorten(piece: str) -> str:
    """A piece of the input, cut to a readable length."""
    return piece if len(piece) <= QUOTED else piece[: QUOTED - 1] + "…"


def cells_limit(max_cells: int) -> Message:
    return plural(
        "most-cells",
        "boards of up to {count} cell are accepted here",
        "boards of up to {count} cells are accepted here",
        count=max_cells,
    )


def board_too_large(size: Size, max_cells: int) -> Message:
    return Message(
        "board-too-large",
        "a board of {size} is too large; {limit}",
        size=size,
        limit=cells_limit(max_cells),
    )


def not_a_tile(piece: str) -> Message:
    if len(piece) > _MAX_DIGITS and piece.isascii() and piece.removeprefix("-").isdigit():
        return Message("tile-too-large", "{tile} is too large for a tile", tile=shorten(piece))
    return Message(
        "tile",
        "{tile!r} is not a tile; tiles are whole numbers, the blank is 0, X, _ or .",
        tile=shorten(piece),
    )


def syntax_error_at(text: str, offset: int, message: Message) -> BoardSyntaxError:
    """An error that names the line and column, from 1, of an index in the text."""
    line = text.count("\n", 0, offset) + 1
    column = offset - text.rfind("\n", 0, offset)
    return BoardSyntaxError(message, line=line, column=column)


def parse_tile(word: str) -> int | None:
    """The number that a word stands for, 0 for a blank; None if it is neither."""
    if word.isascii() and word.isdigit() and len(word) <= _MAX_DIGITS:
        return int(word)
    return 0 if word in BLANK_WORDS else None


def cut(text: str, begin: int, max_cells: int | None = None) -> Tokens:
    """Cut the text from an index on."""
    if max_cells is not None:
        _check_marks(text, max_cells)
    if text.isascii():
        characters = text.encode()
        if not characters[begin:].translate(None, _PLAIN):
            limited = max_cells is not None and max_cells <= KERNEL_CELLS
            if not limited and len(text) > KERNEL_CHARACTERS:
                return _cut_plain(text, characters, begin)
            pieces = _cut_words(text, begin, max_cells)
            if pieces is not None:
                return pieces
    return _Cutter(text, max_cells).run(begin)


def _check_marks(text: str, max_cells: int) -> None:
    """Refuse a text that begins and ends more rows than any board has."""
    marks = sum(map(text.count, _MARKS))
    if marks > max_cells + _ROW_MARKS * min(max_cells, MAX_SIDE) + _SPARE_MARKS:
        raise BoardSyntaxError(
            "too-many-rows",
            "the text has too many line breaks and brackets: {count}; {limit}",
            count=marks,
            limit=cells_limit(max_cells),
        )


class _Cutter:
    def __init__(self, text: str, max_cells: int | None) -> None:
        self.text = text
        self.max_cells = max_cells
        self.values = array("q")
        self.offsets = array("q")
        self.row_ends: list[int] = []
        self.row_begin = 0
        self.after = _After.ROW_START
        self.open_brackets: list[int] = []

    def run(self, begin: int) -> Tokens:
        for match in _PIECE.finditer(self.text, begin):
            self._take(match[0], match.start())
        self._end_row(len(self.text))
        if self.open_brackets:
            offset = self.open_brackets[-1]
            message = Message(
                "open-bracket", "{bracket!r} is never closed", bracket=self.text[offset]
            )
            raise syntax_error_at(self.text, offset, message)
        values = np.array(self.values, dtype=np.int64)
        return Tokens(values, self.row_ends, self.offsets.__getitem__)

    def _take(self, piece: str, offset: int) -> None:
        if piece == ",":
            if self.after in (_After.ROW_START, _After.COMMA):
                self._add(0, offset)
            closed = self.after is _After.CLOSED
            self.after = _After.ROW_START if closed else _After.COMMA
        elif piece == "\n":
            if not self.open_brackets and self.after is not _After.CLOSED:
                self._end_row(offset)
        elif piece == "/":
            self._end_row(offset)
        elif piece[-1] in "[(":
            self._end_row(offset)
            offset += len(piece) - 1
            self.open_brackets.append(offset)
            if len(self.open_brackets) > _MAX_DEPTH:
                message = Message(
                    "nesting",
                    "{bracket!r} is nested too deeply; a board is at most a list of rows",
                    bracket=piece[-1],
                )
                raise syntax_error_at(self.text, offset, message)
        elif piece in "])":
            if not self.open_brackets:
                message = Message(
                    "closing-bracket", "{bracket!r} has no opening bracket", bracket=piece
                )
                raise syntax_error_at(self.text, offset, message)
            self._end_row(offset)
            self.open_brackets.pop()
            self.after = _After.CLOSED
        else:
            quoted = len(piece) > 1 and piece[0] == piece[-1] and piece[0] in "\"'"
            number = parse_tile(piece[1:-1].strip() if quoted else piece)
            if number is None:
                raise syntax_error_at(self.text, offset, not_a_tile(piece))
            self._add(number, offset)
            self.after = _After.VALUE

    def _add(self, value: int, offset: int) -> None:
        if self.max_cells is not None and len(self.values) > self.max_cells:
            message = Message(
                "too-many-tiles", "too many tiles; {limit}", limit=cells_limit(self.max_cells)
            )
            raise syntax_error_at(self.text, offset, message)
        self.values.append(value)
        self.offsets.append(offset)

    def _end_row(self, offset: int) -> None:
        if self.after is _After.COMMA:
            self._add(0, offset)
        if len(self.values) > self.row_begin:
            self.row_begin = len(self.values)
            self.row_ends.append(self.row_begin)
        self.after = _After.ROW_START


def _cut_words(text: str, begin: int, max_cells: int | None) -> Tokens | None:
    """Cut a text of digits and white space, some times faster than piece by piece."""
    rows = text[begin:].split("\n")
    counts = np.array([len(row.split()) for row in rows], dtype=np.int64)
    count = int(counts.sum())
    words = text[begin:].split()
    if not 0 < count <= (count if max_cells is None else max_cells):
        return None
    if max(map(len, words)) > _MAX_DIGITS:
        return None

    def offset_of(place: int) -> int:
        return next(islice(_WORD.finditer(text, begin), place, None)).start()

    values = np.fromiter(map(int, words), dtype=np.int64, count=count)
    return Tokens(values, np.cumsum(counts)[counts > 0].tolist(), offset_of)


def _cut_plain(text: str, characters: bytes, begin: int) -> Tokens:
    from tilework.core.formats.digits_kernel import read_numbers

    # Room for a number in every two characters; pages of it that are never written cost nothing.
    lines = characters.count(b"\n") + 1
    room = len(characters) // 2 + 1
    values = np.empty(room, dtype=np.int32)
    ends, begins = np.empty(lines, dtype=np.int64), np.empty(lines, dtype=np.int64)
    plain = np.frombuffer(characters, dtype=np.uint8)
    count, rows, too_long = read_numbers(plain, begin, values, ends, begins)
    if too_long >= 0:
        word = text[too_long : too_long + QUOTED + 1].split(maxsplit=1)[0]
        raise syntax_error_at(text, int(too_long), not_a_tile(word))
    ends = ends[:rows]

    def offset_of(place: int) -> int:
        row = int(np.searchsorted(ends, place, side="right"))
        words = _WORD.finditer(text, int(begins[row]))
        before = int(ends[row - 1]) if row else 0
        return next(islice(words, place - before, None)).start()

    return Tokens(values[:count], ends.tolist(), offset_of)
