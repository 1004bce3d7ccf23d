"""Estimates of the remaining nodes of a search, with their margins of error.

Two facts indicate the size of a threshold's tree. First, the number of nodes grows from threshold
to threshold by a factor that changes little. Second, a share of the tree has already been searched.
Shares are divided evenly among children whose subtrees have different sizes; how different they are
is known from the previous thresholds, whose trees are the upper parts of the current one.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from tilework.core.model.farm.solves import Iteration, SliceResult, Solve

# Trees with fewer nodes do not indicate the growth.
MIN_NODES = 1_000

# The default growth from one threshold to the next, and its spread (as a logarithm).
USUAL_GROWTH = 8.0
USUAL_SPREAD = 0.7

# The smallest spread of the growth (as a logarithm).
MIN_GROWTH_SPREAD = 0.2

# The initial spread of the size of a tree: estimated by its share alone, and with the previous
# thresholds. It decreases to MIN_SPREAD as the share increases.
SHARE_SPREAD = 1.6
KNOWN_SPREAD = 0.6
MIN_SPREAD = 1e-3

# Thresholds with fewer marks do not show how different shares are.
MIN_MARKS = 6

# Standard deviations on either side, which contain the true value in nine of ten cases.
DEVIATIONS = 1.65

# The last threshold can end early: this part of its remainder is the lower estimate.
EARLY = 0.5

# Estimates with a larger margin of error are not shown.
MAX_FACTOR = 30.0

# Thresholds increase by two, because every move changes the parity of the distance.
STEP = 2


@dataclass(frozen=True, slots=True)
class Remaining:
    """Remaining nodes, expected between nodes / factor and nodes × factor."""

    nodes: float
    factor: float


def remaining_nodes(
    iterations: Sequence[Iteration], covered: float, upper_bound: int | None
) -> Remaining | None:
    """Estimate the remaining nodes until the optimum is proved.

    Parameters
    ----------
    iterations : sequence of Iteration
        The last few thresholds, ending with the current one.
    covered : float
        The share of the current threshold's tree that has been searched, 0..1.
    upper_bound : int or None
        The length of the best solution. The search ends two below it at the latest.

    Returns
    -------
    Remaining or None
        None without a solution, at the beginning, or if the margin of error is too large.
    """
    if upper_bound is None:
        return None
    current = remaining_threshold_nodes(iterations, covered)
    if current is None:
        return None
    *past, present = iterations
    low, high = EARLY * current.nodes / current.factor, current.nodes * current.factor
    growth, growth_spread = _growth(past)
    tree, margin = present.nodes + high, math.exp(DEVIATIONS * growth_spread / 2)
    for _ in range(present.threshold + STEP, upper_bound, STEP):
        tree *= growth * margin
        high += tree
    if high > MAX_FACTOR**2 * low:
        return None
    return Remaining(math.sqrt(low * high), math.sqrt(high / low))


def remaining_threshold_nodes(iterations: Sequence[Iteration], covered: float) -> Remaining | None:
    """Estimate the remaining nodes of the current threshold, if it contains no solution.

    The parameters are those of `remaining_nodes`. Return None at the beginning.
    """
    if not iterations:
        return None
    *past, present = iterations
    total = _tree_size(past, present, covered)
    if total is None:
        return None
    size, spread = total
    remaining = size - present.nodes
    # The nodes searched so far are known exactly: all of the error is in the remainder.
    return Remaining(remaining, math.exp(DEVIATIONS * min(spread * size / remaining, SHARE_SPREAD)))


def _tree_size(
    past: Sequence[Iteration], present: Iteration, covered: float
) -> tuple[float, float] | None:
    """Return the expected nodes of the current tree and their spread (as a logarithm)."""
    estimates = []
    if past and past[-1].nodes >= MIN_NODES:
        growth, spread = _growth(past)
        estimates.append((math.log(past[-1].nodes * growth), spread))
    if covered > 0 and present.nodes > 0:
        part, spread = _part_of_nodes(past, covered)
        estimates.append((math.log(present.nodes / part), spread))
    if not estimates:
        return None
    weights = [1 / spread**2 for _, spread in estimates]
    mean = sum(weight * log for weight, (log, _) in zip(weights, estimates, strict=True))
    size = math.exp(mean / sum(weights))
    difference = abs(estimates[0][0] - estimates[-1][0])
    # If the estimates contradict each other, the spread is larger than that of either.
    spread = max(sum(weights) ** -0.5, difference / 2)
    return max(size, present.nodes * 1.001), spread


def _growth(past: Sequence[Iteration]) -> tuple[float, float]:
    """Return the expected growth to the next threshold, and its spread (as a logarithm)."""
    logs = [max(0.0, math.log(later.nodes / earlier.nodes)) for earlier, later in pairwise(past)]
    if not logs:
        return USUAL_GROWTH, USUAL_SPREAD
    spread = USUAL_SPREAD / 2
    if len(logs) > 1:
        spread = max(MIN_GROWTH_SPREAD, max(logs) - min(logs))
    return math.exp(logs[-1]), min(spread, USUAL_SPREAD)


def _part_of_nodes(past: Sequence[Iteration], covered: float) -> tuple[float, float]:
    """Return the part of a tree's nodes in a searched share, and its spread (as a logarithm)."""
    parts = [
        _part_at(iteration, covered) for iteration in past if len(iteration.marks) >= MIN_MARKS
    ]
    if not parts:
        return covered, max(MIN_SPREAD, SHARE_SPREAD * (1 - covered))
    spread = KNOWN_SPREAD
    if len(parts) > 1:
        spread = max(spread / 2, abs(math.log(parts[-1] / parts[-2])))
    return parts[-1], max(MIN_SPREAD, spread * (1 - parts[-1]))


