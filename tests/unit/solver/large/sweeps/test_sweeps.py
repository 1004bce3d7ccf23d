"""Sweeps with a constructive end: every size and goal, never worse than the constructive solver."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.strategies import boards
from tilework.core.puzzle.board import Board, Size
from tilework.core.puzzle.goals import blank_last, spiral
from tilework.core.puzzle.replay import replay
from tilework.core.puzzle.scramble import scramble
from tilework.core.search.limits import Limits, StopReason
from tilework.core.solver.large.constructive import construct
from tilework.core.solver.large.sweeps.plan import SweepPlan
from tilework.core.solver.large.sweeps.sweeps import sweep
from tilework.core.solver.solve import solve


def by_solver(board, goal):
    return solve(board, goal).moves


def solvable(cells, goal):
    """The cells as a board, with two tiles exchanged where the goal is out of reach."""
    cells = np.array(cells, dtype=np.int32).reshape(-1)
    board = Board(cells, *goal.size)
    if not board.is_solvable(goal):
        one, other = np.flatnonzero(cells)[:2]
        cells[[one, other]] = cells[[other, one]]
    return Board(cells, *goal.size)


@given(data=st.data())
@settings(max_examples=60)
def test_every_goal_of_every_size(data):
    goal = data.draw(boards(least=2, most=9))
    board = data.draw(boards(size=tuple(goal.size)))
    if board.is_solvable(goal):
        outcome = sweep(board, goal, by_solver)
        replay(board, outcome.moves, goal)
        assert len(outcome.moves) <= len(construct(board, goal, by_solver))


@pytest.mark.parametrize("seed", range(4))
def test_random_boards_with_the_blank_anywhere_at_the_end(seed):
    random = np.random.default_rng(seed)
    size = Size(*random.integers(20, 60, 2).tolist())
    goal = Board(random.permutation(size.cells), *size)
    board = scramble(size, goal, seed=seed + 100)
    outcome = sweep(board, goal, by_solver)
    replay(board, outcome.moves, goal)
    assert outcome.stopped_by is None
    assert len(outcome.moves) < 2.4 * board.manhattan(goal)


@pytest.mark.parametrize("size", [(2, 60), (60, 2), (3, 41), (41, 3), (100, 5), (30, 8)], ids=str)
def test_thin_boards(size):
    goal = spiral(Size(*size))
    board = scramble(goal.size, goal, seed=1)
    outcome = sweep(board, goal, by_solver)
    replay(board, outcome.moves, goal)
    assert len(outcome.moves) <= len(construct(board, goal, by_solver))


def ordered_boards():
    goal = blank_last(Size(24, 24))
    grid = goal.cells.reshape(24, 24)
    near = goal.cells.copy()
    near[[5, 200, 301]] = near[[200, 301, 5]]
    return {
        "half turn": grid[::-1, ::-1],
        "mirror": grid[:, ::-1],
        "rows by one": np.roll(grid, 1, 0),
        "columns by half": np.roll(grid, 12, 1),
        "transposed": grid.T,
        "nearly solved": near,
        "solved": goal.cells,
    }


@pytest.mark.parametrize("name", ordered_boards())
def test_ordered_boards(name):
    goal = blank_last(Size(24, 24))
    board = solvable(ordered_boards()[name], goal)
    outcome = sweep(board, goal, by_solver)
    replay(board, outcome.moves, goal)
    assert len(outcome.moves) <= len(construct(board, goal, by_solver))


def test_the_outcome_is_the_same_each_time():
    goal = blank_last(Size(40, 30))
    board = scramble(goal.size, goal, seed=3)
    once, again = (sweep(board, goal, by_solver, limits=Limits(nodes=10**7)) for _ in range(2))
    assert np.array_equal(once.moves, again.moves)
    assert once.nodes == again.nodes


@pytest.mark.parametrize(
    ("limits", "reason"),
    [(Limits(seconds=0.0), StopReason.TIME), (Limits(nodes=1), StopReason.NODES)],
)
def test_sweeps_that_are_stopped_still_give_a_solution(limits, reason):
    goal = blank_last(Size(64, 64))
    board = scramble(goal.size, goal, seed=1)
    outcome = sweep(board, goal, by_solver, limits=limits)
    replay(board, outcome.moves, goal)
    assert outcome.stopped_by is reason


@pytest.mark.parametrize(
    ("limits", "reason"),
    [
        (Limits(cancelled=lambda: True), StopReason.CANCELLED),
        (Limits(memory_bytes=10_000), StopReason.MEMORY),
    ],
)
def test_a_cancel_and_memory_end_it(limits, reason):
    goal = blank_last(Size(64, 64))
    outcome = sweep(scramble(goal.size, goal, seed=1), goal, by_solver, limits=limits)
    assert outcome.moves is None
    assert outcome.stopped_by is reason


def test_a_cancel_is_heard_between_sweeps():
    goal = blank_last(Size(100, 100))
    asked = []

    def cancelled():
        asked.append(True)
        return len(asked) == 3

    limits = Limits(cancelled=cancelled)
    outcome = sweep(scramble(goal.size, goal, seed=1), goal, by_solver, limits=limits)
    assert outcome.stopped_by is StopReason.CANCELLED
    assert len(asked) == 3


def test_a_shorter_reach_looks_at_fewer_cells():
    goal = blank_last(Size(100, 100))
    board = scramble(goal.size, goal, seed=1)
    outcomes = [sweep(board, goal, by_solver, SweepPlan(reach=reach)) for reach in (100, 48)]
    for outcome in outcomes:
        replay(board, outcome.moves, goal)
    assert outcomes[1].nodes < outcomes[0].nodes
