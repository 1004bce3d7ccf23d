"""What the meter counts, and the limits at which it ends a run."""

from __future__ import annotations

import itertools
import tracemalloc

import pytest

from tests.support import naive
from tests.unit.lab.running import run_of
from tilework.core.lab.algorithms.breadth_first import breadth_first
from tilework.core.lab.meter import Meter, Stopped
from tilework.core.lab.problem import Node, Problem
from tilework.core.lab.trace import Outcome
from tilework.core.puzzle.board import Board
from tilework.core.search.limits import Limits, StopReason

HARD = (8, 6, 7, 2, 5, 4, 3, 0, 1)
PROBLEM = Problem(Board(HARD, 3), Board(naive.solved(3, 3), 3))


def test_what_it_is_told_is_counted():
    meter = Meter(PROBLEM, Limits())
    root = PROBLEM.root()
    children = list(PROBLEM.children(root))
    meter.look([root], {root.state})
    meter.expand(root)
    for child, outcome in zip(children, Outcome, strict=False):
        meter.generate(child, outcome)
    meter.look(children)
    deep = Node(HARD, children[0], 0, 7)
    meter.expand(deep)
    meter.look([])
    assert [child.number for child in children] == [1, 2, 3]
    assert (meter.expanded, meter.generated, meter.duplicates) == (2, 3, 1)
    assert (meter.frontier, meter.max_frontier, meter.depth) == (0, 3, 7)


def test_the_end_shows_what_the_last_step_left():
    meter = Meter(PROBLEM, Limits())
    frontier = [PROBLEM.root()]
    meter.look(frontier)
    frontier += PROBLEM.children(frontier[0])
    meter.end()
    assert (meter.frontier, meter.max_frontier) == (4, 4)


@pytest.mark.parametrize("nodes", [1, 2, 499, 500, 501, 1234])
def test_a_limit_of_nodes_is_kept_but_for_the_successors_of_one(nodes):
    result = run_of(HARD, "breadth-first", limits=Limits(nodes=nodes))
    assert result.stopped_by is StopReason.NODES
    assert (
        str(result.message) == f"The limit of {nodes} node{'' if nodes == 1 else 's'} was reached."
    )
    assert nodes <= result.statistics.generated < nodes + 4
    assert result.moves is None


def test_a_limit_of_time():
    result = run_of(HARD, "breadth-first", limits=Limits(seconds=0))
    assert result.stopped_by is StopReason.TIME
    assert str(result.message) == "The limit of 0 s was reached."
    assert result.statistics.expanded == 0


def test_a_limit_of_memory():
    result = run_of(HARD, "breadth-first", limits=Limits(memory_bytes=1_000_000))
    assert result.stopped_by is StopReason.MEMORY
    assert str(result.message) == "The limit of 0.953674 MiB was reached."
    assert 1_000_000 < result.statistics.memory_bytes < 1_500_000
    assert result.statistics.expanded > 500


def test_cancelling_ends_a_run_at_once():
    asked = itertools.count()
    limits = Limits(cancelled=lambda: next(asked) == 3)
    result = run_of(HARD, "breadth-first", limits=limits)
    assert result.stopped_by is StopReason.CANCELLED
    assert str(result.message) == "The run was cancelled."
    assert 1000 <= result.statistics.generated < 3000


@pytest.mark.parametrize("method", ["iterative-deepening", "depth-first", "bidirectional"])
def test_every_kind_of_search_stops(method):
    result = run_of(HARD, method, limits=Limits(nodes=600))
    assert result.stopped_by is StopReason.NODES
    assert result.statistics.generated < 604


def test_limits_that_are_not_met_change_nothing():
    wide = Limits(seconds=1000, nodes=10**9, memory_bytes=10**12)
    tiles = (1, 2, 3, 0, 4, 6, 7, 5, 8)
    assert run_of(tiles, "breadth-first", limits=wide).stopped_by is None


@pytest.mark.parametrize("nodes", [20_000, 90_000])
def test_memory_is_reckoned_within_a_factor_of_two(nodes):
    meter = Meter(PROBLEM, Limits(nodes=nodes))
    tracemalloc.start()
    try:
        with pytest.raises(Stopped):
            breadth_first(PROBLEM, meter)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak / 2 < meter.memory_bytes < peak * 2
