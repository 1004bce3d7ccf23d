"""Traces: which steps a window keeps, and what a step tells, of every kind of search."""

from __future__ import annotations

from itertools import pairwise

import pytest

from tests.support import naive
from tests.unit.lab.running import run_of
from tilework.core.lab.method import Method
from tilework.core.lab.names import LabAlgorithm
from tilework.core.lab.trace import Outcome, TraceWindow
from tilework.core.search.limits import Limits, StopReason

WHOLE = TraceWindow(2000, 0)
WIDE = (4, 1, 0, 3, 2, 5)
HARD = (8, 6, 7, 2, 5, 4, 3, 0, 1)


def steps_of(tiles, method, **options):
    return run_of(tiles, method, window=WHOLE, **options).trace.steps


@pytest.mark.parametrize(
    ("window", "numbers"),
    [
        (TraceWindow(3, 2), [1, 2, 3, 39, 40]),
        (TraceWindow(3, 0, 10), [1, 2, 3, 10, 20, 30, 40]),
        (TraceWindow(0, 2, 0), [39, 40]),
        (TraceWindow(30, 30, 7), list(range(1, 41))),
        (TraceWindow(0, 0, 0), []),
        (TraceWindow(0, 1, 40), [40]),
        (TraceWindow(100, 100), list(range(1, 41))),
    ],
)
def test_a_window_keeps_the_first_the_last_and_every_nth(window, numbers):
    # Each of its 40 expansions makes a node or two on a line of 41 cells.
    result = run_of((0, *range(1, 41)), "breadth-first", width=41, window=window)
    assert result.statistics.expanded == result.trace.expanded == 40
    assert [step.number for step in result.trace.steps] == numbers
    assert result.trace.window == window


def test_every_nth_is_spread_where_it_would_be_too_many():
    limits = Limits(nodes=10_000)
    trace = run_of(HARD, "breadth-first", limits=limits, window=TraceWindow(0, 0, 1)).trace
    assert trace.expanded > 2000
    numbers = [step.number for step in trace.steps]
    gaps = {later - sooner for sooner, later in pairwise(numbers)}
    assert 1000 < len(numbers) <= 2000
    assert len(gaps) == 1


def made(step):
    """The successors that were generated."""
    return [child for child in step.children if child.outcome is not Outcome.FORBIDDEN]


@pytest.mark.parametrize("name", list(LabAlgorithm))
def test_every_successor_is_in_the_step_of_its_parent(name):
    result = run_of(WIDE, Method.of(name), window=WHOLE)
    steps = result.trace.steps
    effort = result.statistics
    children = [child for step in steps for child in made(step)]
    assert len(steps) == effort.expanded <= 2000
    assert sorted(child.node for child in children) == list(range(1, effort.generated + 1))
    assert sum(child.outcome is Outcome.DUPLICATE for child in children) == effort.duplicates
    assert max(step.g for step in steps) == effort.depth
    boards = {0: WIDE, -1: naive.solved(3, 2)} | {child.node: child.state for child in children}
    parents = {child.node: step.node for step in steps for child in made(step)}
    for step in steps:
        assert step.state == boards[step.node]
        assert step.parent == parents.get(step.node)
        for child in step.children:
            assert child.state == naive.moved(step.state, 3, "UDLR"[child.move])
            assert child.g == step.g + 1
            unknown = (Outcome.DUPLICATE, Outcome.FORBIDDEN)
            assert (child.h is None) == (child.outcome in unknown)


@pytest.mark.parametrize("name", [name for name in LabAlgorithm if name != "backtracking"])
def test_the_path_leads_over_its_nodes_from_start_to_goal(name):
    result = run_of(WIDE, Method.of(name), window=WHOLE)
    steps, path = result.trace.steps, result.trace.path
    boards = {0: WIDE, -1: naive.solved(3, 2)}
    boards |= {child.node: child.state for step in steps for child in step.children}
    played = [WIDE]
    for move in result.moves:
        played.append(naive.moved(played[-1], 3, "UDLR"[move]))
    assert [boards[node] for node in path] == played


