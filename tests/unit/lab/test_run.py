import itertools
import tracemalloc
from types import SimpleNamespace

import pytest

from tests.support import naive
from tests.unit.lab.runs import HARDEST, WHOLE, run_method
from tilework.core.errors import OptionError, UnsolvableError
from tilework.core.lab.methods import (
    ALGORITHMS,
    DEFAULT_METHODS,
    HEURISTICS,
    LabAlgorithm,
    Method,
    Parameter,
)
from tilework.core.lab.problem import Problem
from tilework.core.lab.run import effective_branching_factor, run
from tilework.core.puzzle.board import Board
from tilework.core.puzzle.goals import explain
from tilework.core.puzzle.moves import LETTERS
from tilework.core.search.limits import Limits, StopReason


@pytest.mark.parametrize(("width", "height"), [(1, 1), (1, 4), (4, 1), (3, 2), (3, 3)])
def test_successors_are_ordered_by_the_blank(width, height):
    for blank in range(width * height):
        tiles = list(range(1, width * height))
        tiles.insert(blank, 0)
        board = Board(tiles, width)
        problem = Problem(board, board)
        root = problem.root()
        successors = [(LETTERS[child.move], child.state) for child in problem.successors(root)]
        # The tile moves down when the blank moves up.
        neighbors = [(letter, naive.apply_move(tuple(tiles), width, letter)) for letter in "DURL"]
        assert successors == [(letter, state) for letter, state in neighbors if state is not None]
        assert (problem.width, problem.height) == (width, height)
        for node in problem.successors(root):
            states = [child.state for child in problem.successors(node)]
            states.remove(root.state)
            assert [child.state for child in problem.successors_except_undo(node)] == states


def test_unsolvable_board_is_searched_only_if_requested():
    for name in LabAlgorithm:
        with pytest.raises(UnsolvableError, match="cannot reach its goal") as error:
            run_method((1, 2, 3, 4, 5, 6, 8, 7, 0), Method.of(name))
        assert "to the goal): 1. " in str(error.value.explanation)
    swapped = (2, 1, 3, 4, 5, 0)
    start, goal = Board(swapped, 3), Board(naive.solved_tiles(3, 2), 3)
    for method in ("breadth-first", "depth-first", "a-star:manhattan"):
        result = run(start, goal, Method.from_text(method), Limits(), exhaust=True)
        assert (result.moves, result.stopped_by, result.statistics.visited) == (None, None, 360)
        unreachable = "Search space exhausted: this board cannot reach its goal. "
        assert str(result.message) == unreachable + explain(start, goal).words
    limits = Limits(nodes=1_000)
    result = run(start, goal, Method.from_text("ida-star:manhattan"), limits, exhaust=True)
    assert (result.moves, result.stopped_by) == (None, StopReason.NODES)


def test_effective_branching_factor():
    assert round(effective_branching_factor(52, 5), 2) == 1.92  # the example in the textbook
    for nodes, depth in ((10, 2), (483_563, 31), (3, 5), (1 + 3 + 9 + 27 - 1, 3)):
        factor = effective_branching_factor(nodes, depth)
        assert sum(factor**level for level in range(1, depth + 1)) == pytest.approx(nodes, rel=1e-6)
    assert effective_branching_factor(7, 7) == pytest.approx(1)
    for nodes, depth in ((0, 0), (0, 5), (4, 0)):
        assert effective_branching_factor(nodes, depth) == 0
    assert 1 < effective_branching_factor(300_000, 100_000) < 1.001


EVERY_PAIR = [
    Method.of(algorithm, heuristic)
    for algorithm, facts in ALGORITHMS.items()
    for heuristic in (HEURISTICS if facts.informed else [None])
]


def test_text_of_every_method_is_parsed_back() -> None:
    for method in EVERY_PAIR:
        assert Method.from_text(method.text) == method
        facts = ALGORITHMS[method.algorithm]
        assert (method.heuristic is not None) == facts.informed
        assert (method.weight is not None) == (facts.parameter is Parameter.WEIGHT)
        assert (method.width is not None) == (facts.parameter is Parameter.WIDTH)
    assert len({method.title for method in EVERY_PAIR}) == len(EVERY_PAIR)
    assert Method.of("weighted-a-star", weight=1.5).title == "Weighted A* · Manhattan · 1.5"
    assert len(set(DEFAULT_METHODS)) == len(DEFAULT_METHODS) == 10


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "'' is not available; choose from backtracking, "),
        ("a-star:h4", "'h4' is not available; choose from zero, hamming, "),
        ("astar:manhatan", "'astar' is not available; did you mean a-star?"),
        ("breadth-first:manhattan", "breadth-first uses no heuristic; omit 'manhattan'"),
        ("a-star:manhattan:2", "a-star takes no weight; omit 2"),
        ("weighted-a-star:manhattan:0.5", "invalid weight 0.5; use 1 to 100"),
        ("weighted-a-star:manhattan:nan", "'nan' is not a number"),
        ("beam:manhattan:0", "invalid width 0; use 1 to 100000"),
        ("a-star:manhattan:2:3", "'a-star:manhattan:2:3' is not a method"),
        ("a-star:" + "y" * 10_000, "'yyy"),
    ],
)
def test_invalid_method_is_quoted(text: str, message: str) -> None:
    with pytest.raises(OptionError) as error:
        Method.from_text(text)
    assert str(error.value).startswith(message)
    assert len(str(error.value)) < 600


