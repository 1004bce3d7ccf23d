"""Beam search: solutions that replay, are never too short, and are optimal in a wide beam."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support import naive
from tests.support.instances import instances
from tests.support.strategies import boards
from tilework.core.puzzle.board import Board, Size
from tilework.core.puzzle.goals import blank_first, blank_last, spiral
from tilework.core.puzzle.moves import to_letters
from tilework.core.puzzle.scramble import scramble
from tilework.core.search.limits import Limits, StopReason
from tilework.core.solver.large.beam import beam_search
from tilework.core.solver.large.constructive import construct
from tilework.core.solver.solve import solve

KORF_15 = instances("korf100_15puzzle.txt")
KORF_24 = instances("korf50_24puzzle.txt")

EVERY_3X3 = 100_000
"""A beam of this width loses nothing of a 3×3 board's levels."""


def board_of(instance):
    return Board(instance.tiles, instance.width, instance.height)


def assert_solves(board, goal, moves):
    reached = naive.played(tuple(board.cells.tolist()), board.width, to_letters(moves))
    assert reached == tuple(goal.cells.tolist())


@pytest.mark.parametrize("size", [(2, 2), (3, 2), (2, 3), (4, 2)])
def test_a_wide_beam_solves_small_boards_optimally(size):
    goal = blank_last(Size(*size))
    lengths = naive.distances(tuple(goal.cells.tolist()), size[0])
    for tiles, length in itertools.islice(lengths.items(), 0, None, 1 + len(lengths) // 500):
        assert len(beam_search(Board(tiles, *size), goal, 10_000).moves) == length


@pytest.mark.parametrize("goal", [blank_last(Size(3, 3)), Board([3, 1, 4, 8, 0, 2, 6, 5, 7])])
def test_a_wide_beam_solves_3x3_boards_of_every_depth_optimally(goal):
    lengths = naive.distances(tuple(goal.cells.tolist()), 3)
    for tiles, length in list(lengths.items())[::6211] + list(lengths.items())[-2:]:
        assert len(beam_search(Board(tiles), goal, EVERY_3X3).moves) == length


@given(data=st.data(), width=st.sampled_from([1, 2, 3, 10, 300]))
@settings(max_examples=100)
def test_solutions_of_any_goal_and_size_replay(data, width, pattern_databases):
    goal = data.draw(boards(least=2, most=5))
    board = data.draw(boards(size=tuple(goal.size)))
    if not board.is_solvable(goal):
        return
    limits = Limits(nodes=100_000)
    found = beam_search(board, goal, width, limits=limits, pdb_folder=pattern_databases)
    if found.moves is not None:
        assert_solves(board, goal, found.moves)
        assert len(found.moves) >= naive.manhattan(
            tuple(board.cells.tolist()), tuple(goal.cells.tolist()), goal.width
        )


def test_a_beam_of_one_board_goes_straight_to_a_near_goal(pattern_databases):
    goal = blank_last(Size(5, 5))
    board = scramble(goal.size, goal, seed=3, moves=6)
    found = beam_search(board, goal, 1, pdb_folder=pattern_databases)
    assert_solves(board, goal, found.moves)
    assert len(found.moves) <= 6


def test_the_goal_needs_no_moves():
    goal = spiral(Size(6, 5))
    found = beam_search(goal, goal, 5)
    assert (len(found.moves), found.nodes, found.stopped_by) == (0, 0, None)


@pytest.mark.parametrize("instance", KORF_15[:20], ids=lambda instance: instance.name)
def test_15_puzzles_near_the_published_lengths(instance, pattern_databases):
    board = board_of(instance)
    goal = blank_first(board.size)
    found = beam_search(board, goal, 3000, pdb_folder=pattern_databases)
    assert_solves(board, goal, found.moves)
    assert instance.length <= len(found.moves) <= instance.length + 4


@pytest.mark.parametrize("instance", KORF_24[:5], ids=lambda instance: instance.name)
def test_24_puzzles_are_never_shorter_than_published(instance, pattern_databases):
    board = board_of(instance)
    goal = blank_first(board.size)
    found = beam_search(board, goal, 3000, pdb_folder=pattern_databases)
    assert_solves(board, goal, found.moves)
    assert instance.length <= len(found.moves)


@pytest.mark.parametrize("size", [(6, 6), (5, 6), (8, 4), (3, 9), (2, 12)], ids=str)
def test_larger_boards_are_solved_far_better_than_line_by_line(size):
    # No pattern database knows a goal with the blank inside.
    goal = spiral(Size(*size))
    board = scramble(goal.size, goal, seed=1)
    found = beam_search(board, goal, 3000)
    assert_solves(board, goal, found.moves)
    by_lines = construct(board, goal, lambda rest, its_goal: solve(rest, its_goal).moves)
    assert len(found.moves) < len(by_lines)


def test_a_wider_beam_finds_shorter_solutions(pattern_databases):
    goal = blank_first(Size(5, 5))
    lengths = [
        [
            len(beam_search(board_of(each), goal, width, pdb_folder=pattern_databases).moves)
            for each in KORF_24[:5]
        ]
        for width in (1000, 10_000)
    ]
    assert sum(lengths[1]) < sum(lengths[0])


def test_only_shorter_solutions_than_the_upper_bound_are_looked_for():
    goal = blank_last(Size(3, 3))
    board = Board([8, 6, 7, 2, 5, 4, 3, 0, 1])
    found = beam_search(board, goal, EVERY_3X3, upper_bound=32)
    assert len(found.moves) == 31
    in_vain = beam_search(board, goal, EVERY_3X3, upper_bound=31)
    assert (in_vain.moves, in_vain.stopped_by) == (None, None)
    assert in_vain.nodes < found.nodes


def test_the_same_input_gives_the_same_outcome(pattern_databases):
    goal = blank_first(Size(5, 5))
    board = board_of(KORF_24[0])
    found = [beam_search(board, goal, 777, pdb_folder=pattern_databases) for _ in range(2)]
    assert found[0].nodes == found[1].nodes
    assert np.array_equal(found[0].moves, found[1].moves)


@pytest.mark.parametrize(
    ("limits", "reason"),
    [
        (Limits(seconds=0.0), StopReason.TIME),
        (Limits(nodes=50_000), StopReason.NODES),
        (Limits(memory_bytes=100_000), StopReason.MEMORY),
        (Limits(cancelled=lambda: True), StopReason.CANCELLED),
    ],
)
def test_limits_end_it(limits, reason):
    goal = spiral(Size(5, 5))
    board = scramble(goal.size, goal, seed=1)
    found = beam_search(board, goal, 20_000, limits=limits)
    assert (found.moves, found.stopped_by) == (None, reason)


def test_limits_are_looked_at_within_a_level():
    asked = []

    def cancelled():
        asked.append(None)
        return len(asked) > 400

    goal = spiral(Size(5, 5))
    board = scramble(goal.size, goal, seed=1)
    found = beam_search(board, goal, 100_000, limits=Limits(cancelled=cancelled))
    assert found.stopped_by is StopReason.CANCELLED
    assert found.nodes < 10_000_000
