import numpy as np
import pytest

from tests.support import naive
from tests.unit.solver.pdb.naive_patterns import pattern_distances
from tilework.core.puzzle.board import Board, Size
from tilework.core.puzzle.goals import blank_last, has_blank_in_corner
from tilework.core.solver.heuristics.additive_patterns import AdditivePatterns
from tilework.core.solver.pdb.building.flooding import build
from tilework.core.solver.pdb.patterns import Partition

PARTITION = Partition("4-4", Size(3, 3), ((1, 2, 4, 5), (3, 6, 7, 8)))
# (6, 8) shuts the last cell in.
ANYWHERE = Partition("4-4", Size(3, 3), ((1, 2, 6, 8), (3, 4, 5, 7)), anywhere=True)

CORNERS = [
    Board([1, 2, 3, 4, 5, 6, 7, 8, 0]),
    Board([0, 1, 2, 3, 4, 5, 6, 7, 8]),
    Board([3, 1, 0, 7, 8, 2, 5, 4, 6]),
    Board([8, 7, 6, 5, 4, 3, 0, 2, 1]),
]


ELSEWHERE = [
    Board([*tiles[:blank], 0, *tiles[blank:]])
    for blank, tiles in enumerate([[5, 1, 8, 2, 7, 3, 6, 4]] * 9)
]


@pytest.fixture(scope="module")
def entries():
    return build(PARTITION)


@pytest.fixture(scope="module")
def entries_anywhere():
    return build(ANYWHERE)


@pytest.mark.parametrize("goal", CORNERS)
def test_never_more_than_the_distance_and_of_its_parity(goal, entries):
    check_estimates(AdditivePatterns(PARTITION, entries, goal), goal)


@pytest.mark.parametrize("goal", ELSEWHERE, ids=lambda goal: f"blank on {goal.blank}")
def test_nor_where_the_goal_has_its_blank_elsewhere(goal, entries_anywhere):
    check_estimates(AdditivePatterns(ANYWHERE, entries_anywhere, goal), goal)


def check_estimates(patterns, goal):
    lengths = naive.distances(tuple(goal.cells.tolist()), 3)
    better = 0
    for tiles, length in list(lengths.items())[::23]:
        estimate = patterns.estimate(np.array(tiles))
        manhattan = naive.manhattan(tiles, tuple(goal.cells.tolist()), 3)
        assert manhattan <= estimate <= length
        assert estimate % 2 == length % 2
        better += estimate > manhattan
    assert better > 1000
    assert patterns.estimate(goal.cells) == 0


def test_the_greater_sum_of_both_views(entries):
    goal = blank_last(Size(3, 3))
    patterns = AdditivePatterns(PARTITION, entries, goal)
    distances = {
        pattern: pattern_distances([tile - 1 for tile in pattern], 8, 3, 3)
        for pattern in PARTITION.patterns
    }
    mirror = [0, 3, 6, 1, 4, 7, 2, 5, 8]
    random = np.random.default_rng(4)
    for _ in range(200):
        cell_of = np.argsort(random.permutation(9)).tolist()
        seen_mirrored = [8] * 9
        for tile in range(1, 9):
            seen_mirrored[mirror[tile - 1] + 1] = mirror[cell_of[tile]]
        sums = [
            sum(distances[p][tuple(cells[tile] for tile in p)] for p in PARTITION.patterns)
            for cells in (cell_of, seen_mirrored)
        ]
        assert patterns.estimate(np.argsort(cell_of)) == max(sums)


def test_steps_lead_from_index_to_index(entries):
    goal = CORNERS[2]
    patterns = AdditivePatterns(PARTITION, entries, goal)
    board = Board([4, 1, 3, 8, 0, 2, 7, 6, 5])
    before = patterns.indices(board.cells)
    for move, after in enumerate(board.neighbors()):
        tile = int(after.cells[board.blank])
        expected = before.copy()
        for view in range(2):
            expected[patterns.slots[view, tile]] += patterns.steps[view, tile, move]
        assert np.array_equal(patterns.indices(after.cells), expected)


def test_corners():
    corners = [
        cell
        for cell in range(12)
        if has_blank_in_corner(Board([*range(1, cell + 1), 0, *range(cell + 1, 12)], 4, 3))
    ]
    assert corners == [0, 3, 8, 11]
