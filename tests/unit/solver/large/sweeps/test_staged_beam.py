"""The staged beam: every size and goal, and a whole solution whatever stops it."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.strategies import boards
from tests.unit.solver.large.sweeps.test_sweeps import ordered_boards, solvable
from tilework.core.puzzle.board import Board, Size
from tilework.core.puzzle.goals import blank_last, spiral
from tilework.core.puzzle.replay import replay
from tilework.core.puzzle.scramble import scramble
from tilework.core.search.limits import Limits, StopReason
from tilework.core.solver.large.constructive import construct
from tilework.core.solver.large.sweeps import staged_beam as driver
from tilework.core.solver.large.sweeps.staged_beam import staged_beam
from tilework.core.solver.large.sweeps.sweeps import sweep
from tilework.core.solver.solve import solve


def by_solver(board, goal):
    return solve(board, goal).moves


@given(data=st.data())
@settings(max_examples=100)
def test_every_goal_of_every_size(data):
    goal = data.draw(boards(least=2, most=9))
    board = data.draw(boards(size=tuple(goal.size)))
    if board.is_solvable(goal):
        outcome = staged_beam(board, goal, 20, by_solver)
        replay(board, outcome.moves, goal)
        assert len(outcome.moves) <= len(construct(board, goal, by_solver))


@pytest.mark.parametrize("width", [1, 2, 100])
def test_every_width(width):
    goal = spiral(Size(12, 9))
    board = scramble(goal.size, goal, seed=1)
    replay(board, staged_beam(board, goal, width, by_solver).moves, goal)


@pytest.mark.parametrize("home", [0, 7, 95, 44, 92], ids=str)
def test_the_blank_may_end_anywhere(home):
    size = Size(12, 8)
    tiles = np.arange(1, size.cells)
    goal = Board(np.insert(tiles, home, 0), *size)
    board = scramble(size, goal, seed=2)
    outcome = staged_beam(board, goal, 100, by_solver)
    replay(board, outcome.moves, goal)
    assert len(outcome.moves) <= len(construct(board, goal, by_solver))


def test_it_is_shorter_than_sweeps_alone_and_wider_is_shorter():
    goal = blank_last(Size(24, 24))
    ratios = {60: 0.0, 400: 0.0, None: 0.0}
    for seed in range(3):
        board = scramble(goal.size, goal, seed=seed)
        for width in ratios:
            if width is None:
                moves = sweep(board, goal, by_solver).moves
            else:
                moves = staged_beam(board, goal, width, by_solver).moves
            replay(board, moves, goal)
            ratios[width] += len(moves) / board.manhattan(goal) / 3
    assert ratios[400] < ratios[60] < ratios[None]
    assert ratios[400] < 1.8


@pytest.mark.parametrize("size", [(2, 40), (40, 2), (3, 31), (31, 3), (60, 5), (20, 8)], ids=str)
def test_thin_boards(size):
    goal = spiral(Size(*size))
    board = scramble(goal.size, goal, seed=1)
    outcome = staged_beam(board, goal, 50, by_solver)
    replay(board, outcome.moves, goal)
    assert len(outcome.moves) <= len(construct(board, goal, by_solver))


@pytest.mark.parametrize("name", ordered_boards())
def test_ordered_boards(name):
    goal = blank_last(Size(24, 24))
    board = solvable(ordered_boards()[name], goal)
    outcome = staged_beam(board, goal, 50, by_solver)
    replay(board, outcome.moves, goal)
    assert len(outcome.moves) <= len(construct(board, goal, by_solver))


def test_the_outcome_is_the_same_each_time(monkeypatch):
    goal = blank_last(Size(20, 16))
    board = scramble(goal.size, goal, seed=3)
    once = staged_beam(board, goal, 60, by_solver, limits=Limits(nodes=10**8))
    again = staged_beam(board, goal, 60, by_solver, limits=Limits(nodes=10**8))
    monkeypatch.setattr(driver, "_BUDGET", 500)
    often = staged_beam(board, goal, 60, by_solver)
    assert np.array_equal(once.moves, again.moves)
    assert np.array_equal(once.moves, often.moves)
    assert once.nodes == again.nodes == often.nodes


@pytest.mark.parametrize(
    ("limits", "reason"),
    [
        (Limits(seconds=0.3), StopReason.TIME),
        (Limits(nodes=3_000_000), StopReason.NODES),
    ],
)
def test_what_is_stopped_is_still_solved(limits, reason):
    goal = blank_last(Size(40, 40))
    board = scramble(goal.size, goal, seed=1)
    outcome = staged_beam(board, goal, 20_000, by_solver, limits=limits)
    replay(board, outcome.moves, goal)
    assert outcome.stopped_by is reason
    assert len(outcome.moves) < len(construct(board, goal, by_solver))
    assert outcome.seconds < 3.0


def test_a_cancel_ends_it():
    goal = blank_last(Size(30, 30))
    asked = []

    def cancelled():
        asked.append(True)
        return len(asked) > 8

    limits = Limits(cancelled=cancelled)
    outcome = staged_beam(scramble(goal.size, goal, seed=1), goal, 3000, by_solver, limits=limits)
    assert outcome.moves is None
    assert outcome.stopped_by is StopReason.CANCELLED


def test_it_ends_where_it_cannot_be_shorter():
    goal = blank_last(Size(24, 24))
    board = scramble(goal.size, goal, seed=1)
    found = len(staged_beam(board, goal, 30, by_solver).moves)
    outcome = staged_beam(board, goal, 30, by_solver, upper_bound=found * 3 // 4)
    assert outcome.moves is None
    assert outcome.stopped_by is StopReason.DEPTH
