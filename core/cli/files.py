"""Files that commands read: no more of them than is of use, whatever else they are."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final, TextIO

from tilework.core.errors import InputError
from tilework.core.messages import Message
from tilework.core.pictures.limits import is_picture
from tilework.core.puzzle.phrases import unreadable

STANDARD_INPUT: Final = "-"

MOST_BYTES: Final = 1 << 26
"""Of a board or of a game's moves as text: a board of some eight million cells."""


def read_text(file: str | Path, most: int = MOST_BYTES) -> str:
    """Return the text of a file, or of the standard input for ``-``.

    Parameters
    ----------
    most : int
        Bytes that it may have; of the standard input, characters.

    Raises
    ------
    InputError
        If it cannot be read, is longer, or is not text.
    """
    if file == STANDARD_INPUT:
        text = sys.stdin.read(most + 1)
        _check_length(file, len(text), most)
        return text
    try:
        return read_bytes(file, most).decode()
    except UnicodeDecodeError:
        if is_picture(Path(file)):
            raise InputError(
                "picture-for-text",
                "{path!r} is a picture; “tilework read-picture {path}” prints the board in it, "
                "to be looked at before it is solved",
                path=file,
            ) from None
        raise InputError(
            "no-text-file",
            "{path!r} is not a text file; give a board as UTF-8 text or as .npy",
            path=file,
        ) from None


def read_bytes(file: str | Path, most: int = MOST_BYTES) -> bytes:
    """Return what is in a file, of at most so many bytes.

    Raises
    ------
    InputError
        If it cannot be read, or is longer.
    """
    try:
        with Path(file).open("rb") as opened:
            content = opened.read(most + 1)
    except OSError as error:
        raise InputError(unreadable(file, error.strerror)) from None
    _check_length(file, len(content), most)
    return content


def read_lines(file: str | Path) -> Iterator[str]:
    """Yield the lines of a file, or of the standard input for ``-``, as they come.

    Raises
    ------
    InputError
        If it cannot be read, or a line is longer than `MOST_BYTES`.
    """
    if file == STANDARD_INPUT:
        yield from _lines(file, sys.stdin)
        return
    try:
        opened = Path(file).open(encoding="utf-8", errors="replace")  # noqa: SIM115
    except OSError as error:
        raise InputError(unreadable(file, error.strerror)) from None
    with opened:
        yield from _lines(file, opened)


def _lines(file: str | Path, opened: TextIO) -> Iterator[str]:
    while line := opened.readline(MOST_BYTES + 1):
        _check_length(file, len(line), MOST_BYTES)
        yield line


def _check_length(file: str | Path, length: int, most: int) -> None:
    if length > most:
        raise InputError(_too_large(file, most))


def _too_large(file: str | Path, most: int) -> Message:
    return Message(
        "file-too-large",
        "{path!r} is too large: such a file may have at most {most} MiB",
        path="standard input" if file == STANDARD_INPUT else file,
        most=most >> 20,
    )
