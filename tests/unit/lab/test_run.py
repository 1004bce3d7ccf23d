"""A run's result: its statistics hold together, and what cannot be run is refused."""

from __future__ import annotations

from collections import deque

import pytest

from tests.support import naive
from tests.unit.lab.running import run_of
from tilework.core.errors import BoardError, UnsolvableError
from tilework.core.lab.branching import effective_branching
from tilework.core.lab.method import Method
from tilework.core.lab.names import ALGORITHMS, LabAlgorithm
from tilework.core.lab.run import run
from tilework.core.lab.trace import Outcome, TraceWindow
from tilework.core.puzzle.board import Board, Size
from tilework.core.puzzle.goals import blank_last
from tilework.core.search.limits import Limits, StopReason

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


UNSOLVABLE = Board([1, 2, 3, 4, 5, 6, 8, 7, 0], 3, 3)


@pytest.mark.parametrize("method", ["breadth-first", "depth-first", "a-star:manhattan"])
def test_a_board_without_a_solution_is_searched_to_exhaustion_where_that_is_asked(method):
    goal = blank_last(UNSOLVABLE.size)
    with pytest.raises(UnsolvableError):
        run(UNSOLVABLE, goal, Method.from_text(method), Limits())
    result = run(UNSOLVABLE, goal, Method.from_text(method), Limits(), exhaust=True)
    assert (result.moves, result.stopped_by, result.statistics.visited) == (None, None, 181_440)
    assert "All boards that can be reached were searched" in str(result.message)


def test_limits_end_a_search_for_what_is_not_there():
    goal = blank_last(UNSOLVABLE.size)
    method = Method.from_text("ida-star:manhattan")
    result = run(UNSOLVABLE, goal, method, Limits(nodes=1_000), exhaust=True)
    assert (result.moves, result.stopped_by) == (None, StopReason.NODES)


@pytest.mark.parametrize(
    ("method", "forbids"), [("a-star-parent:manhattan", True), ("a-star:manhattan", False)]
)
def test_the_neighbour_one_came_from_is_shown_as_forbidden(method, forbids):
    start, goal = Board([8, 1, 3, 4, 0, 2, 7, 6, 5], 3, 3), blank_last(Size(3, 3))
    result = run(start, goal, Method.from_text(method), Limits(), TraceWindow(20, 0))
    first, *later = result.trace.steps
    boards = {step.node: step.state for step in result.trace.steps}
    boards |= {one.node: one.state for step in result.trace.steps for one in step.children}
    assert all(one.outcome is not Outcome.FORBIDDEN for one in first.children)
    for step in later:
        forbidden = [one for one in step.children if one.outcome is Outcome.FORBIDDEN]
        assert len(forbidden) == forbids
        for one in forbidden:
            assert (one.node, one.state, one.h) == (None, boards[step.parent], None)
            assert one.state not in [other.state for other in step.children if other is not one]
