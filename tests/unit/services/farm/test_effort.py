from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest

from tilework.core.services.farm.effort import MOST_MARKS, STALE_S, at_threshold, rate, with_slice
from tilework.core.services.farm.life.proof_pace import is_in_reach
from tilework.core.services.farm.records import Found, Iteration, Solve
from tilework.core.services.states import SolveState

SOLVE = Solve("id", "key", 25, 80, 100, SolveState.ACTIVE, None, None, 0.0, 0, 0, 0.0)


def rate_of(solve, now):
    return rate(solve.recent_nodes, solve.recent_s, solve.rate_at, now)


def after(solve, *slices):
    """Slices of 80 moves: each (time of its end, nodes, seconds, covered share)."""
    for end, nodes, seconds, covered in slices:
        solve = with_slice(solve, 80, Found(nodes, 82, "5x5 lines", seconds), covered, end)
    return solve


def test_the_rates_of_workers_add_up_and_a_change_is_followed():
    alone = [(100.0 + n, 500, 1.0, 0.0) for n in range(1, 41)]
    solve = after(at_threshold(SOLVE, 80, 100.0), *alone)
    assert rate_of(solve, 140.5) == pytest.approx(500)
    assert solve.wall_s == pytest.approx(40)
    both = sorted([*alone, *((end + 0.5, *rest) for end, *rest in alone)])
    solve = after(at_threshold(SOLVE, 80, 100.0), *both)
    assert rate_of(solve, 141.0) == pytest.approx(1_000, rel=0.02)
    assert solve.wall_s == pytest.approx(40.5)
    solve = after(solve, *((140.5 + n, 100, 1.0, 0.0) for n in range(1, 31)))
    assert 100 < rate_of(solve, 171.0) < 150


def test_a_pause_is_not_counted_as_work():
    solve = after(at_threshold(SOLVE, 80, 100.0), (101.0, 500, 1.0, 0.0))
    assert rate_of(solve, 101.0 + STALE_S + 1) == 0.0
    solve = after(solve, (9_000.0, 500, 1.0, 0.0))
    assert rate_of(solve, 9_000.0) == pytest.approx(500)
    assert solve.wall_s == pytest.approx(2)


def test_nodes_and_shares_are_noted_on_the_way():
    solve = after(at_threshold(SOLVE, 80, 0.0), (1, 10, 1, 0.1), (2, 10, 1, 0.4), (3, 10, 1, 1.0))
    assert solve.iterations == (Iteration(80, 30, 3, ((10, 0.1), (20, 0.4), (30, 1.0))),)
    assert solve.covered == 1.0
    # A slice of another threshold counts for the rate alone.
    solve = after(at_threshold(SOLVE, 82, 0.0), (1, 10, 1, 0.0))
    assert (solve.iterations, solve.recent_nodes) == ((Iteration(82),), 10)


def test_marks_stay_few_and_spread_and_old_thresholds_are_let_go():
    solve = after(at_threshold(SOLVE, 80, 0.0), *((n, 10, 1, n / 1000) for n in range(1, 1001)))
    marks = [nodes for nodes, _ in solve.iterations[0].marks]
    assert 6 <= len(marks) <= MOST_MARKS
    gaps = [later - earlier for earlier, later in pairwise([0, *marks, 10_000])]
    assert max(gaps) <= 2_500
    for threshold in range(82, 100, 2):
        solve = at_threshold(solve, threshold, 0.0)
    assert [one.threshold for one in solve.iterations] == [92, 94, 96, 98]
    assert solve.covered == 0.0


def test_how_long_a_proof_takes_is_told_from_its_thresholds():
    for seconds, upper, reached in (
        # The threshold of 60 itself; then those of 62 and 64, seven times as long each.
        (0.0, 62, 7.0),
        (0.0, 66, 343.0),
        (30.0, 64, 210.0),
    ):
        iterations = (Iteration(58, 10, 1.0), Iteration(60, 10, seconds))
        told = replace(SOLVE, iterations=iterations, upper_bound=upper)
        assert is_in_reach(told, reached)
        assert not is_in_reach(told, reached - 0.1)
        assert not is_in_reach(replace(told, iterations=iterations[1:]), 1e9)
