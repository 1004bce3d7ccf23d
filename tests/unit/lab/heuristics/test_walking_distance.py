from __future__ import annotations

import numpy as np
import pytest

from tests.support import naive
from tests.support.instances import instances
from tilework.core.errors import OptionError
from tilework.core.lab.heuristics.walking_distance import WalkingDistance
from tilework.core.lab.problem import Problem
from tilework.core.puzzle.board import Board, Size
from tilework.core.puzzle.goals import blank_first, blank_last, spiral


def walking_distance(goal):
    return WalkingDistance(Problem(goal, goal))


def between_rows(goal, width):
    """Moves up and down by breadth-first search over boards whose tiles know only their row."""
    home = {tile: cell // width for cell, tile in enumerate(goal)}

    def blurred(tiles):
        rows = zip(*[iter(tiles)] * width, strict=True)
        return tuple(tuple(sorted(home[tile] if tile else -1 for tile in row)) for row in rows)

    depth = {blurred(goal): 0}
    queue = [blurred(goal)]
    for rows in queue:
        blank = next(index for index, row in enumerate(rows) if row[0] == -1)
        for other in (blank - 1, blank + 1):
            if 0 <= other < len(rows):
                for tile in set(rows[other]):
                    after = [list(row) for row in rows]
                    after[other][after[other].index(tile)] = -1
                    after[blank][0] = tile
                    known = tuple(tuple(sorted(row)) for row in after)
                    if known not in depth:
                        depth[known] = depth[rows] + 1
                        queue.append(known)
    return lambda tiles: depth[blurred(tiles)]


def turned(tiles, width):
    """The board with rows for columns."""
    return tuple(tile for column in range(width) for tile in tiles[column::width])


@pytest.mark.parametrize(
    "goal",
    [blank_last(Size(3, 3)), spiral(Size(4, 3)), blank_first(Size(2, 4)), blank_last(Size(5, 2))],
)
def test_rows_and_columns_each_by_their_own_search(goal):
    width, height = goal.size
    tiles = tuple(goal.cells.tolist())
    rows, columns = between_rows(tiles, width), between_rows(turned(tiles, width), height)
    estimate = walking_distance(goal)
    random = np.random.default_rng(1)
    for _ in range(100):
        board = tuple(random.permutation(width * height).tolist())
        assert estimate(board) == rows(board) + columns(turned(board, width))


def test_never_more_than_known_lengths():
    goal = blank_first(Size(4, 4))
    estimate = walking_distance(goal)
    for instance in instances("korf100_15puzzle.txt"):
        distance = naive.manhattan(instance.tiles, tuple(range(16)), 4)
        assert distance <= estimate(instance.tiles) <= instance.length


@pytest.mark.parametrize("size", [(5, 5), (5, 3), (3, 5), (6, 2), (10, 10), (11, 1)])
def test_a_board_too_large_is_refused_at_once(size):
    with pytest.raises(OptionError, match=rf"{size[0]}×{size[1]}; .* up to 4×4 and 5×2"):
        walking_distance(blank_last(Size(*size)))


def test_one_cell_and_one_row():
    assert walking_distance(Board([0]))((0,)) == 0
    assert walking_distance(blank_last(Size(3, 1)))((0, 1, 2)) == 2
