"""Figures that others have published, to the last node."""

from __future__ import annotations

import pytest

from tests.support import naive
from tests.unit.lab.running import blank_ways, numbers, run_of
from tilework.core.errors import UnsolvableError
from tilework.core.lab.heuristics.hamming import Hamming
from tilework.core.lab.heuristics.hamming_diagonal import HammingDiagonal
from tilework.core.lab.heuristics.manhattan import Manhattan
from tilework.core.lab.method import Method
from tilework.core.lab.names import ALGORITHMS
from tilework.core.lab.problem import Problem
from tilework.core.lab.run import run
from tilework.core.lab.trace import TraceWindow
from tilework.core.puzzle.board import Board
from tilework.core.search.limits import Limits

CORNER = "1 2 3 4 5 X 6 7 8"
SNAIL = (1, 2, 3, 8, 0, 4, 7, 6, 5)
FIRST_STEP = TraceWindow(1, 0)


@pytest.mark.parametrize(
    ("board", "heuristic", "visited", "largest_frontier", "moves"),
    [
        (CORNER, "h1", 165, 105, 13),
        (CORNER, "h2", 81, 56, 13),
        (CORNER, "h3", 102, 64, 13),
        ("1 2 3 4 5 6 X 7 8", "h2", 3, 3, 2),
        ("1 2 3 4 5 6 7 X 8", "h2", 2, 3, 1),
        ("7 5 8 2 3 4 1 X 6", "h2", 4792, 2595, 27),
    ],
)
def test_the_program_that_replaces_visits_what_was_published(
    board, heuristic, visited, largest_frontier, moves
):
    result = run_of(numbers(board), f"a-star-replace:{heuristic}")
    effort = result.statistics
    assert (effort.visited, effort.max_frontier) == (visited, largest_frontier)
    assert len(result.moves) == moves


@pytest.mark.parametrize(
    ("start", "goal", "width", "moves", "taken"),
    [
        ((2, 8, 3, 1, 6, 4, 7, 0, 5), SNAIL, 3, 13_441, 13_748),
        ((3, 2, 0, 1), (0, 1, 2, 3), 2, 7, 8),
    ],
)
def test_the_depth_first_search_that_does_not_ask_at_taking(start, goal, width, moves, taken):
    board, end = Board(start, width), Board(goal, width)
    result = run(board, end, Method.of("depth-first-unchecked"), Limits())
    assert (len(result.moves), result.statistics.visited) == (moves, taken)


def test_the_estimate_of_the_published_greedy_search():
    problem = Problem(Board((8, 1, 3, 4, 0, 2, 7, 6, 5)), Board(naive.solved(3, 3)))
    assert HammingDiagonal(problem)(problem.start) == 6 + 10


def test_the_estimates_of_the_princeton_exercise():
    tiles = (8, 1, 3, 4, 0, 2, 7, 6, 5)
    problem = Problem(Board(tiles), Board(naive.solved(3, 3)))
    assert Hamming(problem)(problem.start) == 5
    assert Manhattan(problem)(problem.start) == 10


@pytest.mark.parametrize("name", [name for name, facts in ALGORITHMS.items() if facts.complete])
def test_the_solution_of_the_princeton_exercise(name):
    tiles = (0, 1, 3, 4, 2, 5, 7, 8, 6)
    method = Method.of(name)
    result = run_of(tiles, method)
    if method.promises_optimum:
        assert tiles_moved(tiles, result) == [1, 2, 5, 6]
    assert len(result.moves) >= 4


@pytest.mark.parametrize("method", ["backtracking", "depth-first-recursive", "breadth-first"])
def test_the_smallest_square_is_solved_by_the_same_five_moves(method):
    result = run_of((3, 2, 0, 1), method, goal=(0, 1, 2, 3), width=2)
    assert blank_ways(result) == "URDLU"


def test_breadth_first_reaches_the_snail_in_five_moves():
    result = run_of((2, 8, 3, 1, 6, 4, 7, 0, 5), "breadth-first", goal=SNAIL)
    assert len(result.moves) == 5


def test_backtracking_with_a_stack_reaches_the_snail_by_a_long_way_round():
    result = run_of((2, 8, 3, 1, 6, 4, 7, 0, 5), "backtracking-stack", goal=SNAIL)
    assert len(result.moves) == 3437
    assert blank_ways(result).startswith("RULLDRRU")


@pytest.mark.parametrize("tiles", [(1, 2, 3, 4, 5, 6, 8, 7, 0), (*range(1, 14), 15, 14, 0)])
@pytest.mark.parametrize("method", ["a-star:manhattan", "backtracking", "breadth-first"])
def test_a_board_with_two_tiles_swapped_is_refused_and_its_inversions_counted(tiles, method):
    with pytest.raises(UnsolvableError) as refused:
        run_of(tiles, method, width=3 if len(tiles) == 9 else 4)
    assert naive.inversions([tile for tile in tiles if tile]) == 1
    assert "Inversions (pairs of tiles in the other order than in the goal): 1." in str(
        refused.value.explanation
    )


def test_estimates_of_the_published_table_count_the_blank_as_its_program_does():
    solved = naive.solved(3, 3)
    tiles = numbers(CORNER)
    misplaced = sum(tile != wanted for tile, wanted in zip(tiles, solved, strict=True))
    first = run_of(tiles, "a-star-replace:hamming-blank", window=FIRST_STEP).trace.steps[0]
    assert first.h == misplaced == naive.hamming(tiles, solved) + 1
    mean = run_of(tiles, "a-star-replace:mean-blank", window=FIRST_STEP).trace.steps[0]
    assert mean.h == (misplaced + naive.manhattan(tiles, solved, 3)) / 2


def tiles_moved(tiles, result):
    moved = []
    for move in result.moves:
        after = naive.moved(tiles, 3, "UDLR"[move])
        moved.append(after[tiles.index(0)])
        tiles = after
    return moved
