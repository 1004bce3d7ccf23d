"""Tokenizes the text of a board into numbers and rows, with the offset of each number.

Tokens are numbers, or a blank written as ``0 X x _ .``, ``null``, ``None``, ``""``, or as nothing
between commas. An opening bracket may be preceded by Lisp's list or vector prefix: ``'(``,
``#(``. Whitespace and ``|`` separate tokens; a newline, ``/`` or a closing bracket separates rows.
Inside brackets a newline is whitespace, as in JSON.
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
MAX_QUOTED = 40
# Longer texts of plain numbers are read by a compiled kernel.
KERNEL_CHARACTERS = 1 << 22
_MAX_DIGITS = 10
# Characters that are as slow to read as tiles; indented JSON has one per tile and four per row
_DELIMITERS = "\n/[]()"
_ROW_DELIMITERS = 4
_EXTRA_DELIMITERS = 1024
_MAX_DEPTH = 2

_TOKEN = re.compile(r"""[\n,/\[\])]|['‘#]?\(|"[^"\n]*"|'[^'\n]*'|[^\s,/\[\]()|]+""")
_WORD = re.compile("[0-9]+")
_PLAIN = b"0123456789 \t\n"


@dataclass(frozen=True, slots=True)
class Tokens:
    values: NDArray[np.signedinteger]
    row_ends: list[int]  # for each row, the number of values up to its end
    find_offset: Callable[[int], int]  # the offset in the text of a value, by the value's index

    @property
    def is_line(self) -> bool:
        """Whether all values are in one row or in one column."""
        return len(self.row_ends) in (1, self.values.size)


class _State(Enum):
    ROW_START = auto()
    VALUE = auto()
    COMMA = auto()
    CLOSED = auto()


def shorten(symbol: str) -> str:
    """Truncate quoted input to a readable length."""
    return symbol if len(symbol) <= MAX_QUOTED else symbol[: MAX_QUOTED - 1] + "…"


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
        "{size} boards are too large; {limit}",
        size=size,
        limit=cells_limit(max_cells),
    )


def not_a_tile(symbol: str) -> Message:
    if len(symbol) > _MAX_DIGITS and symbol.isascii() and symbol.removeprefix("-").isdigit():
        return Message("tile-too-large", "{tile} is too large for a tile", tile=shorten(symbol))
    return Message(
        "tile",
        "{tile!r} is not a tile; tiles are whole numbers, the blank is 0, X, _ or .",
        tile=shorten(symbol),
    )


def syntax_error_at(text: str, offset: int, message: Message) -> BoardSyntaxError:
    """Return an error with the line and column, from 1, of an offset in the text."""
    line = text.count("\n", 0, offset) + 1
    column = offset - text.rfind("\n", 0, offset)
    return BoardSyntaxError(message, line=line, column=column)


def parse_tile(word: str) -> int | None:
    """Return the number of a tile, 0 for a blank, or None for anything else."""
    if word.isascii() and word.isdigit() and len(word) <= _MAX_DIGITS:
        return int(word)
    return 0 if word in BLANK_WORDS else None


def tokenize(text: str, start: int, max_cells: int | None = None) -> Tokens:
    """Tokenize text, starting at an offset."""
    if max_cells is not None:
        _check_delimiters(text, max_cells)
    if text.isascii():
        characters = text.encode()
        if not characters[start:].translate(None, _PLAIN):
            is_small = max_cells is not None and max_cells <= KERNEL_CELLS
            if not is_small and len(text) > KERNEL_CHARACTERS:
                return _tokenize_plain(text, characters, start)
            tokens = _tokenize_words(text, start, max_cells)
            if tokens is not None:
                return tokens
    return _Tokenizer(text, max_cells).run(start)


def _check_delimiters(text: str, max_cells: int) -> None:
    """Reject text with more row separators than any board has."""
    count = sum(map(text.count, _DELIMITERS))
    if count > max_cells + _ROW_DELIMITERS * min(max_cells, MAX_SIDE) + _EXTRA_DELIMITERS:
        raise BoardSyntaxError(
            "too-many-rows",
            "the text has too many line breaks and brackets: {count}; {limit}",
            count=count,
            limit=cells_limit(max_cells),
        )


class _Tokenizer:
    def __init__(self, text: str, max_cells: int | None) -> None:
        self.text = text
        self.max_cells = max_cells
        self.values = array("q")
        self.offsets = array("q")
        self.row_ends: list[int] = []
        self.row_start = 0
        self.state = _State.ROW_START
        self.open_brackets: list[int] = []

    def run(self, start: int) -> Tokens:
        for match in _TOKEN.finditer(self.text, start):
            self._process(match[0], match.start())
        self._end_row(len(self.text))
        if self.open_brackets:
            offset = self.open_brackets[-1]
            message = Message(
                "open-bracket", "{bracket!r} is never closed", bracket=self.text[offset]
            )
            raise syntax_error_at(self.text, offset, message)
        values = np.array(self.values, dtype=np.int64)
        return Tokens(values, self.row_ends, self.offsets.__getitem__)

    def _process(self, symbol: str, offset: int) -> None:
        if symbol == ",":
            if self.state in (_State.ROW_START, _State.COMMA):
                self._add(0, offset)
            is_closed = self.state is _State.CLOSED
            self.state = _State.ROW_START if is_closed else _State.COMMA
        elif symbol == "\n":
            if not self.open_brackets and self.state is not _State.CLOSED:
                self._end_row(offset)
        elif symbol == "/":
            self._end_row(offset)
        elif symbol[-1] in "[(":
            self._end_row(offset)
            offset += len(symbol) - 1
            self.open_brackets.append(offset)
            if len(self.open_brackets) > _MAX_DEPTH:
                message = Message(
                    "nesting",
                    "{bracket!r} is nested too deeply; a board is at most a list of rows",
                    bracket=symbol[-1],
                )
                raise syntax_error_at(self.text, offset, message)
        elif symbol in "])":
            if not self.open_brackets:
                message = Message(
                    "closing-bracket", "{bracket!r} has no opening bracket", bracket=symbol
                )
                raise syntax_error_at(self.text, offset, message)
            self._end_row(offset)
            self.open_brackets.pop()
            self.state = _State.CLOSED
        else:
            is_quoted = len(symbol) > 1 and symbol[0] == symbol[-1] and symbol[0] in "\"'"
            number = parse_tile(symbol[1:-1].strip() if is_quoted else symbol)
            if number is None:
                raise syntax_error_at(self.text, offset, not_a_tile(symbol))
            self._add(number, offset)
            self.state = _State.VALUE

    def _add(self, value: int, offset: int) -> None:
        if self.max_cells is not None and len(self.values) > self.max_cells:
            message = Message(
                "too-many-tiles", "too many tiles; {limit}", limit=cells_limit(self.max_cells)
            )
            raise syntax_error_at(self.text, offset, message)
        self.values.append(value)
        self.offsets.append(offset)

    def _end_row(self, offset: int) -> None:
        if self.state is _State.COMMA:
            self._add(0, offset)
        if len(self.values) > self.row_start:
            self.row_start = len(self.values)
            self.row_ends.append(self.row_start)
        self.state = _State.ROW_START


def _tokenize_words(text: str, start: int, max_cells: int | None) -> Tokens | None:
    """Tokenize text of digits and whitespace, several times faster than `_Tokenizer`."""
    rows = text[start:].split("\n")
    counts = np.array([len(row.split()) for row in rows], dtype=np.int64)
    count = int(counts.sum())
    words = text[start:].split()
    if not 0 < count <= (count if max_cells is None else max_cells):
        return None
    if max(map(len, words)) > _MAX_DIGITS:
        return None

    def find_offset(index: int) -> int:
        return next(islice(_WORD.finditer(text, start), index, None)).start()

    values = np.fromiter(map(int, words), dtype=np.int64, count=count)
    return Tokens(values, np.cumsum(counts)[counts > 0].tolist(), find_offset)


def _tokenize_plain(text: str, characters: bytes, start: int) -> Tokens:
    from tilework.core.formats.digits_kernel import read_numbers

    # Room for a number per two characters; pages that are never written take no memory.
    lines = characters.count(b"\n") + 1
    capacity = len(characters) // 2 + 1
    values = np.empty(capacity, dtype=np.int32)
    ends, starts = np.empty(lines, dtype=np.int64), np.empty(lines, dtype=np.int64)
    plain = np.frombuffer(characters, dtype=np.uint8)
    count, rows, too_long = read_numbers(plain, start, values, ends, starts)
    if too_long >= 0:
        word = text[too_long : too_long + MAX_QUOTED + 1].split(maxsplit=1)[0]
        raise syntax_error_at(text, int(too_long), not_a_tile(word))
    ends = ends[:rows]

    def find_offset(index: int) -> int:
        row = int(np.searchsorted(ends, index, side="right"))
        words = _WORD.finditer(text, int(starts[row]))
        before = int(ends[row - 1]) if row else 0
        return next(islice(words, index - before, None)).start()

    return Tokens(values[:count], ends.tolist(), find_offset)
