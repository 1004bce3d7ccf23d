"""Sweeps are never worse than the constructive solver, for boards of any size and goal."""

import itertools
import tracemalloc

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.strategies import boards
from tilework.core.puzzle.board import Board, Size
from tilework.core.puzzle.goals import blank_last, spiral
from tilework.core.puzzle.packing import PackedMoves
from tilework.core.puzzle.replay import replay
from tilework.core.puzzle.scramble import scramble
from tilework.core.search.limits import Limits, StopReason
from tilework.core.solver import strategy
from tilework.core.solver.large import constructive, sweeps
from tilework.core.solver.large import staged_beam as driver
from tilework.core.solver.large.constructive import construct
from tilework.core.solver.large.staged_beam import StagedBeam, staged_beam
from tilework.core.solver.large.sweeps import (
    Position,
    plan_huge_sweeps,
    sweep,
    sweep_huge,
)
from tilework.core.solver.solve import solve
from tilework.core.solver.strategy import Step


def search_staged(board, goal, **options):
    return staged_beam(board, goal, 60, **options)


def assert_shortens(search, board, goal):
    outcome = search(board, goal)
    replay(board, outcome.moves, goal)
    assert len(outcome.moves) <= len(construct(board, goal))


for_each_search = pytest.mark.parametrize("search", [sweep, search_staged])


@for_each_search
@given(data=st.data())
@settings(max_examples=20)
def test_every_goal_of_every_size(search, data):
    goal = data.draw(boards(smallest=2, largest=9))
    board = data.draw(boards(size=tuple(goal.size)))
    if board.is_solvable(goal):
        assert_shortens(search, board, goal)


@for_each_search
def test_narrow_and_solved_boards_with_the_blank_anywhere(search):
    for size in ((2, 60), (41, 3), (30, 8)):
        goal = spiral(Size(*size))
        assert_shortens(search, scramble(goal.size, goal, seed=1), goal)
    goal = blank_last(Size(16, 16))
    assert_shortens(search, goal, goal)
    for blank in (0, 44, 92):
        goal = Board(np.insert(np.arange(1, 96), blank, 0), 12, 8)
        assert_shortens(search, scramble(goal.size, goal, seed=2), goal)


def test_results_are_reproducible(monkeypatch):
    goal = blank_last(Size(20, 16))
    board = scramble(goal.size, goal, seed=3)
    for search in (sweep, search_staged):
        first, repeated = (search(board, goal, limits=Limits(nodes=10**8)) for _ in "12")
        assert (first.moves.tobytes(), first.nodes) == (repeated.moves.tobytes(), repeated.nodes)
    monkeypatch.setattr(driver, "_BUDGET", 500)
    repeated = search_staged(board, goal)
    assert (first.moves.tobytes(), first.nodes) == (repeated.moves.tobytes(), repeated.nodes)


def test_beams_of_long_boards_take_little_memory():
    goal = blank_last(Size(2, 5_000))
    position = Position(goal, goal)
    StagedBeam(position, 30)  # loads the kernels, which takes memory once
    tracemalloc.start()
    try:
        StagedBeam(position, 30)
        assert tracemalloc.get_traced_memory()[1] < 20 << 20
    finally:
        tracemalloc.stop()