@pytest.mark.parametrize("name", ["breadth-first", "backtracking-stack", "uniform-cost", "a-star"])
def test_what_waits_first_is_taken_next(name):
    steps = steps_of(WIDE, Method.of(name))
    for sooner, later in pairwise(steps):
        assert sooner.frontier[0].node == later.node
        assert sooner.frontier[0].state == later.state
        assert (sooner.frontier[0].g, sooner.frontier[0].h) == (later.g, later.h)


@pytest.mark.parametrize("name", ["breadth-first", "uniform-cost"])
def test_twelve_that_wait_are_told_in_their_order(name):
    steps = steps_of((1, 3, 5, 4, 2, 6, 7, 8, 0), Method.of(name))
    order = [step.node for step in steps]
    for place, step in enumerate(steps):
        told = [one.node for one in step.frontier]
        assert len(told) == min(12, step.frontier_size)
        taken = order[place + 1 : place + 13]
        both = min(len(told), len(taken))
        assert told[:both] == taken[:both]


def test_a_stack_is_told_from_its_top():
    for step in steps_of(WIDE, "backtracking-stack"):
        fresh = [child.node for child in step.children if child.outcome is Outcome.NEW]
        told = [one.node for one in step.frontier]
        assert told[: len(fresh)] == fresh[::-1]


def test_the_frontier_of_a_recursion_is_its_path():
    steps = steps_of(WIDE, "backtracking-visited")
    for step in steps[:-1]:
        told = [one.g for one in step.frontier]
        assert told == list(range(step.frontier_size - 1, -1, -1))[:12]


@pytest.mark.parametrize("name", list(LabAlgorithm))
def test_the_last_step_tells_what_was_left(name):
    result = run_of((1, 2, 3, 4, 0, 5), Method.of(name), window=WHOLE)
    # Some meet the goal when they make it, some when they take it from what waits.
    assert result.trace.steps[-1].frontier_size - result.statistics.frontier in (0, 1)


@pytest.mark.parametrize("limit", [Limits(nodes=1000), Limits(memory_bytes=200_000)])
@pytest.mark.parametrize(
    "name", ["depth-first", "breadth-first", "iterative-deepening", "bidirectional", "a-star"]
)
def test_the_trace_of_a_run_that_was_stopped_ends_where_it_did(name, limit):
    result = run_of(HARD, Method.of(name), limits=limit, window=TraceWindow(2000, 3, 1))
    assert result.stopped_by in (StopReason.NODES, StopReason.MEMORY)
    steps = result.trace.steps
    assert [step.number for step in steps] == list(range(1, result.statistics.expanded + 1))
    assert sum(len(made(step)) for step in steps) == result.statistics.generated
    assert result.trace.path == ()
    assert steps[-1].frontier_size == result.statistics.frontier


def test_the_trace_of_a_recursion_that_went_too_deep():
    result = run_of(HARD, "backtracking", window=TraceWindow(2, 2))
    assert result.stopped_by is StopReason.DEPTH
    assert [step.number for step in result.trace.steps] == [1, 2, 698, 699]
    assert result.trace.steps[-1].frontier_size == 700


def test_what_became_of_each_successor_of_a_breadth_first_search():
    known = {WIDE}
    for step in steps_of(WIDE, "breadth-first"):
        for child in step.children:
            expected = Outcome.DUPLICATE if child.state in known else Outcome.NEW
            assert child.outcome is expected
            known.add(child.state)


def test_each_limit_of_a_deepening_begins_at_the_start_again():
    steps = steps_of((1, 2, 3, 0, 4, 6, 7, 5, 8), "iterative-deepening")
    roots = [step for step in steps if step.node == 0]
    assert len(roots) > 1
    children = [child.node for root in roots for child in root.children]
    assert len(set(children)) == len(children) == 3 * len(roots)


def test_a_run_at_its_goal_has_a_trace_without_steps():
    trace = run_of(naive.solved(3, 3), "breadth-first", window=WHOLE).trace
    assert (trace.expanded, trace.steps, trace.path) == (0, (), (0,))
