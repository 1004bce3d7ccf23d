"""A solution as a diagram: every board, and an arrow to the next."""

from __future__ import annotations

from collections.abc import Iterator

from tilework.core.formats.frames import frames
from tilework.core.puzzle.board import Board
from tilework.core.puzzle.moves import MoveSequence


def arrows(start: Board, moves: MoveSequence) -> Iterator[str]:
    """Yield one board at a time; a ``v`` stands between two, under the middle.

    Raises
    ------
    ReplayError
        At the first move that no tile can make.
    """
    digits = len(str(start.size.cells - 1))

    def row_text(row: list[int]) -> str:
        return "|" + " ".join(str(tile).rjust(digits) for tile in row) + "|"

    width = start.width * (digits + 1) + 1
    arrow = "v".rjust(width // 2 + 1) + "\n"
    gap = ""
    for lines in frames(start, moves, row_text):
        yield gap + "\n".join(lines) + "\n"
        gap = arrow
