"""The uninformed searches."""

from __future__ import annotations

import pytest

from tests.support import naive
from tests.unit.lab.boards import GOAL, HARDEST, depth_of, random_boards, walked_boards
from tests.unit.lab.running import blank_ways, run_of
from tilework.core.lab.catalogue import search_of
from tilework.core.lab.meter import Meter, Stopped
from tilework.core.lab.method import Method
from tilework.core.lab.names import ALGORITHMS, Promise
from tilework.core.lab.problem import Problem
from tilework.core.lab.trace import Outcome, TraceWindow
from tilework.core.puzzle.board import Board
from tilework.core.search.limits import Limits, StopReason

UNINFORMED = [name for name, facts in ALGORITHMS.items() if not facts.informed]
OPTIMAL = [name for name in UNINFORMED if ALGORITHMS[name].optimal is Promise.ALWAYS]
COMPLETE = [name for name in UNINFORMED if ALGORITHMS[name].complete]
RECURSIVE = [name for name in UNINFORMED if not ALGORITHMS[name].complete]
WHOLE = TraceWindow(2000, 0)
RECTANGLE = (4, 1, 0, 3, 2, 5)


def test_which_ones_are_meant():
    assert len(UNINFORMED) == 10
    assert OPTIMAL == ["breadth-first", "iterative-deepening", "bidirectional", "uniform-cost"]
    assert RECURSIVE == ["backtracking", "backtracking-visited", "depth-first-recursive"]


