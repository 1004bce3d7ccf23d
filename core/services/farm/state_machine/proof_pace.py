"""Estimates of how fast a search by thresholds closes the gap."""

from __future__ import annotations

from tilework.core.model.farm.solves import Iteration, Solve

# Each threshold takes at least this many times as long as the previous one.
MIN_GROWTH = 2.0

# Typical growth in nodes from one threshold to the next on boards of 24 tiles, and its upper limit.
TYPICAL_GROWTH, MAX_GROWTH = 7.0, 10.0

_STEP = 2
"""Moves by which a threshold raises the lower bound."""

_MIN_S = 1.0


def min_threshold_s(solve: Solve) -> float:
    """Return the minimum worker seconds that the current threshold will take."""
    return MIN_GROWTH * solve.iterations[-2].seconds if len(solve.iterations) > 1 else 0.0


def _likely_threshold_s(solve: Solve) -> float:
    """Return the expected worker seconds of the current threshold."""
    return TYPICAL_GROWTH / MIN_GROWTH * min_threshold_s(solve)


def likely_nodes(solve: Solve) -> int:
    """Return the expected number of nodes of the current threshold."""
    *_, before, last, _ = (Iteration(0), Iteration(0), Iteration(0), *solve.iterations)
    growth = last.nodes / before.nodes if before.nodes else TYPICAL_GROWTH
    return int(min(max(growth, MIN_GROWTH), MAX_GROWTH) * last.nodes)


def proof_rate(solve: Solve) -> float | None:
    """Return how many moves per second thresholds add to the lower bound; None without a search."""
    if solve.threshold is None:
        return None
    current_s = solve.iterations[-1].seconds if solve.iterations else 0.0
    return _STEP / max(_MIN_S, min_threshold_s(solve), current_s)


def is_within_reach(solve: Solve, seconds: float) -> bool:
    """Whether the search is likely to close the gap within this many worker seconds.

    Assumes the usual growth per threshold. False until one threshold is finished.
    """
    if len(solve.iterations) < 2 or solve.upper_bound is None:
        return False
    current = solve.iterations[-1]
    threshold_s = max(current.seconds, _likely_threshold_s(solve))
    for _ in range(current.threshold + _STEP, solve.upper_bound, _STEP):
        if threshold_s > seconds:
            break
        threshold_s *= TYPICAL_GROWTH
    return threshold_s <= seconds
