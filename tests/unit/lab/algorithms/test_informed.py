"""What the informed searches do on the way, beyond the length of what they find."""

from __future__ import annotations

from collections import defaultdict

import pytest

from tests.support import naive
from tests.unit.lab.boards import GOAL, depth_of, random_boards, walked_boards
from tests.unit.lab.running import run_of
from tilework.core.lab.algorithms.a_star import a_star
from tilework.core.lab.algorithms.a_star_closed import a_star_closed
from tilework.core.lab.algorithms.a_star_decrease_key import a_star_decrease_key
from tilework.core.lab.algorithms.ida_star import ida_star
from tilework.core.lab.algorithms.weighted_a_star import weighted_a_star
from tilework.core.lab.meter import Meter
from tilework.core.lab.method import Method
from tilework.core.lab.names import ALGORITHMS, FrontierOrder, LabAlgorithm, LabHeuristic
from tilework.core.lab.problem import Problem
from tilework.core.lab.recorder import Recorder
from tilework.core.lab.trace import Outcome, TraceWindow
from tilework.core.puzzle.board import Board
from tilework.core.search.limits import Limits

INFORMED = [name for name, facts in ALGORITHMS.items() if facts.informed]
INADMISSIBLE = [LabHeuristic.SUM, LabHeuristic.HAMMING_BLANK, LabHeuristic.MEAN_BLANK]
WHOLE = TraceWindow(2000, 0)

# Two ways lead from here to a board in the middle, of 5 and of 7 moves. Estimating nothing but the
# first board of the shorter way, and that one truly, makes the longer one look better at first.
TWO_WAYS = (5, 4, 2, 1, 0, 3)
DEAR = (5, 0, 2, 1, 4, 3)
SMALL_GOAL = (1, 2, 3, 4, 5, 0)


def inconsistent(state):
    return 6 if state == DEAR else 0


@pytest.mark.parametrize("name", INFORMED)
@pytest.mark.parametrize("width", [3, 2])
def test_rectangular_boards_are_solved(name, width):
    goal = naive.solved(width, 6 // width)
    depth = naive.distances(goal, width)
    for tiles in sorted(depth, key=depth.get)[::20]:
        result = run_of(tiles, Method.of(name), width=width)
        assert len(result.moves) >= depth[tiles]
        assert not result.optimal or len(result.moves) == depth[tiles]


@pytest.mark.parametrize("name", INFORMED)
def test_the_goal_is_its_own_solution(name):
    result = run_of(GOAL, Method.of(name))
    assert len(result.moves) == 0
    assert (result.statistics.expanded, result.statistics.visited) == (0, 1)


@pytest.mark.parametrize("name", [name for name in INFORMED if ALGORITHMS[name].complete])
@pytest.mark.parametrize("heuristic", INADMISSIBLE)
def test_estimates_that_are_too_high_still_lead_to_a_solution(name, heuristic):
    for tiles in walked_boards(32):
        result = run_of(tiles, Method.of(name, heuristic))
        assert len(result.moves) >= depth_of(tiles)
        assert not result.optimal


@pytest.mark.parametrize("name", INFORMED)
def test_a_line_is_solved_beyond_the_depth_of_python_recursion(name):
    tiles = (0, *range(1, 1500))
    assert len(run_of(tiles, Method.of(name), width=1500).moves) == 1499


def test_a_closed_set_needs_an_estimate_that_is_consistent():
    depth = naive.distances(SMALL_GOAL, 3)
    assert all(inconsistent(tiles) <= depth[tiles] for tiles in depth)
    problem = Problem(Board(TWO_WAYS, 3), Board(SMALL_GOAL, 3))
    assert depth[TWO_WAYS] == 7
    assert a_star_closed(problem, meter_of(problem), inconsistent).g == 9
    for search in (a_star, a_star_decrease_key, ida_star):
        assert search(problem, meter_of(problem), inconsistent).g == 7


def test_decrease_key_opens_an_expanded_board_again_for_a_shorter_path():
    problem = Problem(Board(TWO_WAYS, 3), Board(SMALL_GOAL, 3))
    recorder = Recorder(lambda _number: True, FrontierOrder.HEAP)
    a_star_decrease_key(problem, Meter(problem, Limits(), recorder), inconsistent)
    lengths = defaultdict(list)
    for step in recorder.steps:
        lengths[step.state].append(step.g)
    opened_again = [found for found in lengths.values() if len(found) > 1]
    assert [5, 7] in [sorted(found) for found in opened_again]
    assert all(found == sorted(found, reverse=True) for found in opened_again)


def test_decrease_key_keeps_the_frontier_as_small_as_any():
    for tiles in random_boards(20):
        kept = run_of(tiles, "a-star-decrease-key:manhattan").statistics
        lazy = run_of(tiles, "a-star:manhattan").statistics
        assert kept.expanded == lazy.expanded
        assert kept.max_frontier <= lazy.max_frontier


def test_the_heap_that_is_not_restored_may_cost_the_optimum():
    tiles = (1, 3, 5, 4, 7, 0, 6, 8, 2)
    assert depth_of(tiles) == 19
    assert len(run_of(tiles, "a-star:manhattan").moves) == 19
    assert len(run_of(tiles, "a-star-replace:manhattan").moves) == 21


@pytest.mark.parametrize("weight", [1, 1.5, 2, 5, 100])
def test_weighted_a_star_stays_within_its_weight(weight):
    method = Method.of(LabAlgorithm.WEIGHTED_A_STAR, LabHeuristic.MANHATTAN, weight=weight)
    for tiles in random_boards(40):
        assert len(run_of(tiles, method).moves) <= weight * depth_of(tiles)


def test_weighted_a_star_stays_within_its_weight_where_the_estimate_is_inconsistent():
    problem = Problem(Board(TWO_WAYS, 3), Board(SMALL_GOAL, 3))
    found = weighted_a_star(problem, meter_of(problem), inconsistent, 1.2)
    assert found.g <= 1.2 * 7


def test_a_greater_weight_expands_fewer_nodes():
    expanded = [
        sum(
            run_of(tiles, f"weighted-a-star:manhattan:{weight}").statistics.expanded
            for tiles in random_boards(20)
        )
        for weight in (1, 2)
    ]
    assert expanded[1] < expanded[0]


def test_greedy_search_without_an_estimate_is_breadth_first():
    for tiles in walked_boards(32):
        assert len(run_of(tiles, "greedy:zero").moves) == depth_of(tiles)


@pytest.mark.parametrize("name", ["greedy", "a-star", "a-star-closed", "a-star-decrease-key"])
def test_a_board_is_expanded_once(name):
    tiles = random_boards(1)[0]
    states = [step.state for step in run_of(tiles, name, window=WHOLE).trace.steps]
    assert len(states) == len(set(states))


def test_forbidding_the_parent_lets_boards_be_expanded_again():
    tiles = (7, 5, 8, 2, 3, 4, 1, 0, 6)
    steps = run_of(tiles, "a-star-parent", window=WHOLE).trace.steps
    states = [step.state for step in steps]
    assert len(states) > len(set(states))
    assert not any(child.outcome is Outcome.DUPLICATE for step in steps for child in step.children)
    before = {step.node: step.state for step in steps}
    for step in steps:
        back = [child for child in step.children if child.state == before.get(step.parent)]
        assert all(child.outcome is Outcome.FORBIDDEN for child in back)


def meter_of(problem):
    return Meter(problem, Limits())
