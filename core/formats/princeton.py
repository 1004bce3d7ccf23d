"""A solution as the Princeton course writes it: the number of moves, then every board.

``text`` is ours, which is easier to read: an empty line after the heading, columns that fit the
largest tile. ``princeton`` is what the course's text shows, byte for byte: each row ends with a
space, as Java's ``%2d `` leaves it, but for the very last.
"""

from __future__ import annotations

from collections.abc import Iterator

from tilework.core.formats.frames import frames
from tilework.core.puzzle.board import Board
from tilework.core.puzzle.moves import NO_MOVES, MoveSequence

_MINIMUM = {"en": "Minimum number of moves", "pt": "Mínimo número de movimentos"}
_NUMBER = {"en": "Number of moves", "pt": "Número de movimentos"}
_PRINTED_DIGITS = 2
UNSOLVABLE = {"en": "No solution possible", "pt": "Puzzle irresolvível"}
_PRINTED_UNSOLVABLE = {"en": "No solution possible", "pt": "Puzzle irresolvível!"}


def text(start: Board, moves: MoveSequence, language: str, optimal: bool) -> Iterator[str]:
    """Yield the heading, then one board at a time, each after an empty line.

    The heading says *minimum* only where that is proved.

    Raises
    ------
    ReplayError
        At the first move that no tile can make.
    """
    yield _heading(moves, language, optimal)
    digits = max(_PRINTED_DIGITS, len(str(start.size.cells - 1)))
    for board in _boards(start, moves, digits):
        yield f"\n{board}"


def princeton(start: Board, moves: MoveSequence, language: str, optimal: bool) -> Iterator[str]:
    """Yield the heading, then one board at a time, an empty line between two.

    Raises
    ------
    ReplayError
        At the first move that no tile can make.
    """
    yield _heading(moves, language, optimal)
    boards = _boards(start, moves, _PRINTED_DIGITS, " ")
    last = next(boards)
    for board in boards:
        yield f"{last}\n"
        last = board
    yield last.removesuffix(" \n") + "\n"


def princeton_unsolvable(start: Board, language: str) -> Iterator[str]:
    """Yield that there is no solution, then the board."""
    yield f"{_PRINTED_UNSOLVABLE[language]}\n"
    yield from _boards(start, NO_MOVES, _PRINTED_DIGITS, " ")


def _heading(moves: MoveSequence, language: str, optimal: bool) -> str:
    words = (_MINIMUM if optimal else _NUMBER)[language]
    return f"{words} = {len(moves)}\n"


def _boards(start: Board, moves: MoveSequence, digits: int, row_end: str = "") -> Iterator[str]:
    width, height = start.size
    side = str(width) if width == height else f"{width}x{height}:"

    def row_text(row: list[int]) -> str:
        return " ".join(str(tile).rjust(digits) for tile in row) + row_end

    for lines in frames(start, moves, row_text):
        yield "\n".join([side, *lines, ""])