def test_optimum_is_guaranteed_if_algorithm_and_heuristic_allow_it() -> None:
    for text in ("breadth-first", "a-star:manhattan", "a-star-closed:mean", "ida-star:maximum"):
        assert Method.from_text(text).guarantees_optimum
    for text in ("depth-first", "a-star:sum", "a-star-closed:mean-blank", "a-star-replace", "beam"):
        assert not Method.from_text(text).guarantees_optimum


HARD = HARDEST[0]
FAR = (14, 15, 8, 12, 10, 11, 9, 13, 2, 6, 5, 1, 3, 7, 4, 0)


@pytest.mark.parametrize("nodes", [1, 2, 499, 500, 501, 1234])
def test_node_limit_is_exceeded_by_at_most_one_expansion(nodes):
    for method in ("breadth-first", "iterative-deepening", "depth-first", "bidirectional"):
        result = run_method(HARD, method, limits=Limits(nodes=nodes))
        assert result.stopped_by is StopReason.NODES
        assert nodes <= result.statistics.generated < nodes + 4
        assert result.moves is None
    plural = "" if nodes == 1 else "s"
    assert str(result.message) == f"The limit of {nodes} node{plural} was reached."


def test_time_and_memory_limits(monkeypatch):
    result = run_method(HARD, "breadth-first", limits=Limits(seconds=0))
    assert (result.stopped_by, result.statistics.expanded) == (StopReason.TIME, 0)
    assert str(result.message) == "The limit of 0 s was reached."
    with monkeypatch.context() as patch:
        clock = SimpleNamespace(perf_counter=itertools.count(step=2.0).__next__)
        patch.setattr("tilework.core.lab.meter.time", clock)
        result = run_method(HARD, "breadth-first", limits=Limits(seconds=5))
    assert result.stopped_by is StopReason.TIME
    assert 0 < result.statistics.generated < 3_000
    result = run_method(HARD, "breadth-first", limits=Limits(memory_bytes=1_000_000))
    assert result.stopped_by is StopReason.MEMORY
    assert str(result.message) == "The limit of 0.953674 MiB was reached."
    assert 1_000_000 < result.statistics.memory_bytes < 1_500_000
    assert result.statistics.expanded > 500


def test_cancelled_run_ends_immediately_without_a_trace():
    checks = itertools.count()
    limits = Limits(cancelled=lambda: next(checks) == 3)
    result = run_method(HARD, "breadth-first", limits=limits, window=WHOLE)
    assert result.stopped_by is StopReason.CANCELLED
    assert str(result.message) == "The run was cancelled."
    assert 1000 <= result.statistics.generated < 3000
    assert result.trace is None


@pytest.mark.parametrize(
    "method",
    ["breadth-first", "bidirectional", "a-star:zero", "a-star-decrease-key", "beam:zero:1000"],
)
def test_memory_is_estimated_within_a_quarter(method):
    tracemalloc.start()
    try:
        result = run_method(HARD, method, limits=Limits(nodes=10_000))
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert 0.75 * peak < result.statistics.memory_bytes < 1.25 * peak


def test_limits_stop_a_beam_search_within_a_level():
    # The beam is wider than the level in which the limit of 1,000 nodes is reached.
    result = run_method(FAR, "beam:zero:100000", None, 4, Limits(nodes=1_000), WHOLE)
    assert result.stopped_by is StopReason.NODES
    assert 1_000 <= result.statistics.generated < 1_004
    children = [child for step in result.trace.steps for child in step.children]
    assert len(children) == result.statistics.generated
    # Memory includes the current level; it is checked every 500 nodes of about 300 bytes.
    result = run_method(FAR, "beam:manhattan:100000", None, 4, Limits(memory_bytes=200_000))
    assert result.stopped_by is StopReason.MEMORY
    assert result.statistics.memory_bytes < 400_000
    checks = iter([False, False, False, True])
    limits = Limits(cancelled=lambda: next(checks))
    result = run_method(FAR, "beam:manhattan:100000", None, 4, limits)
    assert result.stopped_by is StopReason.CANCELLED
    assert result.statistics.generated < 1_600
