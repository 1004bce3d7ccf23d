import re
from pathlib import Path

import pytest

from tests.support import naive
from tests.unit.lab.runs import (
    HARDEST,
    blank_moves,
    check_length,
    optimal_length,
    random_boards,
    run_method,
    trace_steps,
    walked_boards,
)
from tilework.core.lab.meter import Meter, SearchStopped
from tilework.core.lab.methods import ALGORITHMS, HEURISTICS, LabAlgorithm, Method
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


def test_no_board_is_expanded_twice():
    uninformed = ("backtracking-visited", "backtracking-stack", "depth-first", "breadth-first")
    informed = ("greedy", "a-star", "a-star-closed", "a-star-decrease-key")
    for names, tiles in ((uninformed, (4, 1, 0, 3, 2, 5)), (informed, random_boards(1)[0])):
        for name in names:
            boards = [step.board for step in trace_steps(tiles, name)]
            assert len({*boards}) == len(boards)


def test_iterative_deepening_raises_its_limit_by_two():
    tiles = next(board for board in walked_boards(16) if optimal_length(board) == 7)
    steps = trace_steps(tiles, "iterative-deepening")
    assert [step.node for step in steps if step.parent is None] == [0, 0, 0, 0]
    cut = {child.g for s in steps for child in s.children if child.outcome is Outcome.CUT}
    assert cut == {1, 3, 5, 7}


# Depth-first solutions of 3×3 boards have tens of thousands of moves.
DEPTH_FIRST = ("backtracking", "depth-first")
SMALL_GOALS = [
    ((1, 2, 3, 4, 5, 0), 3),
    ((1, 2, 3, 4, 5, 0), 2),
    ((5, 3, 1, 2, 0, 4), 3),
    ((1, 2, 3, 0), 2),
    ((1, 2, 3, 0, 4), 5),
    ((1, 2, 3, 0, 4), 1),
    ((0,), 1),
]


@pytest.mark.parametrize("name", list(LabAlgorithm))
def test_small_boards_with_several_goals_and_every_heuristic(name):
    for goal, width in SMALL_GOALS:
        lengths = naive.distances(goal, width)
        for tiles in [goal, *sorted(lengths)[:: max(1, len(lengths) // 5)]]:
            result = check_length(tiles, Method.of(name), lengths[tiles], goal=goal, width=width)
            assert (result.statistics.expanded == 0) is (tiles == goal)
    lengths = naive.distances(naive.solved_tiles(3, 2), 3)
    for heuristic in HEURISTICS if ALGORITHMS[name].informed else [None]:
        method = Method.of(name, heuristic, width=20 if name == "beam" else None)
        for tiles in sorted(lengths)[5::120]:
            check_length(tiles, method, lengths[tiles])
        if not name.startswith(DEPTH_FIRST):
            for tiles in walked_boards(16)[13:]:
                check_length(tiles, method, optimal_length(tiles))


@pytest.mark.parametrize("name", list(LabAlgorithm))
def test_random_boards_and_a_long_line(name):
    if not name.startswith(DEPTH_FIRST):
        is_quick = ALGORITHMS[name].informed or name is LabAlgorithm.BIDIRECTIONAL
        for tiles in random_boards(4) if is_quick else walked_boards(16)[1::3]:
            check_length(tiles, Method.of(name), optimal_length(tiles))
    if ALGORITHMS[name].complete and name is not LabAlgorithm.ITERATIVE_DEEPENING:
        # Deeper than the recursion limit.
        check_length((0, *range(1, 710)), Method.of(name), 709, width=710)


DOCS = Path(__file__).parents[4] / "docs"
PUBLISHED = re.compile(
    r"^\| ([\dX ]+) \| (h\d), `[a-z-]+` \| (\d+) \| (\d+) \| (\d+) \|$", re.MULTILINE
)
SPIRAL = (1, 2, 3, 8, 0, 4, 7, 6, 5)


def test_a_star_replace_matches_published_figures():
    rows, translated = (
        PUBLISHED.findall((DOCS / page).read_text("utf-8"))
        for page in ("algorithms.md", "algorithms.pt.md")
    )
    assert rows == translated
    assert len(rows) == 6
    for board, heuristic, *figures in rows:
        tiles = tuple(0 if word == "X" else int(word) for word in board.split())
        result = run_method(tiles, f"a-star-replace:{heuristic}")
        did = result.statistics
        assert [did.visited, did.max_frontier, len(result.moves)] == [*map(int, figures)]


@pytest.mark.parametrize(
    ("start", "goal", "width", "moves", "visited"),
    [
        ((2, 8, 3, 1, 6, 4, 7, 0, 5), SPIRAL, 3, 13_441, 13_748),
        ((3, 2, 0, 1), (0, 1, 2, 3), 2, 7, 8),
    ],
)
def test_depth_first_unchecked_matches_published_figures(start, goal, width, moves, visited):
    result = run_method(start, "depth-first-unchecked", goal=goal, width=width)
    assert (len(result.moves), result.statistics.visited) == (moves, visited)


def test_2x2_board_is_solved_in_the_published_five_moves():
    for method in ("backtracking", "depth-first-recursive", "breadth-first"):
        assert blank_moves(run_method((3, 2, 0, 1), method, goal=(0, 1, 2, 3), width=2)) == "URDLU"


def test_spiral_goal_by_breadth_first_search_and_backtracking():
    tiles = (2, 8, 3, 1, 6, 4, 7, 0, 5)
    assert len(run_method(tiles, "breadth-first", goal=SPIRAL).moves) == 5
    result = run_method(tiles, "backtracking-stack", goal=SPIRAL)
    assert len(result.moves) == 3437
    assert blank_moves(result).startswith("RULLDRRU")
