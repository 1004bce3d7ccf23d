"""Beam search: what it keeps of each level, and when it ends with nothing."""

from __future__ import annotations

from collections import defaultdict

import pytest

from tests.unit.lab.boards import GOAL, depth_of, random_boards, walked_boards
from tests.unit.lab.running import run_of
from tilework.core.lab.trace import Outcome, TraceWindow
from tilework.core.search.limits import Limits, StopReason

WHOLE = TraceWindow(2000, 0)
FAR = (14, 15, 8, 12, 10, 11, 9, 13, 2, 6, 5, 1, 3, 7, 4, 0)


@pytest.mark.parametrize("width", [1, 3, 20])
def test_a_level_keeps_the_best_as_many_as_the_width(width):
    tiles = random_boards(1)[0]
    result = run_of(tiles, f"beam:manhattan:{width}", window=WHOLE)
    assert result.statistics.max_frontier <= width
    levels = defaultdict(lambda: defaultdict(list))
    for step in result.trace.steps:
        for child in step.children:
            levels[child.g][child.outcome].append(child)
    for level in levels.values():
        kept, cut = level[Outcome.NEW], level[Outcome.CUT]
        if any(child.state == GOAL for child in kept):
            continue
        assert len(kept) == width or not cut
        assert len(kept) <= width
        assert all(one.h <= other.h for one in kept for other in cut)


def test_no_board_is_in_two_beams():
    steps = run_of(random_boards(1)[0], "beam:manhattan:20", window=WHOLE).trace.steps
    states = [step.state for step in steps]
    assert len(states) == len(set(states))


def test_a_beam_of_one_runs_empty_where_every_way_on_is_known():
    result = run_of((6, 4, 7, 8, 5, 0, 3, 2, 1), "beam:manhattan:1")
    assert result.moves is None
    assert result.stopped_by is None
    assert str(result.message) == "Search space exhausted; goal not reached."
    assert result.statistics.frontier == 0


def test_a_beam_of_one_may_come_to_the_goal_by_a_long_way():
    tiles = (8, 6, 7, 2, 5, 4, 3, 0, 1)
    result = run_of(tiles, "beam:manhattan:1")
    assert len(result.moves) > depth_of(tiles)
    assert result.statistics.max_frontier == 1
    assert not result.optimal


def test_a_beam_that_holds_every_level_is_breadth_first():
    for tiles in walked_boards(32):
        assert len(run_of(tiles, "beam:manhattan:100000").moves) == depth_of(tiles)


def test_the_goal_is_taken_even_where_others_look_as_near():
    for tiles in walked_boards(32):
        result = run_of(tiles, "beam:zero:100000")
        assert len(result.moves) == depth_of(tiles)
    assert len(run_of((1, 2, 3, 4, 5, 6, 7, 0, 8), "beam:zero:1").moves) == 1


def test_limits_end_a_beam_amid_a_level():
    # Of the level on which 1,000 nodes are reached, all 100,000 places of the beam are free.
    limits = Limits(nodes=1_000)
    result = run_of(FAR, "beam:zero:100000", None, 4, limits, WHOLE)
    assert result.stopped_by is StopReason.NODES
    assert 1_000 <= result.statistics.generated < 1_004
    children = [child for step in result.trace.steps for child in step.children]
    assert len(children) == result.statistics.generated
    assert result.trace.steps[-1].number == result.statistics.expanded


def test_memory_counts_the_level_that_is_made():
    limits = Limits(memory_bytes=200_000)
    result = run_of(FAR, "beam:manhattan:100000", None, 4, limits)
    assert result.stopped_by is StopReason.MEMORY
    # It is looked at every 500 nodes, of some 300 bytes each.
    assert result.statistics.memory_bytes < 400_000


def test_cancelling_ends_a_beam_amid_a_level():
    asked = iter([False, False, False, True])
    limits = Limits(cancelled=lambda: next(asked))
    result = run_of(FAR, "beam:manhattan:100000", None, 4, limits)
    assert result.stopped_by is StopReason.CANCELLED
    assert result.statistics.generated < 1_600
