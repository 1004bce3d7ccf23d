"""The best lower bound is one: against breadth-first search and published optimal lengths."""

from __future__ import annotations

import numpy as np
import pytest

from tests.support import naive
from tests.support.instances import instances
from tilework.core.formats.bound_proof import BoundProof
from tilework.core.puzzle.board import Board, Size
from tilework.core.puzzle.goals import blank_first, blank_last
from tilework.core.puzzle.scramble import scramble
from tilework.core.search.limits import Limits
from tilework.core.solver.heuristics.best_bound import best_lower_bound
from tilework.core.solver.heuristics.lower_bound import lower_bound
from tilework.core.solver.solve import solve

SOON = Limits(nodes=20_000)


def bound_of(board, goal, length):
    found = best_lower_bound(board, goal, SOON)
    assert lower_bound(board, goal) <= found.value <= length
    assert (found.value - length) % 2 == 0
    return found.value


@pytest.mark.parametrize("size", [(3, 3), (4, 2), (2, 4), (3, 2)])
def test_never_more_than_the_distance_and_of_its_parity(size):
    random = np.random.default_rng(size[0])
    width, height = size
    better = 0
    for _ in range(2):
        goal = random.permutation(width * height)
        lengths = list(naive.distances(tuple(goal.tolist()), width).items())
        wanted = Board(goal, width, height)
        for tiles, length in lengths[:: 1 + len(lengths) // 50]:
            board = Board(tiles, width, height)
            better += bound_of(board, wanted, length) > lower_bound(board, wanted)
    assert better > 12


@pytest.mark.parametrize("size", [(4, 3), (3, 4), (5, 3), (7, 2)])
def test_never_more_than_the_optimum_of_rectangles(size):
    random = np.random.default_rng(8)
    for seed in range(4):
        goal = Board(random.permutation(size[0] * size[1]), *size)
        board = scramble(goal.size, goal, seed)
        # Boards this small are searched without groups of tiles.
        bound_of(board, goal, solve(board, goal).upper_bound)


@pytest.mark.parametrize(
    ("name", "least"),
    [("korf100_15puzzle.txt", 4.0), ("hardest_15puzzle.txt", 3.0), ("korf50_24puzzle.txt", 3.0)],
)
def test_never_more_than_published_optima(name, least):
    gains = []
    for one in instances(name):
        if one.length is not None:
            board = Board(one.tiles, one.width, one.height)
            goal = blank_first(board.size)
            gains.append(bound_of(board, goal, one.length) - lower_bound(board, goal))
    assert np.mean(gains) >= least


@pytest.mark.parametrize("side", [6, 9, 16])
def test_walks_are_never_shorter_than_the_bound(side):
    goal = blank_last(Size(side, side))
    for moves in (10, 60, 200):
        board = scramble(goal.size, goal, 7, moves=moves)
        value = best_lower_bound(board, goal, SOON).value
        assert value <= moves
        assert value % 2 == moves % 2


@pytest.mark.parametrize("size", [(1, 5), (6, 1), (2, 40), (30, 3), (12, 7), (40, 40)])
def test_any_size_and_goal(size):
    random = np.random.default_rng(9)
    goal = Board(random.permutation(size[0] * size[1]), *size)
    board = scramble(goal.size, goal, 2)
    found = best_lower_bound(board, goal, SOON)
    assert found.value >= lower_bound(board, goal)
    assert (found.value - lower_bound(board, goal)) % 2 == 0
    assert best_lower_bound(goal, goal).value == 0


def test_each_bound_names_the_simplest_proof():
    goal = blank_last(Size(3, 3))
    one_move = Board([1, 2, 3, 4, 5, 6, 7, 0, 8])
    assert best_lower_bound(one_move, goal).proof is BoundProof.MANHATTAN
    turned = Board([3, 2, 1, 4, 5, 6, 7, 8, 0], 3)
    without = best_lower_bound(turned, goal, Limits(nodes=0))
    assert (without.value, without.proof) == (8, BoundProof.LINEAR_CONFLICT)
    far = Board([8, 6, 7, 2, 5, 4, 3, 0, 1])
    assert best_lower_bound(far, goal).proof is BoundProof.TILE_GROUPS
    huge = blank_last(Size(60, 60))
    assert best_lower_bound(scramble(huge.size, huge, 1), huge).proof is BoundProof.LINEAR_CONFLICT
