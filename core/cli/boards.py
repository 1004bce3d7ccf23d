"""The board of a command line: words, a file or standard input."""

from __future__ import annotations

import os
from pathlib import Path

from tilework.core.cli.files import STANDARD_INPUT, read_text
from tilework.core.errors import BoardError, InputError
from tilework.core.formats.board_text import read_board, read_goal
from tilework.core.formats.npy import read_npy
from tilework.core.messages import Message
from tilework.core.puzzle.board import Board, Size


def board_of(words: list[str], width: int | None) -> Board:
    """Read the board that a command was given.

    Raises
    ------
    InputError
        If it is neither a readable file nor a valid board.
    """
    if words == [STANDARD_INPUT]:
        return read_board(read_text(STANDARD_INPUT), width)
    if (path := _file_of(words)) is not None:
        return _read_file(path, width)
    try:
        return read_board(" ".join(words), width)
    except BoardError:
        if len(words) == 1 and _looks_like_a_path(words[0]):
            raise InputError(
                "no-file",
                "there is no file {path!r}, and it is not a board either",
                path=words[0],
            ) from None
        raise


def text_of(words: list[str]) -> str:
    """Return the text of a board that a server will parse.

    Raises
    ------
    InputError
        If a file cannot be read.
    """
    if words == [STANDARD_INPUT]:
        return read_text(STANDARD_INPUT)
    if (path := _file_of(words)) is not None:
        if path.suffix == ".npy":
            return str(_read_file(path, None))
        return read_text(path)
    return " ".join(words)


def goal_of(text: str, size: Size) -> Board:
    """Read a goal: a name or a board of that size.

    Raises
    ------
    InputError
        If it is neither; the message says that the goal is meant.
    """
    try:
        return read_goal(text, size)
    except BoardError as error:
        raise InputError(Message(error.code, "--goal: {fault}", fault=error.message)) from None


def _read_file(path: Path, width: int | None) -> Board:
    if path.suffix == ".npy":
        return read_npy(path)
    return read_board(read_text(path), width)


def _file_of(words: list[str]) -> Path | None:
    # os.path.exists answers for a long board too, where Path.exists raises "File name too long".
    return Path(words[0]) if len(words) == 1 and os.path.exists(words[0]) else None


def _looks_like_a_path(word: str) -> bool:
    letters = any(letter.isalpha() and letter not in "xX" for letter in word)
    return letters and not any(mark.isspace() or mark in ",[(" for mark in word)
