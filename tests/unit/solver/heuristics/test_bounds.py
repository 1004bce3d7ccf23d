"""Lower bounds of boards, against naive distances, breadth-first search and published lengths."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support import naive
from tests.support.instances import load_instances
from tests.support.strategies import boards
from tests.unit.solver.optimal.naive_search import count_conflict_moves
from tilework.core.puzzle.board import Board, Size
from tilework.core.puzzle.goals import blank_first, blank_last
from tilework.core.puzzle.metric import BoundProof
from tilework.core.puzzle.scramble import scramble
from tilework.core.search.limits import Limits
from tilework.core.solver.heuristics.lower_bounds import best_lower_bound, lower_bound
from tilework.core.solver.optimal.engines import LineEngine
from tilework.core.solver.optimal.move_pruning import pruning_rules


@given(data=st.data())
def test_equals_manhattan_distance_without_conflicts(data):
    goal = data.draw(boards(largest=9))
    board = data.draw(boards(size=tuple(goal.size)))
    expected = naive.manhattan(board.cells.tolist(), goal.cells.tolist(), goal.width)
    assert lower_bound(board, goal, conflicts=False) == expected
    assert (lower_bound(board, goal) - expected) % 2 == 0
    assert lower_bound(board, goal) >= expected


@pytest.mark.parametrize("size", [(4, 4), (6, 6), (2, 5), (1, 6), (12, 3)])
def test_linear_conflicts_add_the_fewest_moves_that_resolve_them(size):
    width, height = size
    random = np.random.default_rng(width)
    for _ in range(8):
        goal = random.permutation(width * height)
        # Most tiles stay in their rows, so that there are conflicts.
        tiles = goal.reshape(height, width).copy()
        for row in tiles:
            random.shuffle(row)
        cells = tiles.reshape(-1)
        expected = naive.manhattan(cells.tolist(), goal.tolist(), width)
        expected += count_conflict_moves(cells.tolist(), goal.tolist(), width)
        engine = LineEngine("lines", Board(goal, width, height), pruning_rules(Size(*size), 2))
        assert engine.start(Board(cells, width, height)).estimate == expected


def compute_bound(board, goal, length):
    bound = best_lower_bound(board, goal, Limits(nodes=20_000))
    assert lower_bound(board, goal) <= bound.value <= length
    assert (bound.value - length) % 2 == 0
    return bound.value


@pytest.mark.parametrize("size", [(3, 3), (2, 4)])
def test_is_a_lower_bound_with_the_parity_of_the_distance(size):
    random = np.random.default_rng(size[0])
    width, height = size
    stronger = 0
    for _ in range(2):
        goal = random.permutation(width * height)
        lengths = list(naive.distances(tuple(goal.tolist()), width).items())
        target = Board(goal, width, height)
        for tiles, length in lengths[:: 1 + len(lengths) // 25]:
            board = Board(tiles, width, height)
            stronger += compute_bound(board, target, length) > lower_bound(board, target)
    assert stronger > 6


@pytest.mark.parametrize(
    ("name", "make_goal", "minimum_mean"),
    [
        ("korf100_15puzzle.txt", blank_first, 4.0),
        ("hardest_15puzzle.txt", blank_last, 5.0),
        ("korf50_24puzzle.txt", blank_first, 3.0),
    ],
)
def test_never_exceeds_published_lengths(name, make_goal, minimum_mean):
    gains = []
    for instance in load_instances(name)[::5]:
        board, goal = instance.board, make_goal(instance.board.size)
        gains.append(compute_bound(board, goal, instance.length) - lower_bound(board, goal))
    assert np.mean(gains) >= minimum_mean


def test_each_bound_has_its_simplest_proof():
    goal = blank_last(Size(3, 3))
    one_move = Board([1, 2, 3, 4, 5, 6, 7, 0, 8])
    assert best_lower_bound(one_move, goal).proof is BoundProof.MANHATTAN
    rotated = Board([3, 2, 1, 4, 5, 6, 7, 8, 0], 3)
    weaker = best_lower_bound(rotated, goal, Limits(nodes=0))
    assert (weaker.value, weaker.proof) == (8, BoundProof.LINEAR_CONFLICT)
    far = Board([8, 6, 7, 2, 5, 4, 3, 0, 1])
    assert best_lower_bound(far, goal).proof is BoundProof.TILE_GROUPS
    huge = blank_last(Size(60, 60))
    assert best_lower_bound(scramble(huge.size, huge, 1), huge).proof is BoundProof.LINEAR_CONFLICT