def _part_at(iteration: Iteration, covered: float) -> float:
    """Return the part of an iteration's nodes that it needed for a share of its tree."""
    shares = [0.0, *(share for _, share in iteration.marks), 1.0]
    nodes = [0, *(nodes for nodes, _ in iteration.marks), iteration.nodes]
    index = max(1, min(bisect_left(shares, covered), len(shares) - 1))
    width = shares[index] - shares[index - 1]
    within = (covered - shares[index - 1]) / width if width > 0 else 1.0
    nodes_needed = nodes[index - 1] + min(max(within, 0.0), 1.0) * (nodes[index] - nodes[index - 1])
    return max(nodes_needed / iteration.nodes, covered / 100)


# The time constant with which old slices decay in the rate.
FADING_S = 10.0

# If no slice has ended for this long, no worker is searching.
STALE_S = 15.0

# The maximum number of marks of a threshold. Beyond that, every other one is dropped.
MAX_MARKS = 16

# The number of thresholds that are stored.
MAX_ITERATIONS = 4


def begin_threshold(solve: Solve, threshold: int) -> Solve:
    """Return a solve at the start of a threshold."""
    # A threshold that is searched again replaces its record, and those of higher ones.
    lower = [record for record in solve.iterations if record.threshold < threshold]
    return replace(
        solve,
        threshold=threshold,
        next_threshold=None,
        covered=0.0,
        iterations=(*lower[1 - MAX_ITERATIONS :], Iteration(threshold)),
    )


def add_slice(solve: Solve, threshold: int, result: SliceResult, covered: float) -> Solve:
    """Return a solve after a slice of a threshold, with the share of the tree covered since then.

    Its nodes and seconds are added by `DecisionBuilder.count` and `add_effort`.
    """
    return replace(
        solve,
        covered=covered,
        engine=result.engine,
        iterations=_with_slice(solve.iterations, threshold, result, covered),
    )


def add_effort(solve: Solve, nodes: int, since: float, now: float) -> Solve:
    """Return a solve with more nodes in its rate; workers have searched it `since` then."""
    elapsed = _elapsed(solve, since, now)
    decay = math.exp(-elapsed / FADING_S)
    return replace(
        solve,
        wall_s=solve.wall_s + elapsed,
        recent_nodes=solve.recent_nodes * decay + nodes,
        recent_s=solve.recent_s * decay + elapsed,
        rate_at=now,
    )


def add_interval(solve: Solve, since: float, until: float) -> Solve:
    """Return a solve on which workers worked in this interval; its node rate stays the same."""
    wall_s = solve.wall_s + _elapsed(solve, since, until)
    return replace(solve, wall_s=wall_s, rate_at=max(until, solve.rate_at or until))


def _elapsed(solve: Solve, since: float, until: float) -> float:
    """Return the part of an interval that earlier events have not counted."""
    return max(0.0, until - max(since, solve.rate_at or since))


def is_fresh(rate_at: float | None, now: float) -> bool:
    """Whether the rate is recent enough to mean that work continues."""
    return rate_at is not None and now - rate_at <= STALE_S


def node_rate(recent_nodes: float, recent_s: float, rate_at: float | None, now: float) -> float:
    """Return the nodes per second of all workers; 0 if none is searching."""
    return recent_nodes / recent_s if recent_s > 0 and is_fresh(rate_at, now) else 0.0


def _with_slice(
    iterations: tuple[Iteration, ...], threshold: int, result: SliceResult, covered: float
) -> tuple[Iteration, ...]:
    if not iterations or iterations[-1].threshold != threshold:
        return iterations
    present = iterations[-1]
    nodes = present.nodes + result.nodes
    marks = present.marks
    if not marks or nodes - marks[-1][0] >= marks[-1][0] / len(marks):
        marks = (*marks, (nodes, covered))
    if len(marks) > MAX_MARKS:
        marks = marks[1::2]
    seconds = present.seconds + result.seconds
    return (*iterations[:-1], Iteration(threshold, nodes, seconds, marks))
