import pytest

from tests.unit.lab.runs import (
    HARDEST,
    optimal_length,
    run_method,
    trace_steps,
    walked_boards,
)
from tilework.core.lab.meter import Meter, SearchStopped
from tilework.core.lab.methods import ALGORITHMS, Method
from tilework.core.lab.problem import Problem
from tilework.core.lab.result import Outcome, TraceWindow
from tilework.core.lab.run import make_search
from tilework.core.puzzle.board import Board
from tilework.core.search.limits import Limits, StopReason

UNINFORMED = [name for name, facts in ALGORITHMS.items() if not facts.informed]
RECURSIVE = [name for name in UNINFORMED if not ALGORITHMS[name].complete]


@pytest.mark.parametrize("name", RECURSIVE)
def test_recursion_limit_is_reported(name):
    result = run_method(HARDEST[0], name)
    assert result.stopped_by is StopReason.DEPTH
    assert "its limit of 700 calls" in str(result.message)
    assert (result.statistics.depth, result.statistics.max_frontier) == (698, 700)
    assert len(run_method((0, *range(1, 700)), name, width=700).moves) == 699
    assert run_method((0, *range(1, 701)), name, width=701).stopped_by is StopReason.DEPTH


@pytest.mark.parametrize("name", UNINFORMED)
def test_unsolvable_board_ends_every_search(name):
    problem = Problem(Board((1, 3, 2, 0), 2), Board((1, 2, 3, 0), 2))
    search, meter = make_search(Method.of(name), problem), Meter(problem, Limits())
    if name == "backtracking":
        with pytest.raises(SearchStopped) as error_info:
            search(problem, meter)
        assert error_info.value.reason is StopReason.DEPTH
    else:
        assert search(problem, meter) is None


@pytest.mark.parametrize(
    ("name", "cells"),
    [
        ("backtracking", [4, 1, 0, 3, 6, 7, 4, 1]),
        ("backtracking-visited", [4, 1, 0, 3, 6, 7, 4, 1]),
        ("depth-first", [4, 1, 0, 3, 6, 7, 4, 1]),
        # The last node pushed is popped first.
        ("backtracking-stack", [4, 5, 8, 7, 6, 3, 4]),
    ],
)
def test_directions_are_tried_in_order(name, cells):
    tiles, limits = (1, 2, 3, 4, 0, 5, 6, 7, 8), Limits(nodes=500)
    trace = run_method(tiles, name, goal=HARDEST[0], limits=limits, window=TraceWindow(8, 0)).trace
    assert [step.board.index(0) for step in trace.steps][: len(cells)] == cells


@pytest.mark.parametrize(
    "name", ["backtracking-visited", "backtracking-stack", "depth-first", "breadth-first"]
)
def test_no_board_is_expanded_twice(name):
    steps = trace_steps((4, 1, 0, 3, 2, 5), name)
    assert len({step.board for step in steps}) == len(steps)


def test_iterative_deepening_raises_its_limit_by_two():
    tiles = next(board for board in walked_boards(16) if optimal_length(board) == 7)
    steps = trace_steps(tiles, "iterative-deepening")
    assert [step.node for step in steps if step.parent is None] == [0, 0, 0, 0]
    cut = {child.g for s in steps for child in s.children if child.outcome is Outcome.CUT}
    assert cut == {1, 3, 5, 7}
