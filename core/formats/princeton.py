"""A solution as the Princeton course writes it: the number of moves, then every board."""

from __future__ import annotations

from collections.abc import Iterator

from core.formats.frames import frames
from core.puzzle.board import Board
from core.puzzle.moves import MoveSequence

_MINIMUM = {"en": "Minimum number of moves", "pt": "Mínimo número de movimentos"}
_NUMBER = {"en": "Number of moves", "pt": "Número de movimentos"}
UNSOLVABLE = {"en": "No solution possible", "pt": "Puzzle irresolvível"}


def princeton(start: Board, moves: MoveSequence, language: str, optimal: bool) -> Iterator[str]:
    """Yield the heading, then one board at a time, each after an empty line.

    The heading says *minimum* only where that is proved.

    Raises
    ------
    ReplayError
        At the first move that no tile can make.
    """
    heading = (_MINIMUM if optimal else _NUMBER)[language]
    yield f"{heading} = {len(moves)}\n"
    side, *_ = str(start).split("\n", 1)
    digits = max(2, len(str(start.size.cells - 1)))

    def row_text(row: list[int]) -> str:
        return " ".join(str(tile).rjust(digits) for tile in row)

    for lines in frames(start, moves, row_text):
        yield "\n".join(["", side, *lines, ""])
