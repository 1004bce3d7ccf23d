import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support import naive
from tests.support.strategies import boards, walks
from tilework.core.errors import ReplayError
from tilework.core.puzzle import replay
from tilework.core.puzzle.board import Board, Size
from tilework.core.puzzle.goals import blank_last
from tilework.core.puzzle.moves import NO_MOVES, from_letters, reversed_moves


def walk_and_board():
    return boards().flatmap(lambda board: st.tuples(st.just(board), walks(board)))


@given(walk_and_board())
def test_moves_are_played_as_defined(case):
    board, letters = case
    after = replay.apply(board, from_letters(letters))
    tiles = naive.played(tuple(board.cells.tolist()), board.width, letters)
    assert after == Board(tiles, *board.size)
    replay.replay(board, from_letters(letters), after)
    replay.replay(after, reversed_moves(from_letters(letters)), board)


@given(walk_and_board())
def test_chunks_change_nothing(case):
    board, letters = case
    moves = from_letters(letters)
    whole = replay.apply(board, moves)
    tiles = [tile for chunk in replay.moved_tiles(board, moves) for tile in chunk]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(replay, "CHUNK_MOVES", 3)
        patch.setattr(replay, "_LIST_CELLS", 1)
        assert replay.apply(board, moves) == whole
        assert [tile for chunk in replay.moved_tiles(board, moves) for tile in chunk] == tiles


@given(boards(), st.lists(st.integers(0, 3), max_size=12))
def test_the_first_illegal_move_is_named(board, codes):
    tiles = tuple(board.cells.tolist())
    place = None
    for index, code in enumerate(codes, 1):
        tiles = naive.moved(tiles, board.width, "UDLR"[code])
        if tiles is None:
            place = index
            break
    moves = np.array(codes, dtype=np.uint8)
    if place is None:
        replay.apply(board, moves)
    else:
        with pytest.raises(ReplayError, match=rf"^move {place}, "):
            replay.apply(board, moves)


def test_the_tiles_that_slide():
    board = Board([0, 1, 3, 4, 2, 5, 7, 8, 6])
    assert list(replay.moved_tiles(board, from_letters("LULU"))) == [[1, 2, 5, 6]]


def test_a_code_that_is_no_move_is_refused():
    with pytest.raises(ReplayError, match=r"move 2 has the code 9"):
        replay.apply(blank_last(Size(3, 3)), np.array([1, 9], dtype=np.uint8))


def test_the_end_must_be_the_goal():
    board = Board([1, 2, 3, 4, 5, 6, 7, 0, 8])
    replay.replay(board, from_letters("L"), blank_last(board.size))
    with pytest.raises(ReplayError, match=r"the 0-move solution of .* does not end at"):
        replay.replay(board, NO_MOVES, blank_last(board.size))
    with pytest.raises(ReplayError):
        replay.replay(blank_last(Size(2, 3)), NO_MOVES, blank_last(Size(3, 2)))


def test_no_moves_leave_the_board():
    assert replay.apply(Board([0]), NO_MOVES) == Board([0])
