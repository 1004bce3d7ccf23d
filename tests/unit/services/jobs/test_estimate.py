from __future__ import annotations

from statistics import median

import pytest

from tilework.core.services.farm.effort import at_threshold, with_slice
from tilework.core.services.farm.records import Found, Iteration, Solve
from tilework.core.services.jobs.estimate import MOST_FACTOR, nodes_left, threshold_nodes_left
from tilework.core.services.states import SolveState

EMPTY = Solve("id", "key", 25, 0, 999, SolveState.ACTIVE, None, None, 0.0, 0, 0, 0.0)

# A search of a random board of 5×5 in slices of two million nodes, with line conflicts: thresholds
# with nodes and covered share at some moments.
RECORDED = (
    (76, ((170_040, 1.0),)),
    (78, ((2_000_000, 0.921), (2_020_209, 1.0))),
    (
        80,
        (
            (2_000_000, 0.102), (4_000_000, 0.322), (6_000_000, 0.430), (8_000_000, 0.461),
            (10_000_000, 0.482), (12_000_000, 0.567), (14_000_000, 0.633),
            (16_000_000, 0.711), (18_000_000, 0.732), (20_000_000, 0.775),
            (22_000_000, 0.920), (22_281_861, 1.0),
        ),
    ),
    (
        82,
        (
            (18_000_000, 0.101), (36_000_000, 0.317), (54_000_000, 0.398),
            (72_000_000, 0.444), (90_000_000, 0.478), (108_000_000, 0.482),
            (126_000_000, 0.569), (144_000_000, 0.671), (162_000_000, 0.710),
            (180_000_000, 0.731), (198_000_000, 0.733), (216_000_000, 0.891),
            (227_073_101, 1.0),
        ),
    ),
)  # fmt: skip


def run(recorded):
    """Yield after each moment of a recorded search: the solve and the nodes truly left."""
    solve = EMPTY
    for threshold, moments in recorded:
        solve = at_threshold(solve, threshold, 0.0)
        before = 0
        for nodes, covered in moments:
            solve = with_slice(solve, threshold, Found(nodes - before), covered, 0.0)
            before = nodes
            yield solve, moments[-1][0] - nodes


def holds(left, truth):
    assert 1 <= left.factor <= MOST_FACTOR
    return left.nodes / left.factor <= truth <= left.nodes * left.factor


def test_the_truth_of_a_recorded_search_is_within_a_small_factor():
    told, factors = [], []
    for solve, truth in run(RECORDED):
        if not truth or solve.threshold < 80:
            continue
        assert holds(threshold_nodes_left(solve.iterations, solve.covered), truth)
        left = nodes_left(solve.iterations, solve.covered, solve.threshold + 2)
        if left is not None:
            told.append(holds(left, truth))
        if solve.threshold == 82:
            factors.append(left.factor)
    assert len(told) > 20
    assert all(told)
    assert median(factors) < 4


def grown(growth, covered, thresholds=4, first=10_000):
    """Iterations that grow evenly, whose shares are true; the last is covered so far."""
    iterations = []
    for place in range(thresholds):
        size = round(first * growth**place)
        marks = tuple((round(size * part / 10), part / 10) for part in range(1, 10))
        iterations.append(Iteration(60 + 2 * place, size, 1.0, marks))
    last = iterations[-1]
    return [
        *iterations[:-1],
        Iteration(last.threshold, round(last.nodes * covered), 1.0),
    ], last.nodes


def test_even_growth_is_foretold_with_thresholds_to_come():
    for covered in (0.01, 0.5, 0.99):
        iterations, size = grown(6.0, covered)
        threshold = iterations[-1].threshold
        near = nodes_left(iterations, covered, threshold + 2)
        assert holds(near, size * (1 - covered))
        assert near.factor < 6
        whole = threshold_nodes_left(iterations, covered)
        assert whole.nodes == pytest.approx(size * (1 - covered), rel=0.2)
        assert holds(whole, size * (1 - covered))
        assert near.nodes < whole.nodes  # the last threshold may end early
    iterations, size = grown(6.0, 0.5)
    far = nodes_left(iterations, 0.5, iterations[-1].threshold + 6)
    assert holds(far, size * (0.5 + 6 + 36))


def test_nothing_is_said_where_nothing_is_known():
    for known in ([], [Iteration(60)]):
        assert nodes_left(known, 0.0, 80) is None
        assert threshold_nodes_left(known, 0.0) is None
    iterations, _ = grown(6.0, 0.5)
    for end in (None, iterations[-1].threshold + 40):
        assert nodes_left(iterations, 0.5, end) is None
