"""Cutting pieces of a search in parts."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from core.puzzle.board import Board
from core.solver.piece import Piece

# A piece is not worth a claim and a commit where less than this is expected of it (seconds).
LEAST_PIECE_S = 0.1


def cut(
    split: Callable[[Board, bytes], tuple[Piece, Piece] | None],
    board: Board,
    pieces: Sequence[Piece],
    count: int,
) -> tuple[Piece, ...]:
    """Cut pieces into so many, always the largest; fewer where a largest cannot be cut.

    The first of them stays where the search stands.
    """
    found = list(pieces)
    while 0 < len(found) < count:
        place = max(range(len(found)), key=lambda index: found[index].share)
        halves = split(board, found[place].cursor)
        if halves is None:
            break
        found[place] = halves[0]
        found.append(halves[1])
    return tuple(found)


def worth(seconds: float) -> int:
    """Return into how many pieces work of so many seconds may be cut."""
    return 1 + int(min(seconds / LEAST_PIECE_S, 1e6))
