from __future__ import annotations

import math
from statistics import median

import pytest

from tilework.core.services.farm.effort import at_threshold, with_slice
from tilework.core.services.farm.records import Found, Iteration, Solve
from tilework.core.services.jobs.estimate import MOST_FACTOR, nodes_left, threshold_nodes_left
from tilework.core.services.states import SolveState

EMPTY = Solve("id", "key", 25, 0, 999, SolveState.ACTIVE, None, None, 0.0, 0, 0, 0.0)

# Searches of random boards in slices of a million nodes and two, 5×4 and 5×5, with line conflicts:
# thresholds with nodes and covered share at some moments.
RECORDED = (
    (
        (66, ((397_473, 1.0),)),
        (68, ((1_000_000, 0.797), (2_000_000, 0.862), (3_000_000, 0.939), (3_986_100, 1.0))),
        (
            70,
            (
                (3_000_000, 0.737), (6_000_000, 0.757), (9_000_000, 0.796), (12_000_000, 0.831),
                (15_000_000, 0.857), (18_000_000, 0.862), (21_000_000, 0.864),
                (24_000_000, 0.879), (27_000_000, 0.939), (30_000_000, 0.945),
                (33_000_000, 0.982), (36_386_225, 1.0),
            ),
        ),
        (
            72,
            (
                (23_000_000, 0.729), (46_000_000, 0.750), (69_000_000, 0.785),
                (92_000_000, 0.803), (115_000_000, 0.853), (138_000_000, 0.858),
                (161_000_000, 0.862), (184_000_000, 0.870), (207_000_000, 0.879),
                (230_000_000, 0.939), (253_000_000, 0.945), (276_000_000, 0.980),
                (299_000_000, 0.993), (311_370_840, 1.0),
            ),
        ),
    ),
    (
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


@pytest.mark.parametrize("recorded", RECORDED)
def test_the_truth_of_recorded_searches_is_within_the_factor(recorded):
    told = []
    for solve, truth in run(recorded):
        left = nodes_left(solve.iterations, solve.covered, solve.threshold + 2)
        if truth and left is not None and solve.threshold >= recorded[2][0]:
            told.append(left.nodes / left.factor <= truth <= left.nodes * left.factor)
    assert len(told) > 20
    assert all(told)


@pytest.mark.parametrize("recorded", RECORDED)
def test_the_factor_is_small_where_thresholds_before_show_how_shares_go(recorded):
    factors = [
        nodes_left(solve.iterations, solve.covered, solve.threshold + 2).factor
        for solve, truth in run(recorded)
        if solve.threshold == recorded[3][0] and truth
    ]
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


@pytest.mark.parametrize("covered", [0.01, 0.2, 0.5, 0.9, 0.99])
@pytest.mark.parametrize("growth", [2.0, 6.0, 10.0])
def test_even_growth_is_foretold(growth, covered):
    iterations, size = grown(growth, covered)
    left = nodes_left(iterations, covered, iterations[-1].threshold + 2)
    truth = size * (1 - covered)
    assert left.nodes / left.factor <= truth <= left.nodes * left.factor
    assert left.factor < 6


def test_thresholds_to_come_are_counted():
    iterations, size = grown(6.0, 0.5)
    left = nodes_left(iterations, 0.5, iterations[-1].threshold + 6)
    truth = size * (0.5 + 6 + 36)
    assert left.nodes / left.factor <= truth <= left.nodes * left.factor
    near = nodes_left(iterations, 0.5, iterations[-1].threshold + 2)
    assert left.nodes > near.nodes
    assert left.factor > near.factor


@pytest.mark.parametrize("recorded", RECORDED)
def test_the_end_of_each_recorded_threshold_is_within_the_factor(recorded):
    told = []
    for solve, truth in run(recorded):
        left = threshold_nodes_left(solve.iterations, solve.covered)
        if truth and solve.threshold >= recorded[2][0]:
            told.append(left.nodes / left.factor <= truth <= left.nodes * left.factor)
            assert left.factor <= MOST_FACTOR
    assert len(told) > 20
    assert all(told)


@pytest.mark.parametrize("covered", [0.01, 0.2, 0.5, 0.9, 0.99])
def test_the_present_threshold_is_foretold_to_its_end_whatever_follows(covered):
    iterations, size = grown(6.0, covered)
    left = threshold_nodes_left(iterations, covered)
    truth = size * (1 - covered)
    assert left.nodes == pytest.approx(truth, rel=0.2)
    assert left.nodes / left.factor <= truth <= left.nodes * left.factor
    assert nodes_left(iterations, covered, iterations[-1].threshold + 40) is None


def test_the_last_threshold_may_end_early():
    iterations, _ = grown(6.0, 0.5)
    whole = nodes_left(iterations, 0.5, iterations[-1].threshold + 2)
    left = threshold_nodes_left(iterations, 0.5)
    assert whole.nodes < left.nodes
    assert whole.nodes * whole.factor == pytest.approx(left.nodes * left.factor)


def test_a_search_on_its_way_becomes_surer():
    factors = []
    for covered in (0.1, 0.5, 0.9):
        iterations, _ = grown(6.0, covered, thresholds=1, first=10_000_000)
        found = nodes_left(iterations, covered, iterations[-1].threshold + 2)
        factors.append(math.inf if found is None else found.factor)
    assert factors == sorted(factors, reverse=True)
    assert factors[-1] < MOST_FACTOR


def test_nothing_is_said_where_nothing_is_known():
    iterations, _ = grown(6.0, 0.5)
    assert nodes_left([], 0.0, 80) is None
    assert nodes_left([Iteration(60)], 0.0, 80) is None
    assert threshold_nodes_left([], 0.0) is None
    assert threshold_nodes_left([Iteration(60)], 0.0) is None
    assert nodes_left(iterations, 0.5, None) is None
    assert nodes_left(iterations, 0.5, iterations[-1].threshold + 40) is None


def test_no_factor_is_over_the_most():
    for covered in (0.001, 0.01, 0.1, 0.5):
        for more in (2, 4, 6, 8, 10):
            iterations, _ = grown(6.0, covered)
            left = nodes_left(iterations, covered, iterations[-1].threshold + more)
            assert left is None or 1 <= left.factor <= MOST_FACTOR