@pytest.mark.parametrize("name", OPTIMAL)
@pytest.mark.parametrize(("width", "height"), [(2, 2), (3, 2), (2, 3), (1, 5), (5, 1)])
def test_no_solution_is_shorter_on_any_size(name, width, height):
    lengths = naive.distances(naive.solved(width, height), width)
    for tiles in sorted(lengths)[:: max(1, len(lengths) // 25)]:
        assert len(run_of(tiles, name, width=width).moves) == lengths[tiles]


@pytest.mark.parametrize("name", OPTIMAL)
@pytest.mark.parametrize("blank", [0, 1, 4])
def test_no_solution_is_shorter_to_any_goal(name, blank):
    goal = [5, 3, 1, 2, 4]
    goal.insert(blank, 0)
    goal = tuple(goal)
    lengths = naive.distances(goal, 3)
    for tiles in sorted(lengths)[::20]:
        assert len(run_of(tiles, name, goal=goal).moves) == lengths[tiles]


@pytest.mark.parametrize("name", OPTIMAL)
def test_no_solution_is_shorter_on_3x3(name):
    for tiles in (*walked_boards(16), *random_boards(1)):
        assert len(run_of(tiles, name).moves) == depth_of(tiles)


@pytest.mark.parametrize("name", [name for name in COMPLETE if name not in OPTIMAL])
def test_any_solution_is_one(name):
    for tiles in (*walked_boards(3), *random_boards(1)):
        assert len(run_of(tiles, name).moves) >= depth_of(tiles)


@pytest.mark.parametrize("name", UNINFORMED)
@pytest.mark.parametrize(("width", "height"), [(1, 1), (1, 3), (2, 2), (3, 2), (3, 3)])
def test_the_goal_is_its_own_solution(name, width, height):
    result = run_of(naive.solved(width, height), name, width=width)
    assert len(result.moves) == 0
    assert (result.statistics.expanded, result.statistics.visited) == (0, 1)


@pytest.mark.parametrize("name", UNINFORMED)
@pytest.mark.parametrize("width", [1, 6])
def test_on_a_line_the_blank_turns_where_it_must(name, width):
    goal = (1, 2, 3, 0, 4, 5)
    for blank in range(6):
        tiles = [1, 2, 3, 4, 5]
        tiles.insert(blank, 0)
        result = run_of(tuple(tiles), name, goal=goal, width=width)
        assert len(result.moves) == abs(blank - 3)


@pytest.mark.parametrize("name", UNINFORMED)
def test_every_board_of_2x2_is_solved(name):
    for tiles, length in naive.distances((1, 2, 3, 0), 2).items():
        found = len(run_of(tiles, name, width=2).moves)
        # There is one circle of twelve boards, and two ways round it.
        assert found in (length, 12 - length)


@pytest.mark.parametrize("name", RECURSIVE)
def test_a_recursion_tells_how_deep_it_may_go(name):
    result = run_of(HARDEST[0], name)
    assert result.stopped_by is StopReason.DEPTH
    assert "its limit of 700 calls" in str(result.message)
    assert "a stack of its own" in str(result.message)
    assert result.statistics.depth == 698
    assert result.statistics.max_frontier == 700
    assert len(run_of((0, *range(1, 700)), name, width=700).moves) == 699
    assert run_of((0, *range(1, 701)), name, width=701).stopped_by is StopReason.DEPTH


@pytest.mark.parametrize("name", [name for name in COMPLETE if name != "iterative-deepening"])
def test_a_line_is_solved_beyond_the_depth_of_a_recursion(name):
    assert len(run_of((0, *range(1, 720)), name, width=720).moves) == 719


@pytest.mark.parametrize("name", [name for name in UNINFORMED if name != "backtracking"])
def test_what_remembers_ends_also_where_there_is_no_way(name):
    problem = Problem(Board((1, 3, 2, 0), 2), Board((1, 2, 3, 0), 2))
    assert search_of(Method.of(name), problem)(problem, Meter(problem, Limits())) is None


def test_what_does_not_remember_runs_in_circles():
    problem = Problem(Board((1, 3, 2, 0), 2), Board((1, 2, 3, 0), 2))
    search = search_of(Method.of("backtracking"), problem)
    with pytest.raises(Stopped) as stopped:
        search(problem, Meter(problem, Limits()))
    assert stopped.value.reason is StopReason.DEPTH


@pytest.mark.parametrize("name", ["backtracking", "backtracking-visited", "depth-first"])
def test_the_ways_are_tried_in_order(name):
    assert blank_cells(name)[:8] == [4, 1, 0, 3, 6, 7, 4, 1]


def test_what_was_pushed_last_is_taken_first():
    assert blank_cells("backtracking-stack")[:7] == [4, 5, 8, 7, 6, 3, 4]


def blank_cells(name):
    tiles = (1, 2, 3, 4, 0, 5, 6, 7, 8)
    limits = Limits(nodes=500)
    trace = run_of(tiles, name, goal=HARDEST[0], limits=limits, window=TraceWindow(8, 0)).trace
    return [step.state.index(0) for step in trace.steps]


@pytest.mark.parametrize(
    "name", ["backtracking-visited", "backtracking-stack", "depth-first", "breadth-first"]
)
def test_no_board_is_expanded_twice(name):
    steps = run_of(RECTANGLE, name, window=WHOLE).trace.steps
    assert len({step.state for step in steps}) == len(steps)


@pytest.mark.parametrize("first", range(0, 360, 60))
def test_a_stack_goes_the_way_of_the_recursion(first):
    boards = sorted(naive.distances(naive.solved(3, 2), 3))
    for tiles in boards[first : first + 60 : 12]:
        ways = {
            blank_ways(run_of(tiles, name))
            for name in ("depth-first", "depth-first-recursive", "backtracking-visited")
        }
        assert len(ways) == 1


def test_deepening_raises_its_limit_by_two():
    tiles = next(one for one in walked_boards(16) if depth_of(one) == 7)
    trace = run_of(tiles, "iterative-deepening", window=WHOLE).trace
    roots = [step for step in trace.steps if step.parent is None]
    assert [step.node for step in roots] == [0, 0, 0, 0]
    cut = {child.g for s in trace.steps for child in s.children if child.outcome is Outcome.CUT}
    assert cut == {1, 3, 5, 7}


def test_two_small_circles_hold_less_than_a_large_one():
    effort = run_of(HARDEST[0], "bidirectional").statistics
    # From one side alone nearly all of the 181,440 boards are met before the last.
    assert effort.expanded < 181_440 / 10
    assert effort.depth <= 16


def test_the_path_of_both_directions_goes_from_start_to_goal():
    trace = run_of((1, 3, 5, 4, 2, 6, 7, 8, 0), "bidirectional", window=WHOLE).trace
    assert (trace.path[0], trace.path[-1]) == (0, -1)
    assert trace.expanded == len(trace.steps)
    states = {step.node: step.state for step in trace.steps}
    assert (states[0], states[-1]) == ((1, 3, 5, 4, 2, 6, 7, 8, 0), GOAL)
    sides = {0: False, -1: True}
    for step in trace.steps:
        assert step.backward == sides[step.node]
        sides |= {child.node: step.backward for child in step.children}
    assert [step.node for step in trace.steps if step.parent is None] == [0, -1]
