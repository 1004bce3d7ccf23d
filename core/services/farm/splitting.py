"""Splits the units of a search."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tilework.core.puzzle.board import Board
from tilework.core.solver.work_unit import WorkUnit

# A unit expected to take less time than this is not worth a claim and a commit (seconds).
MIN_UNIT_S = 0.1

# Minimum time of a unit per worker, which limits the commits per solve (seconds).
UNIT_S_PER_WORKER = 0.002


def split_work(
    split: Callable[[Board, bytes], tuple[WorkUnit, WorkUnit] | None],
    board: Board,
    units: Sequence[WorkUnit],
    count: int,
) -> tuple[WorkUnit, ...]:
    """Split the largest units until there are this many, or the largest cannot be split.

    The first unit remains the one to search next.
    """
    parts = list(units)
    while 0 < len(parts) < count:
        largest = max(range(len(parts)), key=lambda index: parts[index].share)
        halves = split(board, parts[largest].cursor)
        if halves is None:
            break
        parts[largest] = halves[0]
        parts.append(halves[1])
    return tuple(parts)


def max_parts(seconds: float, workers: int = 0) -> int:
    """Return the maximum number of units for work of this many seconds."""
    min_seconds = max(MIN_UNIT_S, UNIT_S_PER_WORKER * workers)
    return 1 + int(min(seconds / min_seconds, 1e6))
