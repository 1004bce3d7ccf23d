"""Splitting the pieces of a search."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tilework.core.puzzle.board import Board
from tilework.core.solver.work_unit import WorkUnit

# A piece expected to take less than this is not worth a claim and a commit (seconds).
LEAST_PIECE_S = 0.1

# Nor one of less than this for each worker: all of one solve's commits have to fit one after the
# other.
PIECE_S_A_WORKER = 0.002


def split_work(
    split: Callable[[Board, bytes], tuple[WorkUnit, WorkUnit] | None],
    board: Board,
    pieces: Sequence[WorkUnit],
    count: int,
) -> tuple[WorkUnit, ...]:
    """Split the largest pieces until there are this many; fewer if the largest cannot be split.

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
    """Return into how many pieces work of this many seconds may be split, by the workers seen."""
    least = max(LEAST_PIECE_S, PIECE_S_A_WORKER * workers)
    return 1 + int(min(seconds / least, 1e6))
