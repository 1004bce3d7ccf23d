from collections import defaultdict

import pytest

from tests.support import naive
from tests.unit.lab.runs import (
    GOAL,
    optimal_length,
    random_boards,
    run_method,
    trace_steps,
)
from tilework.core.lab.algorithms.informed.a_star import a_star
from tilework.core.lab.algorithms.informed.a_star_closed import a_star_closed
from tilework.core.lab.algorithms.informed.a_star_decrease_key import (
    a_star_decrease_key,
)
from tilework.core.lab.algorithms.informed.ida_star import ida_star
from tilework.core.lab.algorithms.informed.weighted_a_star import weighted_a_star
from tilework.core.lab.meter import Meter, Recorder
from tilework.core.lab.methods import FrontierOrder
from tilework.core.lab.problem import Problem
from tilework.core.lab.result import Outcome
from tilework.core.puzzle.board import Board
from tilework.core.search.limits import Limits

# Two paths, of 5 and 7 moves, lead from TWO_PATHS to a common board. The heuristic is 0 except on
# the first board of the shorter path, where it is exact, so the longer path looks better at first.
TWO_PATHS = (5, 4, 2, 1, 0, 3)
FIRST_ON_SHORTER = (5, 0, 2, 1, 4, 3)
SMALL_GOAL = (1, 2, 3, 4, 5, 0)
PROBLEM = Problem(Board(TWO_PATHS, 3), Board(SMALL_GOAL, 3))


def estimate_inconsistently(state):
    return 6 if state == FIRST_ON_SHORTER else 0


def make_meter():
    return Meter(PROBLEM, Limits())


def test_closed_set_requires_a_consistent_heuristic():
    depth = naive.distances(SMALL_GOAL, 3)
    assert all(estimate_inconsistently(tiles) <= depth[tiles] for tiles in depth)
    assert depth[TWO_PATHS] == 7
    assert a_star_closed(PROBLEM, make_meter(), estimate_inconsistently).g == 9
    for search in (a_star, a_star_decrease_key, ida_star):
        assert search(PROBLEM, make_meter(), estimate_inconsistently).g == 7
    assert weighted_a_star(PROBLEM, make_meter(), estimate_inconsistently, 1.2).g <= 1.2 * 7


def test_decrease_key_reopens_an_expanded_board():
    recorder = Recorder(lambda _number: True, FrontierOrder.HEAP)
    a_star_decrease_key(PROBLEM, Meter(PROBLEM, Limits(), recorder), estimate_inconsistently)
    lengths = defaultdict(list)
    for step in recorder.steps:
        lengths[step.board].append(step.g)
    reopened = [costs for costs in lengths.values() if len(costs) > 1]
    assert [5, 7] in [sorted(costs) for costs in reopened]
    assert all(costs == sorted(costs, reverse=True) for costs in reopened)


def test_replacing_entries_in_a_heap_can_miss_the_optimum():
    tiles = (1, 3, 5, 4, 7, 0, 6, 8, 2)
    assert optimal_length(tiles) == 19
    assert len(run_method(tiles, "a-star:manhattan").moves) == 19
    assert len(run_method(tiles, "a-star-replace:manhattan").moves) == 21


def test_weighted_a_star_stays_within_its_weight_and_expands_fewer_nodes():
    expanded = defaultdict(int)
    for tiles in random_boards(20):
        for weight in (1, 1.5, 2, 5, 100):
            result = run_method(tiles, f"weighted-a-star:manhattan:{weight}")
            assert len(result.moves) <= weight * optimal_length(tiles)
            expanded[weight] += result.statistics.expanded
    assert expanded[2] < expanded[1]


def test_forbidding_the_parent_allows_repeated_expansions():
    for name in ("a-star-parent", "ida-star:manhattan", "a-star"):
        steps = trace_steps((7, 5, 8, 2, 3, 4, 1, 0, 6), name)
        states = {step.node: step.board for step in steps}
        for step in steps:
            forbidden = [child for child in step.children if child.outcome is Outcome.FORBIDDEN]
            if step.parent is None or name == "a-star":
                assert not forbidden
                continue
            [child] = forbidden
            assert (child.node, child.board, child.h) == (None, states[step.parent], None)
            assert [other.board for other in step.children].count(child.board) == 1
        repeated = len(steps) - len({step.board for step in steps})
        assert (repeated > 0) is (name != "a-star")


def split_by_threshold(steps):
    """Split the steps of IDA* by threshold; each threshold starts again at the root."""
    groups = []
    for step in steps:
        if step.parent is None:
            groups.append([])
        groups[-1].append(step)
    return groups


def f_cost(node):
    return node.g + node.h


@pytest.mark.parametrize("heuristic", ["manhattan", "mean", "hamming-blank", "zero"])
def test_next_threshold_is_the_smallest_f_above(heuristic):
    steps = trace_steps((1, 2, 3, 4, 5, 0, 6, 7, 8), f"ida-star:{heuristic}")
    threshold = steps[0].h
    for search in split_by_threshold(steps)[:-1]:
        assert all(f_cost(step) <= threshold for step in search)
        children = [child for step in search for child in step.children]
        cut = [f_cost(child) for child in children if child.outcome is Outcome.CUT]
        assert all(f_cost(child) <= threshold for child in children if child.outcome is Outcome.NEW)
        assert min(cut) > threshold
        assert heuristic != "manhattan" or min(cut) == threshold + 2
        threshold = min(cut)


@pytest.mark.parametrize("width", [1, 3, 20])
def test_beam_keeps_the_best_nodes_up_to_its_width(width):
    result = run_method(random_boards(1)[0], f"beam:manhattan:{width}")
    assert result.statistics.max_frontier <= width
    steps = trace_steps(random_boards(1)[0], f"beam:manhattan:{width}")
    assert len({step.board for step in steps}) == len(steps)
    levels = defaultdict(lambda: defaultdict(list))
    for step in steps:
        for child in step.children:
            levels[child.g][child.outcome].append(child)
    for level in levels.values():
        kept, cut = level[Outcome.NEW], level[Outcome.CUT]
        if any(child.board == GOAL for child in kept):
            continue
        assert len(kept) <= width
        assert len(kept) == width or not cut
        assert all(node.h <= other.h for node in kept for other in cut)
