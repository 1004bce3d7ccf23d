from itertools import groupby

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support import naive
from tests.support.long_solutions import long_solution
from tests.support.strategies import boards, walks
from tilework.core.errors import ReplayError
from tilework.core.puzzle import metric, replay
from tilework.core.puzzle.board import Board, Size
from tilework.core.puzzle.goals import blank_last
from tilework.core.puzzle.metric import count_slides
from tilework.core.puzzle.moves import NO_MOVES, from_letters, reverse_moves


@given(boards().flatmap(lambda board: st.tuples(st.just(board), walks(board))))
def test_moves_agree_with_the_definition(case):
    board, letters = case
    moves = from_letters(letters)
    result = replay.apply(board, moves)
    tiles = naive.apply_moves(tuple(board.cells.tolist()), board.width, letters)
    assert result == Board(tiles, *board.size)
    replay.replay(board, moves, result)
    replay.replay(result, reverse_moves(moves), board)
    tiles = [tile for chunk in replay.moved_tiles(board, moves) for tile in chunk]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(replay, "CHUNK_MOVES", 3)
        patch.setattr(replay, "_LIST_CELLS", 1)
        assert replay.apply(board, moves) == result
        assert [tile for chunk in replay.moved_tiles(board, moves) for tile in chunk] == tiles


@given(boards(), st.lists(st.integers(0, 3), max_size=12))
def test_first_illegal_move_is_named(board, codes):
    tiles = tuple(board.cells.tolist())
    position = None
    for index, code in enumerate(codes, 1):
        tiles = naive.apply_move(tiles, board.width, "UDLR"[code])
        if tiles is None:
            position = index
            break
    moves = np.array(codes, dtype=np.uint8)
    if position is None:
        replay.apply(board, moves)
    else:
        with pytest.raises(ReplayError, match=rf"^move {position}, "):
            replay.apply(board, moves)


def test_invalid_solutions_are_rejected():
    with pytest.raises(ReplayError, match=r"move 2 has the code 9"):
        replay.apply(blank_last(Size(3, 3)), np.array([1, 9], dtype=np.uint8))
    board = Board([1, 2, 3, 4, 5, 6, 7, 0, 8])
    replay.replay(board, from_letters("L"), blank_last(board.size))
    with pytest.raises(ReplayError, match=r"the 0-move solution of .* does not end at"):
        replay.replay(board, NO_MOVES, blank_last(board.size))
    with pytest.raises(ReplayError):
        replay.replay(blank_last(Size(2, 3)), NO_MOVES, blank_last(Size(3, 2)))


def test_kernel_replays_long_solutions_like_python(monkeypatch):
    start, moves = long_solution(20, 200_000)
    goal = blank_last(start.size)
    stride = 2 * replay.CHUNK_MOVES
    expected = replay.replay_boards(start, moves, goal, stride)
    monkeypatch.setattr(replay, "KERNEL_MOVES", 1)
    assert replay.replay_boards(start, moves, goal, stride) == expected
    assert len(expected) == -(-len(moves) // stride)
    with pytest.raises(ReplayError, match="does not end at"):
        replay.replay(start, moves[:-2], goal)
    # The blank ends in the last row, where no tile can move up.
    with pytest.raises(ReplayError, match=f"move {len(moves) + 1}, U, is illegal"):
        replay.replay(start, np.append(moves, np.uint8(0)), goal)


def test_tiles_and_slides_of_a_solution(monkeypatch):
    board = Board([0, 1, 3, 4, 2, 5, 7, 8, 6])
    assert list(replay.moved_tiles(board, from_letters("LULU"))) == [[1, 2, 5, 6]]
    for letters, count in (("", 0), ("LLL", 1), ("LLUULL", 3), ("LRLR", 4)):
        assert count_slides(from_letters(letters)) == count
    moves = np.random.default_rng(1).integers(0, 3, 5_000, dtype=np.uint8)
    for count in (1, 2, 7, 5_000):
        monkeypatch.setattr(metric, "_CHUNK", count)
        assert count_slides(moves) == len(list(groupby(moves.tolist())))
