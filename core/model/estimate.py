"""How much of a search is left: a guess, and how far off it may be.

Two things indicate the size of a threshold's tree. The thresholds before it grew from one to the
next by a factor that changes little. And of the tree itself a share is covered already, though
shares are divided evenly among children whose subtrees are not alike: how uneven they are shows
in the thresholds before, whose trees are the tops of this one.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from tilework.core.model.solves import Iteration

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
class Left:
    """Nodes to go, expected within [nodes / factor, nodes × factor]."""

    nodes: float
    factor: float


def nodes_left(
    iterations: Sequence[Iteration], covered: float, upper_bound: int | None
) -> Left | None:
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
    rest = threshold_nodes_left(iterations, covered)
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
    return Left(math.sqrt(low * high), math.sqrt(high / low))


def threshold_nodes_left(iterations: Sequence[Iteration], covered: float) -> Left | None:
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
    return Left(left, math.exp(SIDES * min(spread * size / left, SHARE_SPREAD)))


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
