from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support import naive
from tests.support.strategies import boards
from tilework.core.errors import OptionError
from tilework.core.puzzle.board import Board, Size
from tilework.core.puzzle.goals import blank_last, spiral
from tilework.core.puzzle.scramble import daily_board, parse_day, scramble


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


# These must never change: people have played them.
BOARDS = {
    ("2026-01-01", 3): "3 5 7 4 8 0 1 2 6",
    ("2026-01-01", 4): "9 13 5 11 8 15 7 4 2 3 1 14 0 12 10 6",
    ("2026-01-01", 5): "0 3 11 15 23 22 1 13 16 7 19 12 17 4 18 5 10 20 14 21 24 9 6 8 2",
    ("2026-12-31", 4): "15 6 14 4 9 1 5 8 11 13 7 0 2 3 12 10",
    ("2040-02-29", 5): "14 23 0 11 24 20 13 3 8 15 17 18 10 1 16 12 6 2 19 7 22 21 5 4 9",
}


def test_daily_boards_never_change() -> None:
    for (day, side), tiles in BOARDS.items():
        board = daily_board(parse_day(day), side)
        assert " ".join(map(str, board.cells.tolist())) == tiles
        assert board.is_solvable(blank_last(board.size))


def test_only_iso_dates_are_accepted() -> None:
    for text in ("2026-1-1", "20260101", "2026-W01-1", "2026-02-29", "", "2026-01-01T00:00:00"):
        with pytest.raises(OptionError, match="is not a date; use one like"):
            parse_day(text)
