"""Reads boards from command-line arguments, a file or standard input."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final, TextIO

from tilework.core.errors import BoardError, InputError
from tilework.core.formats.board_text import read_board, read_goal
from tilework.core.formats.npy import read_npy
from tilework.core.messages import Message
from tilework.core.pictures.reading import is_picture
from tilework.core.puzzle.board import Board, Size
from tilework.core.puzzle.phrases import unreadable


def read_board_argument(words: list[str], width: int | None) -> Board:
    if words == [STANDARD_INPUT]:
        return read_board(read_text(STANDARD_INPUT), width)
    if (path := _find_file(words)) is not None:
        return _read_file(path, width)
    try:
        return read_board(" ".join(words), width)
    except BoardError:
        if len(words) == 1 and _looks_like_path(words[0]):
            raise InputError(
                "no-file", "there is no file {path!r}, and it is not a board either", path=words[0]
            ) from None
        raise


def read_board_text(words: list[str], width: int | None) -> str:
    if words == [STANDARD_INPUT]:
        return read_text(STANDARD_INPUT)
    if (path := _find_file(words)) is not None:
        if path.suffix == ".npy":
            return str(_read_file(path, width))
        return read_text(path)
    return " ".join(words)


def read_goal_option(text: str, size: Size) -> Board:
    try:
        return read_goal(text, size)
    except BoardError as error:
        raise InputError(Message(error.code, "--goal: {error}", error=error.message)) from None


def _read_file(path: Path, width: int | None) -> Board:
    if path.suffix == ".npy":
        return read_npy(path, width)
    return read_board(read_text(path), width)


def _find_file(words: list[str]) -> Path | None:
    # Path.exists raises "File name too long" for a long board; os.path.exists does not.
    return Path(words[0]) if len(words) == 1 and os.path.exists(words[0]) else None


def _looks_like_path(word: str) -> bool:
    has_letters = any(character.isalpha() and character not in "xX" for character in word)
    return has_letters and not any(character.isspace() or character in ",[(" for character in word)


STANDARD_INPUT: Final = "-"

MAX_FILE_BYTES: Final = 1 << 28
"""Size limit for a file of boards or moves; enough for some thirty million cells."""


def read_text(file: str | Path, limit: int = MAX_FILE_BYTES) -> str:
    """Read a file, or standard input for ``-``, of at most `limit` bytes or characters."""
    if file == STANDARD_INPUT:
        text = sys.stdin.read(limit + 1)
        _check_length(file, len(text), limit)
        return text
    try:
        return read_bytes(file, limit).decode()
    except UnicodeDecodeError:
        if is_picture(Path(file)):
            raise InputError(
                "picture-for-text",
                "{path!r} is a picture; “tilework read-picture {path}” prints the board in it "
                "for you to check before you solve it",
                path=file,
            ) from None
        raise InputError(
            "no-text-file",
            "{path!r} is not a text file; give the board as UTF-8 text or as a .npy file",
            path=file,
        ) from None


def read_bytes(file: str | Path, limit: int = MAX_FILE_BYTES) -> bytes:
    try:
        with Path(file).open("rb") as stream:
            content = stream.read(limit + 1)
    except OSError as error:
        raise InputError(unreadable(file, error.strerror)) from None
    _check_length(file, len(content), limit)
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
    while line := stream.readline(MAX_FILE_BYTES + 1):
        _check_length(file, len(line), MAX_FILE_BYTES)
        yield line


def _check_length(file: str | Path, length: int, limit: int) -> None:
    if length > limit:
        raise InputError(_too_large(file, limit))


def _too_large(file: str | Path, limit: int) -> Message:
    return Message(
        "file-too-large",
        "{path!r} is too large; the limit is {max} MiB",
        path="standard input" if file == STANDARD_INPUT else file,
        max=limit >> 20,
    )
