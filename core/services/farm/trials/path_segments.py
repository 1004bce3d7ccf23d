"""Chooses the path segment that is searched for shortcuts next."""

from __future__ import annotations

from collections.abc import Sequence

from tilework.core.model.farm.improvement import PendingTrial
from tilework.core.solver.trial import Effort

NODES_PER_SECOND = 4e6
"""Approximate speed of a core; determines the length of a segment and its budget."""

_NODES_PER_MOVE = 2.2
"""Nodes generated per move of the path and unit of width."""

MIN_WINDOWS = 4
"""Windows in a segment, unless the path is shorter."""


def segment_length(moves: int, effort: Effort, seconds: float, shares: int) -> int:
    """Return the length of the segment of one trial.

    It is an equal share of the path, or what a pass can search in ``seconds``.

    Parameters
    ----------
    moves : int
        Length of the whole path.
    effort : Effort
    seconds : float
        Time that a trial should take.
    shares : int
        Trials that run in parallel, including this one.
    """
    affordable = int(seconds * NODES_PER_SECOND / (_NODES_PER_MOVE * effort.width))
    length = max(MIN_WINDOWS * effort.length, affordable)
    return max(1, min(length, -(-moves // shares)))


def next_segment(
    moves: int, at: int, length: int, pending_trials: Sequence[PendingTrial]
) -> tuple[int, int] | None:
    """Return the first move and the length of a segment that no trial searches.

    Parameters
    ----------
    moves : int
        Length of the whole path; the search wraps around at its end.
    at : int
        Where to start looking.
    length : int
        Maximum length of the segment.
    pending_trials : sequence of PendingTrial
        Current trials; those without moves occupy no segment.

    Returns
    -------
    tuple of int, or None
        None if the whole path is occupied.
    """
    ranges = sorted((trial.first, trial.end) for trial in pending_trials if trial.count)
    for start in (at, 0):
        first = start
        for low, high in ranges:
            if first < low:
                break
            first = max(first, high)
        if first < moves:
            next_occupied = min((low for low, _ in ranges if low > first), default=moves)
            return first, min(length, next_occupied - first)
    return None
