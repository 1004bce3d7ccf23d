"""Which stretch of the best path the next windows are searched in."""

from __future__ import annotations

from collections.abc import Sequence

from tilework.core.model.improvement import UnderWay
from tilework.core.solver.trial import Effort

NODES_A_SECOND = 4e6
"""Of a core, roughly: it says how long a stretch is, and how far its budget goes."""

_NODES_A_MOVE = 2.2
"""Of windows, for each board of the width."""

LEAST_WINDOWS = 4
"""In a stretch, unless the path is shorter."""


def segment_length(moves: int, effort: Effort, seconds: float, shares: int) -> int:
    """Return how many moves one try is for: an equal share, or what a pass takes so long for.

    Parameters
    ----------
    moves : int
        Of the whole path.
    effort : Effort
    seconds : float
        What a try should take.
    shares : int
        How many are under way at the same time, this one included.
    """
    fitting = int(seconds * NODES_A_SECOND / (_NODES_A_MOVE * effort.width))
    length = max(LEAST_WINDOWS * effort.length, fitting)
    return max(1, min(length, -(-moves // shares)))


def next_segment(
    moves: int, at: int, length: int, under_way: Sequence[UnderWay]
) -> tuple[int, int] | None:
    """Return the first move and the number of moves of a stretch that nobody is at.

    Parameters
    ----------
    moves : int
        Of the whole path; the search goes round its end.
    at : int
        Where to begin to look.
    length : int
        Moves at most.
    under_way : sequence of UnderWay
        Stretches that are taken; those without moves are no stretches.

    Returns
    -------
    tuple of int, or None
        None where all of the path is taken.
    """
    taken = sorted((one.first, one.end) for one in under_way if one.count)
    for begin in (at, 0):
        first = begin
        for low, high in taken:
            if first < low:
                break
            first = max(first, high)
        if first < moves:
            behind = min((low for low, _ in taken if low > first), default=moves)
            return first, min(length, behind - first)
    return None
