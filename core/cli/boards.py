"""Reads boards from command-line arguments, a file or standard input."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final, TextIO

from tilework.core.cli.console import print_note
from tilework.core.errors import BoardError, InputError, MoveError
from tilework.core.formats import board_text
from tilework.core.formats.board_text import read_goal
from tilework.core.formats.board_values import read_npy
from tilework.core.formats.moves_text import read_moves
from tilework.core.formats.spellings import cell_value, decode, shorten
from tilework.core.messages import Message
from tilework.core.pictures.reading import is_picture
from tilework.core.puzzle.board import Board, Size
from tilework.core.puzzle.moves import Moves
from tilework.core.puzzle.phrases import unreadable


def read_board_argument(words: list[str], width: int | None) -> Board:
    if words == [STANDARD_INPUT]:
        return _read_text_board(read_text(STANDARD_INPUT), width)
    if (path := _find_file(words)) is not None:
        return _read_file(path, width)
    try:
        return _read_text_board(" ".join(words), width)
    except BoardError:
        _reject_file_names(words)
        raise


def read_moves_argument(words: str, start: Board, *, blank_moves: bool) -> Moves:
    # Path.exists raises for a long game; os.path.exists does not.
    if words == STANDARD_INPUT or os.path.exists(words):
        text = read_text(words, of_moves=True)
        with naming_file(words):
            return read_moves(text, start, blank_moves=blank_moves)
    try:
        return read_moves(words, start, blank_moves=blank_moves)
    except MoveError:
        if _is_file_name(words):
            raise InputError(
                "no-file-of-moves",
                "there is no file {path!r}, and it is not a list of moves such as LURD either",
                path=shorten(words),
            ) from None
        raise


def one_standard_input() -> InputError:
    return InputError(
        "one-standard-input",
        "the board and the moves cannot both come from standard input; pass one of them as "
        "an argument or a file",
    )


def read_goal_option(text: str, size: Size) -> Board:
    try:
        return read_goal(text, size)
    except BoardError as error:
        raise InputError(Message(error.code, "--goal: {error}", error=error.message)) from None


def _read_file(path: Path, width: int | None) -> Board:
    if path.suffix == ".npy":
        return read_npy(path, width)
    text = read_text(path)
    with naming_file(path):
        return _read_text_board(text, width)


def _read_text_board(text: str, width: int | None) -> Board:
    """Read a board; standard error says how if that is not the plain form."""
    reading = board_text.read_text(text, width)
    if (notes := reading.describe()) is not None:
        print_note(Message("read-as", "read as {notes}", notes=notes))
    return reading.board


@contextmanager
def naming_file(file: str | Path) -> Iterator[None]:
    """Name the file in errors about its content."""
    try:
        yield
    except InputError as error:
        if file == STANDARD_INPUT:
            raise
        message = Message(error.code, "{path!r}: {error}", path=file, error=error.message)
        raise InputError(message) from None


def _find_file(words: list[str]) -> Path | None:
    # Path.exists raises "File name too long" for a long board; os.path.exists does not.
    return Path(words[0]) if len(words) == 1 and os.path.exists(words[0]) else None


def _reject_file_names(words: list[str]) -> None:
    """Raise InputError if one of the words of a board can only be the name of a file."""
    for word in words:
        if not (_looks_like_path(word) if len(words) == 1 else _is_file_name(word)):
            continue
        if os.path.exists(word):
            raise InputError(
                "one-board-file",
                "{path!r} is a file, and a board is read from one file; give only that, or "
                "put all boards into one file for --jsonl",
                path=word,
            )
        raise InputError(
            "no-file", "there is no file {path!r}, and it is not a board either", path=word
        )


def _is_file_name(word: str) -> bool:
    return _looks_like_path(word) and any(mark in word for mark in "./")


def _looks_like_path(word: str) -> bool:
    has_letters = any(character.isalpha() and character not in "xX" for character in word)
    is_list = any(character.isspace() or character in ",[({'|" for character in word)
    return has_letters and not is_list and cell_value(word) is None


STANDARD_INPUT: Final = "-"

_MAX_FILE_BYTES: Final = 1 << 28
"""Size limit for a file of boards or moves; enough for some thirty million cells."""


def read_text(file: str | Path, *, of_moves: bool = False) -> str:
    """Read a file of boards, or of moves."""
    content = read_bytes(file)
    if (text := decode(content)) is not None:
        return text
    if of_moves:
        raise InputError(
            "no-text-of-moves",
            "{path!r} is not a text file; give the moves as UTF-8 text",
            path=_name(file),
        )
    if file != STANDARD_INPUT and is_picture(Path(file)):
        raise InputError(
            "picture-for-text",
            "{path!r} is a picture; “tilework read-picture {path}” prints the board in it "
            "for you to check before you solve it",
            path=file,
        )
    raise InputError(
        "no-text-file",
        "{path!r} is not a text file; give the board as UTF-8 text or as a .npy file",
        path=_name(file),
    )


def read_bytes(file: str | Path) -> bytes:
    """Read a file, or standard input for ``-``."""
    try:
        if file == STANDARD_INPUT:
            content = sys.stdin.buffer.read(_MAX_FILE_BYTES + 1)
        else:
            with Path(file).open("rb") as stream:
                content = stream.read(_MAX_FILE_BYTES + 1)
    except OSError as error:
        raise InputError(unreadable(file, error.strerror)) from None
    _check_length(file, len(content))
    return content


def read_lines(file: str | Path) -> Iterator[str]:
    """Yield the lines of a file, or of standard input for ``-``, as they arrive."""
    if file == STANDARD_INPUT:
        yield from _lines(file, sys.stdin)
        return
    try:
        stream = Path(file).open(encoding="utf-8", errors="replace")  # noqa: SIM115
    except OSError as error:
        raise InputError(unreadable(file, error.strerror)) from None
    with stream:
        yield from _lines(file, stream)


def _lines(file: str | Path, stream: TextIO) -> Iterator[str]:
    while line := stream.readline(_MAX_FILE_BYTES + 1):
        _check_length(file, len(line))
        yield line


def _check_length(file: str | Path, length: int) -> None:
    if length > _MAX_FILE_BYTES:
        raise InputError(
            "file-too-large",
            "{path!r} is too large; the limit is {max} MiB",
            path=_name(file),
            max=_MAX_FILE_BYTES >> 20,
        )


def _name(file: str | Path) -> str | Path:
    return "standard input" if file == STANDARD_INPUT else file
