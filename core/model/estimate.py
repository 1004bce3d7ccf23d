"""What a search has taken, and how much of it is left: a guess, and how far off it may be.

Two things indicate the size of a threshold's tree. The thresholds before it grew from one to the
next by a factor that changes little. And of the tree itself a share is covered already, though
shares are divided evenly among children whose subtrees are not alike: how uneven they are shows
in the thresholds before, whose trees are the tops of this one.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from tilework.core.model.solves import Iteration, SliceResult, Solve

# Smaller trees (nodes) say nothing about growth.
TELLING_NODES = 1_000

# Growth from a threshold to the next where nothing is known of it yet, and its spread (as ln).
USUAL_GROWTH = 8.0
USUAL_SPREAD = 0.7

# Least spread of growth (as ln), even where it was the same several times.
LEAST_GROWTH_SPREAD = 0.2

# The spread of a tree's size by its covered share alone, and by the thresholds before as well:
# of the beginning, falling to nothing at the end.
SHARE_SPREAD = 1.6
KNOWN_SPREAD = 0.6
SURE = 1e-3

# Thresholds with fewer marks do not show how uneven shares are.
TELLING_MARKS = 6

# Standard deviations to either side: nine times of ten the truth is within them.
SIDES = 1.65

# The threshold that holds the solution may show it early, with so much of the rest to go.
EARLY = 0.5

# An estimate with a larger factor of error is not shown.
MOST_FACTOR = 30.0

# Thresholds go up by two: every move changes the distance by one, and so its parity.
STEP = 2


@dataclass(frozen=True, slots=True)
class Remaining:
    """Nodes to go, expected within [nodes / factor, nodes × factor]."""

    nodes: float
    factor: float


def remaining_nodes(
    iterations: Sequence[Iteration], covered: float, upper_bound: int | None
) -> Remaining | None:
    """Estimate the rest of a search, up to the proof of the optimum.

    Parameters
    ----------
    iterations : sequence of Iteration
        The last few thresholds; the present one stands last.
    covered : float
        Share of the present threshold's tree that is searched, 0..1.
    upper_bound : int or None
        Length of the best solution: the search goes up to two under it at most.

    Returns
    -------
    Left or None
        None where nothing useful can be said: without a solution, at the very beginning, or where
        so many thresholds may follow that the factor would be over 30.
    """
    if upper_bound is None:
        return None
    rest = remaining_threshold_nodes(iterations, covered)
    if rest is None:
        return None
    *past, present = iterations
    low, high = EARLY * rest.nodes / rest.factor, rest.nodes * rest.factor
    growth, growth_spread = _growth(past)
    grown, wider = present.nodes + high, math.exp(SIDES * growth_spread / 2)
    for _ in range(present.threshold + STEP, upper_bound, STEP):
        grown *= growth * wider
        high += grown
    if high > MOST_FACTOR**2 * low:
        return None
    return Remaining(math.sqrt(low * high), math.sqrt(high / low))


def remaining_threshold_nodes(iterations: Sequence[Iteration], covered: float) -> Remaining | None:
    """Estimate the rest of the present threshold's tree, as if no solution were met in it.

    Parameters
    ----------
    iterations : sequence of Iteration
        The last few thresholds; the present one stands last.
    covered : float
        Share of the present threshold's tree that is searched, 0..1.

    Returns
    -------
    Left or None
        None at the very beginning, where nothing useful can be said.
    """
    if not iterations:
        return None
    *past, present = iterations
    total = _total(past, present, covered)
    if total is None:
        return None
    size, spread = total
    left = size - present.nodes
    # The nodes so far are certain: all of the error is in the rest.
    return Remaining(left, math.exp(SIDES * min(spread * size / left, SHARE_SPREAD)))


def _total(
    past: Sequence[Iteration], present: Iteration, covered: float
) -> tuple[float, float] | None:
    """Return the expected nodes of the present tree and their spread (as ln)."""
    guesses = []
    if past and past[-1].nodes >= TELLING_NODES:
        growth, spread = _growth(past)
        guesses.append((math.log(past[-1].nodes * growth), spread))
    if covered > 0 and present.nodes > 0:
        part, spread = _part_done(past, covered)
        guesses.append((math.log(present.nodes / part), spread))
    if not guesses:
        return None
    weights = [1 / spread**2 for _, spread in guesses]
    mean = sum(weight * log for weight, (log, _) in zip(weights, guesses, strict=True))
    size = math.exp(mean / sum(weights))
    apart = abs(guesses[0][0] - guesses[-1][0])
    # Estimates that contradict each other are worse than either of them claims.
    spread = max(sum(weights) ** -0.5, apart / 2)
    return max(size, present.nodes * 1.001), spread


def _growth(past: Sequence[Iteration]) -> tuple[float, float]:
    """Return the expected growth to the next threshold, and its spread (as ln)."""
    logs = [max(0.0, math.log(later.nodes / earlier.nodes)) for earlier, later in pairwise(past)]
    if not logs:
        return USUAL_GROWTH, USUAL_SPREAD
    spread = USUAL_SPREAD / 2
    if len(logs) > 1:
        spread = max(LEAST_GROWTH_SPREAD, max(logs) - min(logs))
    return math.exp(logs[-1]), min(spread, USUAL_SPREAD)


def _part_done(past: Sequence[Iteration], covered: float) -> tuple[float, float]:
    """Return which part of a tree's nodes goes with a covered share, and its spread (as ln)."""
    parts = [_read(one, covered) for one in past if len(one.marks) >= TELLING_MARKS]
    if not parts:
        return covered, max(SURE, SHARE_SPREAD * (1 - covered))
    spread = KNOWN_SPREAD
    if len(parts) > 1:
        spread = max(spread / 2, abs(math.log(parts[-1] / parts[-2])))
    return parts[-1], max(SURE, spread * (1 - parts[-1]))


