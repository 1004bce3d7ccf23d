"""Estimates of pattern databases are lower bounds, for any goal."""

from dataclasses import replace

import numpy as np
import pytest

from tests.support import naive
from tilework.core.puzzle.board import Board, Size
from tilework.core.solver.heuristics.additive_patterns import AdditivePatterns, RankedPatterns
from tilework.core.solver.pdb.breadth_first import build
from tilework.core.solver.pdb.partitions import Partition


def estimate(patterns, cells):
    return (patterns.make_words(cells) & 255).reshape(2, -1).sum(axis=1).max()


CORNER = Partition("4-4", Size(3, 3), ((1, 2, 4, 5), (3, 6, 7, 8)))
# (6, 8) encloses the last cell.
ANYWHERE = Partition("4-4", Size(3, 3), ((1, 2, 6, 8), (3, 4, 5, 7)), allows_any_blank=True)


@pytest.mark.parametrize(
    ("partition", "goal"),
    [
        (CORNER, (1, 2, 3, 4, 5, 6, 7, 8, 0)),
        (CORNER, (3, 1, 0, 7, 8, 2, 5, 4, 6)),
        (ANYWHERE, (5, 1, 8, 2, 0, 7, 3, 6, 4)),
    ],
)
def test_is_a_lower_bound_with_the_parity_of_the_distance(partition, goal):
    patterns = AdditivePatterns.from_partition(partition, build(partition), Board(goal))
    stronger = 0
    for tiles, length in list(naive.distances(goal, 3).items())[::131]:
        value = estimate(patterns, np.array(tiles))
        manhattan = naive.manhattan(tiles, goal, 3)
        assert manhattan <= value <= length
        assert value % 2 == length % 2
        stronger += value > manhattan
    assert stronger > 180
    assert estimate(patterns, np.array(goal)) == 0


def test_region_of_the_blank_raises_lower_bounds():
    goal = (1, 2, 3, 4, 5, 6, 7, 8, 0)
    partition = replace(CORNER, ranked=True)
    entries, board = build(partition), Board(goal)
    zero_aware, smallest = (
        RankedPatterns(partition, entries, board, zero_aware=zero_aware)
        for zero_aware in (True, False)
    )
    digits = AdditivePatterns.from_partition(CORNER, build(CORNER), board)
    raised = 0
    for tiles, length in list(naive.distances(goal, 3).items())[::131]:
        cells = np.array(tiles)
        placements, blank = zero_aware.placements(cells), tiles.index(0)
        values = zero_aware.distances(placements, blank).reshape(2, -1).sum(axis=1)
        distances = smallest.distances(placements, blank)
        assert np.array_equal(distances, digits.entries[digits.indices(cells)])
        assert values.max() <= length
        assert values[0] % 2 == values[1] % 2 == length % 2
        raised += values.max() > distances.reshape(2, -1).sum(axis=1).max()
    assert raised > 180


@pytest.mark.parametrize("size", [(2, 2), (3, 2), (2, 4)], ids=str)
def test_estimates_of_small_boards_are_lower_bounds(size):
    goal = tuple(np.random.default_rng(1).permutation(size[0] * size[1]).tolist())
    patterns = AdditivePatterns.from_small_board(Board(goal, *size))
    lengths = naive.distances(goal, size[0])
    estimates = {tiles: int(estimate(patterns, np.array(tiles))) for tiles in lengths}
    assert estimates[goal] == 0
    for tiles, value in estimates.items():
        assert value <= lengths[tiles]
        assert (lengths[tiles] - value) % 2 == 0
    manhattan = sum(naive.manhattan(tiles, goal, size[0]) for tiles in lengths)
    assert sum(estimates.values()) >= manhattan
