"""Guarantees and published values of the heuristics.

The boards, their distances and their moves come from `tests.support.naive`, an independent
breadth-first search. If a property is not guaranteed, some board must violate it.
"""

import numpy as np
import pytest

from tests.support import naive
from tests.unit.solver.optimal.naive_search import count_conflict_moves
from tilework.core.lab.heuristics.hamming import HammingDiagonal
from tilework.core.lab.heuristics.linear_conflict import LinearConflict
from tilework.core.lab.methods import HEURISTICS, LabHeuristic
from tilework.core.lab.problem import Problem
from tilework.core.lab.run import make_heuristic
from tilework.core.puzzle.board import Board, Size
from tilework.core.puzzle.goals import blank_first, blank_last, spiral


def estimate(heuristic, tiles, goal):
    return make_heuristic(LabHeuristic(heuristic), Problem(goal, goal))(tuple(tiles))


def check_guarantees(goal, step=1):
    """Check the guarantees of all heuristics on the nearest boards and a sample of the others."""
    distances = naive.distances(tuple(goal.cells.tolist()), goal.width)
    boards = list(distances)
    boards = boards[:60] + boards[60::step]
    problem = Problem(goal, goal)
    estimates = {name: make_heuristic(name, problem) for name in LabHeuristic}
    for name, facts in HEURISTICS.items():
        values = {tiles: estimates[name](tiles) for tiles in boards}
        assert values[boards[0]] == min(values.values()) == 0
        error = max(value - distances[tiles] for tiles, value in values.items())
        largest_change = max(
            abs(value - estimates[name](neighbor))
            for tiles, value in values.items()
            for letter in "UL"  # the other two undo these
            if (neighbor := naive.apply_move(tiles, goal.width, letter)) is not None
        )
        assert (name, error <= 0) == (name, facts.admissible)
        assert (name, largest_change <= 1) == (name, facts.consistent)
        assert name is not LabHeuristic.HAMMING_BLANK or error == 1
    for tiles in boards:
        value = {str(name): estimates[name](tiles) for name in LabHeuristic}
        stronger = (value[name] for name in ("linear-conflict", "pattern-database"))
        assert min(*stronger, value["walking-distance"]) >= value["manhattan"]
        assert value["manhattan"] >= value["mean"] >= value["hamming"]
        assert value["manhattan"] == value["maximum"] >= value["faulty"]


@pytest.mark.parametrize(
    ("goal", "step"),
    [
        (blank_last(Size(3, 3)), 997),
        (Board([3, 1, 4, 8, 0, 2, 6, 5, 7]), 997),
        (blank_first(Size(3, 2)), 1),
        (spiral(Size(2, 3)), 1),
        (blank_last(Size(2, 2)), 1),
    ],
)
def test_guarantees(goal, step):
    check_guarantees(goal, step)


def test_published_values_of_a_board():
    tiles, goal = (8, 1, 3, 4, 0, 2, 7, 6, 5), blank_last(Size(3, 3))
    values = {"zero": 0, "hamming": 5, "hamming-blank": 6, "manhattan": 10}
    values |= {"mean": 7.5, "mean-blank": 8, "sum": 15, "maximum": 10}
    assert {name: estimate(name, tiles, goal) for name in values} == values
    # The heuristic of the published greedy search.
    assert HammingDiagonal(Problem(goal, goal))(tiles) == 6 + 10


def test_faulty_heuristic_is_zero_on_other_boards():
    goal = blank_last(Size(3, 3))
    # 2 and 4, and 3 and 7, are swapped: each is as many rows as columns from its goal.
    assert estimate("faulty", (1, 4, 7, 2, 5, 6, 3, 8, 0), goal) == 0
    assert estimate("faulty", (8, 2, 3, 4, 5, 6, 7, 1, 0), goal) == 3 + 3


@pytest.mark.parametrize("size", [(3, 3), (5, 2), (2, 7), (6, 6)])
def test_simple_heuristics_on_any_board_and_goal(size):
    width, height = size
    random = np.random.default_rng(width)
    for _ in range(10):
        goal = random.permutation(width * height)
        # Most tiles stay in their rows, so that there are conflicts.
        tiles = random.permuted(goal.reshape(height, width), axis=1).reshape(-1).tolist()
        goal = goal.tolist()
        board = Board(goal, width, height)
        hamming, manhattan = naive.hamming(tiles, goal), naive.manhattan(tiles, goal, width)
        wrong = sum(tile != goal_tile for tile, goal_tile in zip(tiles, goal, strict=True))
        expected = {
            "hamming": hamming,
            "hamming-blank": wrong,
            "manhattan": manhattan,
            "mean": (hamming + manhattan) / 2,
            "mean-blank": (wrong + manhattan) / 2,
            "sum": hamming + manhattan,
            "maximum": max(hamming, manhattan),
            "linear-conflict": manhattan + count_conflict_moves(tiles, goal, width),
        }
        assert {name: estimate(name, tiles, board) for name in expected} == expected


def test_evicted_lines_are_recomputed(monkeypatch):
    goal = blank_last(Size(3, 3))
    monkeypatch.setattr("tilework.core.lab.heuristics.linear_conflict._CACHED_LINES", 6)
    heuristic = LinearConflict(Problem(goal, goal))
    boards = [(2, 1, 3, 4, 5, 6, 7, 8, 0), (1, 2, 3, 5, 4, 6, 7, 8, 0), tuple(goal.cells.tolist())]
    assert [heuristic(board) for board in boards * 2] == [4, 4, 0, 4, 4, 0]
