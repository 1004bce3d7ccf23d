"""A solution as the numbers of the tiles that slide, in order, as in ``1 2 5 6``."""

from __future__ import annotations

from collections.abc import Iterator

from tilework.core.puzzle.board import Board
from tilework.core.puzzle.moves import MoveSequence
from tilework.core.puzzle.replay import moved_tiles


def tiles(start: Board, moves: MoveSequence) -> Iterator[str]:
    """Yield the numbers in pieces, without a newline at the end.

    Raises
    ------
    ReplayError
        At the first move that no tile can make.
    """
    gap = ""
    for numbers in moved_tiles(start, moves):
        yield gap + " ".join(map(str, numbers))
        gap = " "