def test_beam_on_a_slow_host_is_like_a_narrower_one(monkeypatch):
    goal = blank_last(Size(24, 24))
    board = scramble(goal.size, goal, seed=0)
    nodes, advance = 0, StagedBeam._advance

    def count(beam, budget):
        nonlocal nodes
        before, status = beam.nodes, advance(beam, budget)
        nodes += beam.nodes - before
        return status

    monkeypatch.setattr(StagedBeam, "_advance", count)
    for module in (driver, sweeps):
        monkeypatch.setattr(module, "search_clock", lambda: float(nodes))
    assert staged_beam(board, goal, 400).width_share == 1.0
    slow = staged_beam(board, goal, 400, limits=Limits(seconds=nodes / 8))
    assert slow.stopped_by is None
    assert 1 / 20 < slow.width_share < 1 / 7
    replay(board, slow.moves, goal)
    assert len(slow.moves) < 1.1 * len(staged_beam(board, goal, 400 // 8).moves)


@pytest.mark.parametrize(("search", "nodes"), [(sweep, 1), (search_staged, 100_000)])
def test_limits_stop_the_search(search, nodes):
    goal = blank_last(Size(40, 40))
    board = scramble(goal.size, goal, seed=1)
    for limits, reason in (
        (Limits(seconds=0.0), StopReason.TIME),
        (Limits(nodes=nodes), StopReason.NODES),
    ):
        # A stopped search still returns a solution.
        outcome = search(board, goal, limits=limits)
        replay(board, outcome.moves, goal)
        assert outcome.stopped_by is reason
    polls = itertools.count()
    cancelled = Limits(cancelled=lambda: next(polls) == 2)
    for limits, reason in (
        (cancelled, StopReason.CANCELLED),
        (Limits(memory_bytes=10_000), StopReason.MEMORY),
    ):
        outcome = search(board, goal, limits=limits)
        assert (outcome.moves, outcome.stopped_by) == (None, reason)
    assert next(polls) == 3


def test_huge_boards_are_solved_packed_or_not_at_all(monkeypatch):
    goal = spiral(Size(50, 40))
    board = scramble(goal.size, goal, seed=1)
    monkeypatch.setattr(strategy, "HUGE_CELLS", 1_000)
    result = solve(board, goal)
    assert isinstance(result.moves, PackedMoves)
    assert (result.algorithm, result.stopped_by) == (Step.SWEEP, None)
    assert len(result.moves) < 2.5 * board.manhattan(goal)
    near = scramble(goal.size, goal, seed=1, moves=500)
    replay(near, sweep_huge(near, goal, plan_huge_sweeps(goal.size), Limits())[0], goal)
    polls = itertools.count()
    for limits, reason in (
        (Limits(seconds=0.0), StopReason.TIME),
        (Limits(nodes=1), StopReason.NODES),
        (Limits(memory_bytes=20_000), StopReason.MEMORY),
        (Limits(cancelled=lambda: next(polls) == 2), StopReason.CANCELLED),
    ):
        result = solve(board, goal, limits=limits)
        assert (result.moves, result.stopped_by) == (None, reason)
        assert result.lower_bound >= board.manhattan(goal)
    # Nothing is searched if even a shortest solution does not fit.
    result = solve(board, goal, limits=Limits(memory_bytes=10_000))
    assert (result.moves, result.stopped_by) == (None, StopReason.MEMORY)
    assert result.statistics.generated == 0


@given(data=st.data())
def test_constructive_solver_reaches_every_goal(data):
    goal = data.draw(boards(smallest=2, largest=9))
    board = data.draw(boards(size=tuple(goal.size)))
    if board.is_solvable(goal):
        replay(board, construct(board, goal), goal)


def test_limits_stop_the_constructive_solver(monkeypatch):
    goal = blank_last(Size(30, 30))
    board = scramble(goal.size, goal, seed=1)
    moves = construct(board, goal)
    # No move undoes the previous one.
    assert not np.any(moves[1:] == moves[:-1] ^ 1)
    # A long line takes millions of moves, so limits are also checked within a line.
    monkeypatch.setattr(constructive, "CHUNK_MOVES", 100)
    assert np.array_equal(construct(board, goal), moves)
    polls = itertools.count(1)
    for limits, reason in (
        (Limits(seconds=0.0), StopReason.TIME),
        (Limits(memory_bytes=1000), StopReason.MEMORY),
        (Limits(cancelled=lambda: next(polls) == 50), StopReason.CANCELLED),
    ):
        assert construct(board, goal, limits) is reason
    assert next(polls) == 51
