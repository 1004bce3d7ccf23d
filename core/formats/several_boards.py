"""Several boards in one text, as people paste them: one a line, or with empty lines between.

A text that is one board is never several. Lines that are no board are told, each with its number,
and keep nobody from reading the others.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Final

from tilework.core.errors import BoardError, BoardSyntaxError, OptionError
from tilework.core.formats.board_lines import BoardLine, board_lines, fault_of_line
from tilework.core.formats.board_text import read_board
from tilework.core.messages import Message
from tilework.core.puzzle.board import Board

_TRIED: Final = 20
"""Pieces of which two have to be boards: who writes one board makes mistakes in it, too."""

_MOST_FAULTS: Final = 100


@dataclass(frozen=True, slots=True)
class LineFault:
    """A line that is no board, by its number from 1, and why."""

    line: int
    message: Message


@dataclass(frozen=True, slots=True)
class SeveralBoards:
    """The boards of a text with the lines on which they begin, and what could not be read."""

    boards: list[tuple[int, Board]]
    faults: list[LineFault]
    faulty: int
    """How many pieces could not be read; of more than a hundred, only the first are told."""


def read_several(text: str, *, max_cells: int, most: int) -> SeveralBoards | None:
    """Read the boards of a text; None where it is not meant for several.

    Raises
    ------
    OptionError
        For more than ``most`` boards.
    """
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
                "these are more than {most} boards; send the others in another batch",
                most=most,
            )
        if count == _TRIED and len(boards) < 2:
            return None
    return SeveralBoards(boards, faults, faulty) if len(boards) > 1 else None


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
        return LineFault(number, fault_of_line(error))
