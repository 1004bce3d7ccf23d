from collections import Counter
from itertools import pairwise

import pytest

from tests.support import naive
from tests.unit.lab.runs import HARDEST, WHOLE, run_method, trace_steps
from tilework.core.lab.methods import ALGORITHMS, LabAlgorithm, Method
from tilework.core.lab.pseudocode import PSEUDOCODE, Moment
from tilework.core.lab.result import Outcome, TraceWindow
from tilework.core.search.limits import Limits, StopReason

WIDE = (4, 1, 0, 3, 2, 5)


def test_window_records_first_last_and_every_nth_step():
    expected_steps = {
        TraceWindow(3, 2): [1, 2, 3, 39, 40],
        TraceWindow(3, 0, 10): [1, 2, 3, 10, 20, 30, 40],
        TraceWindow(0, 2, 0): [39, 40],
        TraceWindow(30, 30, 7): list(range(1, 41)),
        TraceWindow(0, 0, 0): [],
        TraceWindow(0, 1, 40): [40],
    }
    for window, numbers in expected_steps.items():
        # Each of the 40 expansions generates one or two nodes on a line of 41 cells.
        result = run_method((0, *range(1, 41)), "breadth-first", width=41, window=window)
        assert result.statistics.expanded == result.trace.expanded == 40
        assert [step.number for step in result.trace.steps] == numbers
        assert TraceWindow(result.trace.first, result.trace.last, result.trace.every) == window


def test_interval_is_widened_if_there_are_too_many_steps():
    limits = Limits(nodes=10_000)
    window = TraceWindow(0, 0, 1)
    trace = run_method(HARDEST[0], "breadth-first", limits=limits, window=window).trace
    assert trace.expanded > 2000
    numbers = [step.number for step in trace.steps]
    assert 1000 < len(numbers) <= 2000
    assert len({second - first for first, second in pairwise(numbers)}) == 1


def generated_children(step):

    return [child for child in step.children if child.outcome is not Outcome.FORBIDDEN]


@pytest.mark.parametrize("name", list(LabAlgorithm))
def test_trace_contains_the_whole_search(name):
    result = run_method(WIDE, Method.of(name), window=WHOLE)
    steps, statistics = result.trace.steps, result.statistics
    children = [child for step in steps for child in generated_children(step)]
    assert len(steps) == statistics.expanded <= 2000
    assert sorted(child.node for child in children) == list(range(1, statistics.generated + 1))
    assert sum(child.outcome is Outcome.DUPLICATE for child in children) == statistics.duplicates
    assert max(step.g for step in steps) == statistics.depth
    boards = {0: WIDE, -1: naive.solved_tiles(3, 2)} | {
        child.node: child.board for child in children
    }
    parents = {child.node: step.node for step in steps for child in generated_children(step)}
    for step in steps:
        assert step.board == boards[step.node]
        assert step.parent == parents.get(step.node)
        for child in step.children:
            assert child.board == naive.apply_move(step.board, 3, child.move)
            assert child.g == step.g + 1
            without_h = (Outcome.DUPLICATE, Outcome.FORBIDDEN)
            assert (child.h is None) == (child.outcome in without_h)
    documents = result.trace.document()["steps"]
    weight = 2 if name is LabAlgorithm.WEIGHTED_A_STAR else 1
    assert [(step["board"], step["f"]) for step in documents] == [
        (list(step.board), step.g + weight * step.h) for step in steps
    ]
    for step in documents:
        for node in (*step["children"], *step["frontier"]):
            assert node["h"] is node["f"] is None or node["f"] == node["g"] + weight * node["h"]
    # Some algorithms recognize the goal when it is generated, others when it is popped.
    assert result.moves is None or steps[-1].frontier_size - statistics.frontier in (0, 1)
    if result.moves is not None:
        boards_on_path = [WIDE]
        for move in result.moves:
            boards_on_path.append(naive.apply_move(boards_on_path[-1], 3, "UDLR"[move]))
        assert [boards[node] for node in result.trace.path] == boards_on_path


@pytest.mark.parametrize("name", ["breadth-first", "backtracking-stack", "uniform-cost", "a-star"])
def test_first_frontier_node_is_expanded_next(name):
    for step, next_step in pairwise(trace_steps(WIDE, Method.of(name))):
        node = step.frontier[0]
        assert (node.node, node.board) == (next_step.node, next_step.board)
        assert (node.g, node.h) == (next_step.g, next_step.h)


@pytest.mark.parametrize("limits", [Limits(nodes=1000), Limits(memory_bytes=200_000)])
def test_trace_of_a_stopped_run_contains_all_its_steps(limits):
    for name in ("breadth-first", "iterative-deepening", "bidirectional", "a-star"):
        window = TraceWindow(2000, 3, 1)
        result = run_method(HARDEST[0], Method.of(name), limits=limits, window=window)
        assert result.stopped_by in (StopReason.NODES, StopReason.MEMORY)
        steps = result.trace.steps
        assert [step.number for step in steps] == list(range(1, result.statistics.expanded + 1))
        assert sum(len(generated_children(step)) for step in steps) == result.statistics.generated
        assert result.trace.path == ()
        assert steps[-1].frontier_size == result.statistics.frontier


def test_path_of_bidirectional_search_goes_from_start_to_goal():
    start = (1, 3, 5, 4, 2, 6, 7, 8, 0)
    trace = run_method(start, "bidirectional", window=WHOLE).trace
    assert (trace.path[0], trace.path[-1]) == (0, -1)
    states = {step.node: step.board for step in trace.steps}
    assert (states[0], states[-1]) == (start, naive.solved_tiles(3, 3))
    sides = {0: False, -1: True}
    for step in trace.steps:
        assert step.backward == sides[step.node]
        sides |= {child.node: step.backward for child in step.children}


ALWAYS = {Moment.START, Moment.TAKE, Moment.EXPAND, Moment.NEW, Moment.GOAL, Moment.EXHAUSTED}
# Two lines handle this event: one deletes the old entry, the other pushes the new one.
TWO_LINES = {(LabAlgorithm.A_STAR_REPLACE, Moment.CHEAPER)}


@pytest.mark.parametrize("name", list(LabAlgorithm))
def test_code_has_a_line_for_each_event(name) -> None:
    code = PSEUDOCODE[name]
    lines = Counter(moment for line in code for moment in line.moments)
    assert set(lines) >= ALWAYS
    assert all(count == 1 + ((name, moment) in TWO_LINES) for moment, count in lines.items())
    for heuristic in ("manhattan", "faulty") if ALGORITHMS[name].informed else (None,):
        method, window = Method.of(name, heuristic), TraceWindow(1_000, 0)
        start, limits = (7, 5, 8, 2, 3, 4, 1, 0, 6), Limits(nodes=3_000)
        steps = run_method(start, method, limits=limits, window=window).trace.steps
        outcomes = {child.outcome.value for step in steps for child in step.children}
        assert outcomes <= {moment.value for moment in lines}
        restarts = sum(step.parent is None and not step.backward for step in steps) > 1
        assert not restarts or Moment.AGAIN in lines
