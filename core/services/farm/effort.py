"""What a search costs as it goes on: its rate over all workers, and the nodes of each threshold.

Sums that are kept with the solve and brought up to date when a slice ends, so that reading them
costs nothing.
"""

from __future__ import annotations

import math
from dataclasses import replace

from tilework.core.services.farm.records import Found, Iteration, Solve

# Time constant with which old slices decay in the rate.
FADING_S = 10.0

# Without a finished slice for this long, nobody is working on it.
STALE_S = 15.0

# Most marks of a threshold; beyond, every other one is dropped.
MOST_MARKS = 16

# Growth and unevenness are judged by the last few thresholds.
MOST_ITERATIONS = 4


def at_threshold(solve: Solve, threshold: int, now: float) -> Solve:
    """Return a solve at the start of a threshold: nothing of it is covered."""
    return replace(
        solve,
        threshold=threshold,
        next_threshold=None,
        covered=0.0,
        iterations=(*solve.iterations[1 - MOST_ITERATIONS :], Iteration(threshold)),
        rate_at=solve.rate_at if is_fresh(solve.rate_at, now) else now,
    )


def with_slice(solve: Solve, threshold: int, found: Found, covered: float, now: float) -> Solve:
    """Return a solve after a slice of a threshold, by which so much of the tree is covered.

    Its nodes and seconds are added by ``Draft.take_bounds``.
    """
    return replace(
        with_effort(solve, found.nodes, found.seconds, now),
        covered=covered,
        engine=found.engine,
        iterations=_with(solve.iterations, threshold, found, covered),
    )


def with_effort(solve: Solve, nodes: int, seconds: float, now: float) -> Solve:
    """Return a solve whose rate takes note of nodes that took so many seconds until now."""
    passed = seconds
    if solve.rate_at is not None and is_fresh(solve.rate_at, now):
        passed = max(0.0, now - solve.rate_at)
    kept = math.exp(-passed / FADING_S)
    return replace(
        solve,
        wall_s=solve.wall_s + passed,
        recent_nodes=solve.recent_nodes * kept + nodes,
        recent_s=solve.recent_s * kept + passed,
        rate_at=now,
    )


def is_fresh(rate_at: float | None, now: float) -> bool:
    """Whether the sums are recent enough to mean that work still goes on."""
    return rate_at is not None and now - rate_at <= STALE_S


def rate(recent_nodes: float, recent_s: float, rate_at: float | None, now: float) -> float:
    """Return nodes a second over all workers; 0 where nobody is at work."""
    return recent_nodes / recent_s if recent_s > 0 and is_fresh(rate_at, now) else 0.0


def _with(
    iterations: tuple[Iteration, ...], threshold: int, found: Found, covered: float
) -> tuple[Iteration, ...]:
    if not iterations or iterations[-1].threshold != threshold:
        return iterations
    present = iterations[-1]
    nodes = present.nodes + found.nodes
    marks = present.marks
    if not marks or nodes - marks[-1][0] >= marks[-1][0] / len(marks):
        marks = (*marks, (nodes, covered))
    if len(marks) > MOST_MARKS:
        marks = marks[1::2]
    seconds = present.seconds + found.seconds
    return (*iterations[:-1], Iteration(threshold, nodes, seconds, marks))
