"""Published optimal lengths: Korf's boards and the hardest boards."""

from pathlib import Path

import pytest

from tests.support.instances import load_instances
from tilework.core.puzzle.board import Board, Size
from tilework.core.puzzle.goals import blank_first, blank_last
from tilework.core.puzzle.replay import replay
from tilework.core.solver.large.beam import beam_search
from tilework.core.solver.optimal.engine_choice import select_additive_engine
from tilework.core.solver.optimal.ida_star import ida_star
from tilework.core.solver.solve import solve

EIGHTY_MOVES = [
    instance for instance in load_instances("hardest_15puzzle.txt") if instance.length == 80
]
HARDEST_12 = [
    (6, 2, (0, 11, 4, 3, 2, 1, 6, 5, 10, 9, 8, 7), 80),
    (6, 2, (0, 6, 4, 3, 8, 1, 11, 5, 10, 9, 2, 7), 80),
    (4, 3, (0, 8, 6, 9, 11, 7, 10, 1, 4, 3, 2, 5), 53),
    (4, 3, (8, 7, 5, 9, 4, 3, 10, 2, 0, 11, 6, 1), 53),
]
"""Found by searching the whole state space breadth-first from the blank-last goal."""


@pytest.mark.timeout(1_800)
@pytest.mark.parametrize("instance", EIGHTY_MOVES[::4], ids=lambda instance: instance.name)
def test_hardest_15_puzzles(instance, pattern_databases: Path):
    goal = blank_last(Size(4, 4))
    result = ida_star(instance.board, goal, pdb_folder=pattern_databases)
    assert len(result.moves) == result.lower_bound == 80


@pytest.mark.timeout(1_800)
def test_korfs_hundred_15_puzzles(pattern_databases: Path):
    for instance in load_instances("korf100_15puzzle.txt"):
        goal = blank_first(instance.board.size)
        result = solve(instance.board, goal, pdb_folder=pattern_databases)
        assert len(result.moves) == result.lower_bound == instance.length


@pytest.mark.parametrize(("width", "height", "tiles", "length"), HARDEST_12)
def test_hardest_boards_of_twelve_cells(width, height, tiles, length):
    board = Board(tiles, width, height)
    result = solve(board, blank_last(board.size))
    assert result.lower_bound == result.upper_bound == length


def test_beams_are_close_to_published_lengths(pattern_databases: Path):
    for instance in load_instances("korf100_15puzzle.txt")[:20]:
        board = instance.board
        goal = blank_first(board.size)
        patterns = select_additive_engine(goal, pattern_databases).patterns
        outcome = beam_search(board, goal, 3000, patterns, upper_bound=999)
        replay(board, outcome.moves, goal)
        assert instance.length <= len(outcome.moves) <= instance.length + 4
