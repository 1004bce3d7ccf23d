import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.strategies import boards
from tilework.core.puzzle.board import Size
from tilework.core.puzzle.goals import blank_last, spiral
from tilework.core.puzzle.replay import replay
from tilework.core.puzzle.scramble import scramble
from tilework.core.search.limits import Limits, StopReason
from tilework.core.solver.large import constructive
from tilework.core.solver.large.constructive import construct


@given(data=st.data())
@settings(max_examples=40)
def test_every_goal_of_every_size(data):
    goal = data.draw(boards(smallest=2, largest=9))
    board = data.draw(boards(size=tuple(goal.size)))
    if board.is_solvable(goal):
        replay(board, construct(board, goal), goal)


@pytest.mark.parametrize("size", [(2, 60), (41, 3), (24, 17)], ids=str)
def test_long_and_large_boards(size):
    goal = spiral(Size(*size))
    board = scramble(goal.size, goal, seed=1)
    moves = construct(board, goal)
    replay(board, moves, goal)
    assert moves.dtype == np.uint8
    assert len(moves) < 6 * board.manhattan(goal)


def test_limits_stop_the_search(monkeypatch):
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


def test_move_memory_is_limited():
    goal = blank_last(Size(60, 60))
    board = scramble(goal.size, goal, seed=1)
    length = len(construct(board, goal))
    assert construct(board, goal, Limits(memory_bytes=length - 1)) is StopReason.MEMORY
    moves = construct(board, goal, Limits(memory_bytes=2 * length))
    assert len(moves) == length
    assert moves.base.nbytes <= 2 * length
