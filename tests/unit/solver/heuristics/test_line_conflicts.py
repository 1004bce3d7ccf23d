import numpy as np
import pytest

from tests.support import naive
from tests.unit.solver.optimal.naive_search import conflicts
from tilework.core.puzzle.board import Board, Size
from tilework.core.puzzle.goals import blank_last
from tilework.core.solver.heuristics.line_conflicts import LineConflicts


@pytest.mark.parametrize("goal", [blank_last(Size(3, 3)), Board([3, 1, 4, 8, 0, 2, 6, 5, 7])])
def test_never_more_than_the_distance(goal):
    lines = LineConflicts(goal)
    lengths = naive.distances(tuple(goal.cells.tolist()), 3)
    for tiles, length in list(lengths.items())[::23]:
        assert lines.estimate(np.array(tiles)) <= length


@pytest.mark.parametrize("size", [(4, 4), (6, 6), (7, 2), (2, 5), (1, 6), (12, 3)])
def test_manhattan_and_the_fewest_tiles_that_step_aside(size):
    width, height = size
    random = np.random.default_rng(width)
    for _ in range(20):
        goal = random.permutation(width * height)
        # Most tiles stay in their rows, so that there are conflicts.
        tiles = goal.reshape(height, width).copy()
        for row in tiles:
            random.shuffle(row)
        cells = tiles.reshape(-1)
        expected = naive.manhattan(cells.tolist(), goal.tolist(), width)
        expected += conflicts(cells.tolist(), goal.tolist(), width)
        assert LineConflicts(Board(goal, width, height)).estimate(cells) == expected


def test_two_neighbors_exchanged_cost_two_more():
    assert LineConflicts(blank_last(Size(3, 1))).estimate(np.array([2, 1, 0])) == 4
