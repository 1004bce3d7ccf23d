"""A*: optimal lengths, and proven bounds of stopped searches, with both heuristics."""

import random
from dataclasses import replace

import pytest

from tests.support import naive
from tests.support.instances import load_instances
from tilework.core.errors import UnsolvableError
from tilework.core.puzzle.board import Board, Size
from tilework.core.puzzle.goals import blank_first, blank_last
from tilework.core.puzzle.replay import replay
from tilework.core.puzzle.scramble import scramble
from tilework.core.search.limits import Limits, StopReason
from tilework.core.solver.kernels import a_star as a_star_kernel
from tilework.core.solver.kernels import line_conflicts
from tilework.core.solver.optimal.a_star import a_star, pack
from tilework.core.solver.target import Heuristic


@pytest.fixture(scope="module")
def lengths():
    return naive.distances(naive.solved_tiles(3, 3), 3)


def test_sample_of_8_puzzles(lengths):
    goal = blank_last(Size(3, 3))
    sample = random.Random(8).sample(sorted(lengths), 60)
    sample += [tiles for tiles, length in lengths.items() if length == 31]
    for tiles in sample:
        board = Board(tiles, 3, 3)
        for heuristic in (Heuristic.AUTO, Heuristic.MANHATTAN):
            result = a_star(board, goal, heuristic=heuristic)
            assert result.upper_bound == result.lower_bound == lengths[tiles]
            replay(board, result.moves, goal)


@pytest.mark.parametrize("size", [(2, 4), (3, 2), (2, 2)], ids=str)
def test_rectangles_with_the_goal_blank_anywhere(size):
    width, height = size
    random_ = random.Random(width * 10 + height)
    for blank in range(width * height):
        tiles = list(range(1, width * height))
        random_.shuffle(tiles)
        tiles.insert(blank, 0)
        lengths = naive.distances(tuple(tiles), width)
        for start in random_.sample(sorted(lengths), min(12, len(lengths))):
            result = a_star(Board(start, *size), Board(tiles, *size))
            assert result.upper_bound == result.lower_bound == lengths[start]


def test_python_kernels_expand_the_same_nodes(monkeypatch):
    goal = blank_last(Size(3, 3))
    boards = [scramble(goal.size, goal, seed=seed) for seed in range(8)]
    compiled = [a_star(board, goal) for board in boards]
    for kernel in (a_star_kernel.expand, a_star_kernel.fill_slots, line_conflicts.distance):
        monkeypatch.setattr(kernel, "call_on_small_input", kernel.py_func)
    for board, expected in zip(boards, compiled, strict=True):
        result = a_star(board, goal)
        assert result.moves.tolist() == expected.moves.tolist()
        assert replace(result.statistics, seconds=0.0) == replace(expected.statistics, seconds=0.0)


def test_growing_tables_lose_no_nodes():
    # A board of sixteen cells uses all bits of a word.
    goal = blank_first(Size(4, 4))
    board = scramble(goal.size, goal, seed=1, moves=40)
    assert pack(Board(list(range(16)), 4, 4)) < 0
    result = a_star(board, goal)
    replay(board, result.moves, goal)
    assert result.optimal
    assert result.upper_bound <= 40
    goal = blank_last(Size(3, 4))
    board = scramble(goal.size, goal, seed=9)
    by_conflicts = a_star(board, goal)
    by_manhattan = a_star(board, goal, heuristic=Heuristic.MANHATTAN)
    assert by_conflicts.upper_bound == by_manhattan.upper_bound
    assert by_manhattan.statistics.expanded > 4096 * 4
    assert by_manhattan.statistics.max_frontier < by_manhattan.statistics.generated


def test_bound_of_a_stopped_search_is_valid(lengths):
    goal = blank_last(Size(3, 3))
    for tiles in random.Random(3).sample(sorted(lengths), 30):
        result = a_star(Board(tiles, 3, 3), goal, limits=Limits(nodes=200))
        assert result.lower_bound <= lengths[tiles]
        assert (result.lower_bound - lengths[tiles]) % 2 == 0
        assert result.optimal or result.stopped_by is StopReason.NODES


def test_memory_limit_stops_the_search():
    goal = blank_last(Size(4, 4))
    hardest = load_instances("hardest_15puzzle.txt")[0]
    result = a_star(hardest.board, goal, limits=Limits(memory_bytes=2_000_000))
    assert (result.stopped_by, result.moves) == (StopReason.MEMORY, None)


def test_unreachable_goal_is_an_error():
    for heuristic in (Heuristic.MANHATTAN, Heuristic.LINEAR_CONFLICT):
        with pytest.raises(UnsolvableError, match="cannot be reached from"):
            a_star(Board([2, 1, 3, 0]), Board([1, 2, 3, 0]), heuristic=heuristic)
