"""IDA*: its thresholds, and the paths it takes."""

from __future__ import annotations

from itertools import pairwise

import pytest

from tests.support import naive
from tests.unit.lab.boards import GOAL, depth_of, random_boards, walked_boards
from tests.unit.lab.running import run_of
from tilework.core.lab.trace import Outcome, TraceWindow

WHOLE = TraceWindow(2000, 0)
TILES = (1, 2, 3, 4, 5, 0, 6, 7, 8)


def searches(steps):
    """The steps by threshold: each search begins at the start again."""
    found = []
    for step in steps:
        if step.parent is None:
            found.append([])
        found[-1].append(step)
    return found


def f(node):
    return node.g + node.h


@pytest.mark.parametrize("heuristic", ["manhattan", "mean", "hamming", "hamming-blank", "zero"])
def test_the_next_threshold_is_the_least_f_that_was_over(heuristic):
    steps = run_of(TILES, f"ida-star:{heuristic}", window=WHOLE).trace.steps
    threshold = steps[0].h
    for search in searches(steps)[:-1]:
        assert all(f(step) <= threshold for step in search)
        children = [child for step in search for child in step.children]
        cut = [f(child) for child in children if child.outcome is Outcome.CUT]
        assert all(f(child) <= threshold for child in children if child.outcome is Outcome.NEW)
        assert min(cut) > threshold
        threshold = min(cut)


def test_a_mean_makes_thresholds_of_halves_and_no_longer_a_solution():
    thresholds = set()
    for tiles in walked_boards(48):
        result = run_of(tiles, "ida-star:mean", window=WHOLE)
        assert len(result.moves) == depth_of(tiles)
        found = searches(result.trace.steps)
        thresholds |= {max(map(f, search)) for search in found if len(search) > 1}
        assert len(found) <= 2 * depth_of(tiles) + 1
    assert any(threshold % 1 == 0.5 for threshold in thresholds)


def test_manhattan_makes_thresholds_two_apart():
    steps = run_of(random_boards(1)[0], "ida-star:manhattan", window=WHOLE).trace.steps
    thresholds = [max(map(f, search)) for search in searches(steps)[:-1]]
    assert thresholds == sorted(thresholds)
    assert all((after - before) % 2 == 0 for before, after in pairwise(thresholds))


def test_no_move_is_undone_by_the_next():
    steps = run_of(TILES, "ida-star:zero", window=WHOLE).trace.steps
    before = {step.node: step.state for step in steps}
    undone = [
        child
        for step in steps
        if step.parent is not None
        for child in step.children
        if child.state == before[step.parent] and child.outcome is not Outcome.FORBIDDEN
    ]
    assert undone == []


def test_the_first_threshold_may_be_the_last():
    tiles = naive.played(GOAL, 3, "RRDLDR")
    result = run_of(tiles, "ida-star:manhattan")
    assert len(result.moves) == depth_of(tiles)
    assert result.statistics.max_frontier <= 3 * depth_of(tiles)
