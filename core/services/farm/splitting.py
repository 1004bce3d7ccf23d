"""Splits the units of a search."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tilework.core.puzzle.board import Board
from tilework.core.solver.work_unit import WorkUnit

# A unit expected to take less time than this is not worth a claim and a commit (seconds).
MIN_PIECE_S = 0.1

# Minimum time of a unit per worker, which limits the commits per solve (seconds).
PIECE_S_PER_WORKER = 0.002


def split_work(
    split: Callable[[Board, bytes], tuple[WorkUnit, WorkUnit] | None],
    board: Board,
    pieces: Sequence[WorkUnit],
    count: int,
) -> tuple[WorkUnit, ...]:
    """Split the largest units until there are this many, or the largest cannot be split.

    The first one keeps what is to be searched next.
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


def max_parts(seconds: float, workers: int = 0) -> int:
    """Return into how many units work of this many seconds may be split."""
    least = max(MIN_PIECE_S, PIECE_S_PER_WORKER * workers)
    return 1 + int(min(seconds / least, 1e6))
