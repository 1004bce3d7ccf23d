"""Whole state spaces, against breadth-first searches and published counts."""

from collections import Counter

import numpy as np
import pytest

from tests.support import layers, naive
from tests.support.instances import read_level_counts
from tests.unit.solver.pdb.test_building import check_entries
from tests.unit.solver.test_shortest_paths import compare_paths, find_path_starts
from tests.unit.solver.test_slides import solve_all
from tilework.core.puzzle.board import Board, Size
from tilework.core.puzzle.canonical import canonicalize
from tilework.core.puzzle.goals import blank_at, blank_last
from tilework.core.solver.optimal.a_star import a_star
from tilework.core.solver.optimal.ida_star import ida_star
from tilework.core.solver.pdb.partitions import Partition
from tilework.core.solver.target import Heuristic

GOAL_3X3 = blank_last(Size(3, 3))


@pytest.mark.parametrize(
    ("search", "heuristic"),
    [(a_star, Heuristic.AUTO), (ida_star, Heuristic.AUTO), (ida_star, Heuristic.LINEAR_CONFLICT)],
)
def test_shortest_solutions_of_all_8_puzzles(search, heuristic):
    counts: Counter[int] = Counter()
    for tiles, length in naive.distances(naive.solved_tiles(3, 3), 3).items():
        result = search(Board(tiles), GOAL_3X3, heuristic=heuristic)
        assert result.lower_bound == result.upper_bound == len(result.moves) == length
        counts[length] += 1
    assert [counts[depth] for depth in range(32)] == read_level_counts(3, 3)


@pytest.mark.timeout(1_200)
def test_numbers_of_shortest_solutions_of_all_8_puzzles():
    levels = list(layers.layers(3, 3))
    assert compare_paths(levels, find_path_starts(levels)) == 181_440


@pytest.mark.timeout(1_200)
@pytest.mark.parametrize(("width", "height", "share"), [(4, 2, 1), (3, 3, 1), (5, 2, 0.02)])
def test_fewest_slides_of_all_boards(width, height, share):
    solve_all(width, height, share)


def test_entries_of_a_board_on_which_a_tile_passes_four_others():
    patterns = ((6, 1, 2, 7, 3), (4, 9, 8, 5))
    check_entries(Partition("5-4", Size(5, 2), patterns, ranked=True))


@pytest.mark.parametrize("blank", [8, 4])
def test_8_puzzles_with_the_same_key_have_the_same_length(blank):
    goal = blank_at(Size(3, 3), blank)
    depth = naive.distances(tuple(goal.cells.tolist()), 3)
    lengths = {}
    for tiles, length in depth.items():
        board = Board.trusted(np.array(tiles, dtype=np.int32), goal.size)
        assert lengths.setdefault(canonicalize(board, goal).key, length) == length
    assert len(lengths) < len(depth) * 0.6
