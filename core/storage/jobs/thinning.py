"""Thinning of long histories to the moments that a plot shows."""

from __future__ import annotations

import math
from collections.abc import Sequence
from heapq import heapify, heappop, heappush

# Early improvements that are closer than this may share a place (seconds).
_FINEST_S = 0.1


def thin_evenly(times: Sequence[float], most: int) -> list[int]:
    """Return the places of at most this many moments, including the first and the last.

    Repeatedly removes the moment with the smallest gap, measured by the mean of time and its
    logarithm: improvements come fast at first, and late ones fill most of a plot. Thinning again
    after later moments were added gives nearly the same as thinning everything together.

    Parameters
    ----------
    times : sequence of float
        Ascending.
    most : int
        2 or more.
    """
    if len(times) <= most:
        return list(range(len(times)))
    scaled = _scaled(times)
    before = list(range(-1, len(times) - 1))
    after = list(range(1, len(times) + 1))

    def gap_without(place: int) -> float:
        return scaled[after[place]] - scaled[before[place]]

    gaps = [(gap_without(place), place) for place in range(1, len(times) - 1)]
    heapify(gaps)
    kept = set(range(len(times)))
    while len(kept) > most:
        gap, place = heappop(gaps)
        if gap < gap_without(place):  # a neighbour was removed meanwhile
            heappush(gaps, (gap_without(place), place))
            continue
        kept.discard(place)
        after[before[place]] = after[place]
        before[after[place]] = before[place]
    return sorted(kept)


def _scaled(times: Sequence[float]) -> list[float]:
    """Return the positions of the moments, from 0 to 1."""
    first, span = times[0], max(times[-1] - times[0], _FINEST_S)
    longest = math.log1p(span / _FINEST_S)
    passed = [max(0.0, time - first) for time in times]
    return [(math.log1p(one / _FINEST_S) / longest + one / span) / 2 for one in passed]