def _read(iteration: Iteration, covered: float) -> float:
    """Return the part of an iteration's nodes by which it had covered a share of its tree."""
    shares = [0.0, *(share for _, share in iteration.marks), 1.0]
    nodes = [0, *(nodes for nodes, _ in iteration.marks), iteration.nodes]
    place = max(1, min(bisect_left(shares, covered), len(shares) - 1))
    width = shares[place] - shares[place - 1]
    within = (covered - shares[place - 1]) / width if width > 0 else 1.0
    found = nodes[place - 1] + min(max(within, 0.0), 1.0) * (nodes[place] - nodes[place - 1])
    return max(found / iteration.nodes, covered / 100)


# Time constant with which old slices decay in the rate.
FADING_S = 10.0

# Without a finished slice for this long, nobody is working on it.
STALE_S = 15.0

# Most marks of a threshold; beyond, every other one is dropped.
MOST_MARKS = 16

# Growth and unevenness are judged by the last few thresholds.
MOST_ITERATIONS = 4


def begin_threshold(solve: Solve, threshold: int, now: float) -> Solve:
    """Return a solve at the start of a threshold: nothing of it is covered."""
    return replace(
        solve,
        threshold=threshold,
        next_threshold=None,
        covered=0.0,
        iterations=(*solve.iterations[1 - MOST_ITERATIONS :], Iteration(threshold)),
        rate_at=solve.rate_at if is_fresh(solve.rate_at, now) else now,
    )


def add_slice(
    solve: Solve, threshold: int, found: SliceResult, covered: float, now: float
) -> Solve:
    """Return a solve after a slice of a threshold, by which so much of the tree is covered.

    Its nodes and seconds are added by ``Draft.take_bounds``.
    """
    return replace(
        add_effort(solve, found.nodes, found.seconds, now),
        covered=covered,
        engine=found.engine,
        iterations=_with(solve.iterations, threshold, found, covered),
    )


def add_effort(solve: Solve, nodes: int, seconds: float, now: float) -> Solve:
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


def node_rate(recent_nodes: float, recent_s: float, rate_at: float | None, now: float) -> float:
    """Return nodes a second over all workers; 0 where nobody is at work."""
    return recent_nodes / recent_s if recent_s > 0 and is_fresh(rate_at, now) else 0.0


def _with(
    iterations: tuple[Iteration, ...], threshold: int, found: SliceResult, covered: float
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
