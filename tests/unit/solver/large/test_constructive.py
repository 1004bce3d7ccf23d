"""The constructive solver: every size, every goal, and moves in proportion."""

from __future__ import annotations

from collections import deque

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support import naive
from tests.support.strategies import boards
from tilework.core.puzzle.board import Board, Size
from tilework.core.puzzle.goals import blank_last, spiral
from tilework.core.puzzle.moves import from_letters
from tilework.core.puzzle.replay import replay
from tilework.core.puzzle.scramble import scramble
from tilework.core.search.limits import Limits, StopReason
from tilework.core.solver.large import constructive
from tilework.core.solver.large.constructive import construct


def by_breadth_first_search(board, goal):
    """Shortest moves, naively; for the few cells that are left over."""
    start, end = tuple(board.cells.tolist()), tuple(goal.cells.tolist())
    came = {start: ""}
    queue = deque([start])
    while end not in came:
        tiles = queue.popleft()
        for letter in naive.WAYS:
            after = naive.moved(tiles, board.width, letter)
            if after is not None and after not in came:
                came[after] = came[tiles] + letter
                queue.append(after)
    return from_letters(came[end])


def by_solver(board, goal):
    from tilework.core.solver.solve import solve

    return solve(board, goal).moves


@given(data=st.data())
@settings(max_examples=300)
def test_every_goal_of_every_size(data):
    goal = data.draw(boards(least=2, most=9))
    board = data.draw(boards(size=tuple(goal.size)))
    if board.is_solvable(goal):
        replay(board, construct(board, goal, by_solver), goal)


def test_the_rest_may_be_solved_by_anything():
    goal = blank_last(Size(3, 4))
    board = scramble(goal.size, goal, seed=7)
    replay(board, construct(board, goal, by_breadth_first_search), goal)


@pytest.mark.parametrize("size", [(2, 60), (60, 2), (3, 41), (41, 3), (40, 40), (64, 17)], ids=str)
def test_long_and_large_boards(size):
    goal = spiral(Size(*size))
    board = scramble(goal.size, goal, seed=1)
    moves = construct(board, goal, by_solver)
    replay(board, moves, goal)
    assert moves.dtype == np.uint8
    assert len(moves) < 6 * board.manhattan(goal)


def test_no_move_is_undone_at_once():
    goal = blank_last(Size(12, 12))
    board = scramble(goal.size, goal, seed=3)
    moves = construct(board, goal, by_solver)
    assert not np.any(moves[1:] == moves[:-1] ^ 1)


def test_the_goal_itself_needs_few_moves():
    goal = Board(np.roll(np.arange(30), 13), 6, 5)
    assert len(construct(goal, goal, by_solver)) < 40


@pytest.mark.parametrize(
    ("limits", "reason"),
    [
        (Limits(seconds=0.0), StopReason.TIME),
        (Limits(memory_bytes=1000), StopReason.MEMORY),
        (Limits(cancelled=lambda: True), StopReason.CANCELLED),
    ],
)
def test_limits_end_it(limits, reason):
    goal = blank_last(Size(30, 30))
    assert construct(scramble(goal.size, goal, seed=1), goal, by_solver, limits) is reason


def test_limits_are_looked_at_within_a_line_too():
    goal = blank_last(Size(1500, 1500))
    board = scramble(goal.size, goal, seed=1)
    asked = []

    def cancelled():
        asked.append(True)
        return len(asked) == 5

    # A line of so many cells takes millions of moves, and some seconds.
    assert construct(board, goal, by_solver, Limits(cancelled=cancelled)) is StopReason.CANCELLED
    assert len(asked) == 5
    assert construct(board, goal, by_solver, Limits(seconds=0.0)) is StopReason.TIME


@pytest.mark.parametrize("chunk", [1, 3000])
def test_looking_at_limits_changes_nothing(chunk, monkeypatch):
    goal = spiral(Size(23, 17))
    board = scramble(goal.size, goal, seed=5)
    at_once = construct(board, goal, by_solver)
    monkeypatch.setattr(constructive, "CHUNK_MOVES", chunk)
    assert np.array_equal(construct(board, goal, by_solver), at_once)


def test_the_moves_take_no_more_memory_than_they_may():
    goal = blank_last(Size(60, 60))
    board = scramble(goal.size, goal, seed=1)
    needed = len(construct(board, goal, by_solver))
    assert construct(board, goal, by_solver, Limits(memory_bytes=needed - 1)) is StopReason.MEMORY
    moves = construct(board, goal, by_solver, Limits(memory_bytes=2 * needed))
    assert len(moves) == needed
    assert moves.base.nbytes <= 2 * needed
