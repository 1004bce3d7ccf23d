"""Values that are published, or that follow from a board at a glance."""

from __future__ import annotations

import numpy as np
import pytest

from tests.support import naive
from tests.unit.solver.optimal.naive_search import conflicts
from tilework.core.lab.catalogue import estimate_of
from tilework.core.lab.names import LabHeuristic
from tilework.core.lab.problem import Problem
from tilework.core.puzzle.board import Board, Size
from tilework.core.puzzle.goals import blank_first, blank_last


def estimate(heuristic, tiles, goal):
    return estimate_of(LabHeuristic(heuristic), Problem(goal, goal))(tuple(tiles))


@pytest.mark.parametrize(
    ("heuristic", "value"),
    [
        ("zero", 0),
        ("hamming", 5),
        ("hamming-blank", 6),
        ("manhattan", 10),
        ("mean", 7.5),
        ("mean-blank", 8),
        ("sum", 15),
        ("maximum", 10),
    ],
)
def test_a_published_board(heuristic, value):
    assert estimate(heuristic, (8, 1, 3, 4, 0, 2, 7, 6, 5), blank_last(Size(3, 3))) == value


def test_hamming_with_the_blank_is_one_too_high_and_never_more():
    goal = blank_last(Size(3, 3))
    count = estimate_of(LabHeuristic.HAMMING_BLANK, Problem(goal, goal))
    over = {
        count(tiles) - length for tiles, length in naive.distances(naive.solved(3, 3), 3).items()
    }
    assert max(over) == 1


@pytest.mark.parametrize("size", [(3, 3), (5, 2), (2, 7), (6, 6)])
def test_the_simple_ones_on_any_board_and_goal(size):
    width, height = size
    random = np.random.default_rng(width)
    for _ in range(10):
        goal, tiles = (random.permutation(width * height).tolist() for _ in range(2))
        board = Board(goal, width, height)
        hamming, manhattan = naive.hamming(tiles, goal), naive.manhattan(tiles, goal, width)
        wrong = sum(tile != wanted for tile, wanted in zip(tiles, goal, strict=True))
        expected = {
            "hamming": hamming,
            "hamming-blank": wrong,
            "manhattan": manhattan,
            "mean": (hamming + manhattan) / 2,
            "mean-blank": (wrong + manhattan) / 2,
            "sum": hamming + manhattan,
            "maximum": max(hamming, manhattan),
            "linear-conflict": manhattan + conflicts(tiles, goal, width),
        }
        assert {name: estimate(name, tiles, board) for name in expected} == expected


@pytest.mark.parametrize("goal", [blank_last(Size(3, 3)), blank_first(Size(3, 3))])
def test_the_faulty_one_takes_twelve_boards_for_the_goal(goal):
    faulty = estimate_of(LabHeuristic.FAULTY, Problem(goal, goal))
    zeros = [tiles for tiles in naive.distances(tuple(goal.cells.tolist()), 3) if not faulty(tiles)]
    assert len(zeros) == 12
