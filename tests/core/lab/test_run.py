"""A run's result: its statistics hold together, and what cannot be run is refused."""

from __future__ import annotations

from collections import deque

import pytest

from core.errors import BoardError, UnsolvableError
from core.lab.branching import effective_branching
from core.lab.method import Method
from core.lab.names import ALGORITHMS, LabAlgorithm
from core.lab.run import run
from core.lab.trace import TraceWindow
from core.puzzle.board import Board
from core.search.limits import Limits, StopReason
from tests import naive
from tests.core.lab.running import run_of

TILES = (1, 2, 3, 0, 4, 6, 7, 5, 8)
WIDE, HIGH = (4, 1, 0, 3, 2, 5), (1, 4, 3, 0, 2, 5)


@pytest.mark.parametrize("name", list(LabAlgorithm))
@pytest.mark.parametrize(("tiles", "width"), [(TILES, 3), (WIDE, 3), (HIGH, 2)])
def test_statistics_hold_together(name, tiles, width):
    result = run_of(tiles, Method.of(name), width=width, limits=Limits(nodes=500_000))
    effort = result.statistics
    if result.moves is None:
        assert result.stopped_by is StopReason.DEPTH
        assert not ALGORITHMS[name].complete
        assert result.message
        assert effort.visited == effort.expanded
        assert effort.branching == effective_branching(effort.generated, effort.depth)
    else:
        assert result.stopped_by is result.message is None
        assert effort.visited == effort.expanded + 1
        assert effort.depth <= effort.expanded
        assert effort.depth >= len(result.moves) // 2 - 1
        assert effort.branching == effective_branching(effort.generated, len(result.moves))
    assert effort.generated >= effort.duplicates
    assert effort.generated >= effort.expanded - 1 or name is LabAlgorithm.ITERATIVE_DEEPENING
    assert 0 <= effort.frontier <= effort.max_frontier
    assert effort.memory_bytes > 0
    assert effort.seconds >= 0
    assert result.trace is None


def test_breadth_first_counts_what_a_hand_would():
    expanded = generated = duplicates = 0
    known = {TILES}
    queue = deque([TILES])
    goal = naive.solved(3, 3)
    while goal not in known:
        tiles = queue.popleft()
        expanded += 1
        # By the blank's way: up, down, left, right.
        for letter in "DURL":
            after = naive.moved(tiles, 3, letter)
            if after is None or goal in known:
                continue
            generated += 1
            duplicates += after in known
            if after not in known:
                known.add(after)
                queue.append(after)
    effort = run_of(TILES, "breadth-first").statistics
    assert (effort.expanded, effort.generated) == (expanded, generated)
    assert effort.duplicates == duplicates
    assert effort.frontier == len(queue) - 1


@pytest.mark.parametrize(
    ("tiles", "width"), [((1, 2, 3, 4, 5, 6, 8, 7, 0), 3), ((*range(1, 14), 15, 14, 0), 4)]
)
def test_a_board_that_cannot_be_solved_is_refused_before_any_search(tiles, width):
    for name in LabAlgorithm:
        with pytest.raises(UnsolvableError, match="cannot reach its goal") as refusal:
            run_of(tiles, Method.of(name), width=width)
        assert "Inversions" in str(refusal.value.explanation)
        assert "): 1. " in str(refusal.value.explanation)


def test_a_goal_of_another_size_is_refused():
    with pytest.raises(BoardError, match="a goal of 3×3 does not fit a board of 2×2"):
        run(Board((1, 2, 3, 0)), Board(naive.solved(3, 3)), Method.of("a-star"), Limits())
    with pytest.raises(BoardError, match="does not fit"):
        run(Board(range(6), 3), Board(range(6), 2), Method.of("breadth-first"), Limits())


def test_a_run_that_was_cancelled_is_not_done_again_for_its_trace():
    limits = Limits(cancelled=lambda: True)
    result = run_of(TILES, "breadth-first", limits=limits, window=TraceWindow())
    assert result.stopped_by is StopReason.CANCELLED
    assert result.trace is None


def test_optimal_is_said_by_promise_alone():
    assert run_of(TILES, "breadth-first").optimal
    assert not run_of(TILES, "greedy:manhattan").optimal
    assert not run_of(TILES, "backtracking").optimal
