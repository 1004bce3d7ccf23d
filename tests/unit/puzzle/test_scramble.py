from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support import naive
from tests.support.strategies import boards
from tilework.core.errors import OptionError
from tilework.core.puzzle.board import Board, Size
from tilework.core.puzzle.goals import blank_last, spiral
from tilework.core.puzzle.scramble import scramble


@given(boards(), st.integers(0, 2**32), st.none() | st.integers(0, 50))
def test_scrambles_are_solvable_boards(goal, seed, moves):
    board = scramble(goal.size, goal, seed, moves)
    assert Board(board.cells.tolist(), *board.size) == board
    assert board.cells[board.blank] == 0
    assert board.is_solvable(goal)
    assert scramble(goal.size, goal, seed, moves) == board


@pytest.mark.parametrize("size", [Size(2, 2), Size(1, 4), Size(3, 1)])
def test_every_solvable_board_is_equally_likely(size):
    goal = spiral(size)
    lengths = naive.distances(tuple(goal.cells.tolist()), size.width)
    draws = 200 * len(lengths)
    counts = Counter(tuple(scramble(size, goal, seed).cells.tolist()) for seed in range(draws))
    assert counts.keys() == lengths.keys()
    assert all(130 < count < 280 for count in counts.values())


def test_random_walks_have_the_requested_length_without_reversals():
    size = Size(4, 4)
    goal = blank_last(size)
    depth_two = {
        tuple(board.cells.tolist())
        for neighbor in goal.neighbors()
        for board in neighbor.neighbors()
        if board != goal
    }
    reached = {tuple(scramble(size, goal, seed, moves=2).cells.tolist()) for seed in range(60)}
    assert reached == depth_two
    assert scramble(size, goal, 1, moves=0) == goal
    assert scramble(Size(2, 1), Board([1, 0], 2, 1), 1, moves=3) == Board([0, 1], 2, 1)
    assert scramble(Size(1, 1), Board([0]), 1, moves=3) == Board([0])
    assert len({scramble(size, goal) for _ in range(4)}) == 4  # without a seed


def test_invalid_options_are_rejected():
    for size, options, message in (
        (Size(3, 2), {}, "does not fit"),
        (Size(3, 3), {"seed": -1}, "invalid seed -1"),
        (Size(3, 3), {"moves": -1}, "invalid moves -1"),
    ):
        with pytest.raises(OptionError, match=message):
            scramble(size, blank_last(Size(3, 3)), **options)
