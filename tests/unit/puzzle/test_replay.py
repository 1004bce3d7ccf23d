import zlib
from itertools import groupby, pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support import naive
from tests.support.long_solutions import long_solution
from tests.support.strategies import boards, walks
from tilework.core.errors import BoardError, MoveError, ReplayError
from tilework.core.puzzle import metric, replay
from tilework.core.puzzle.board import Board, Size
from tilework.core.puzzle.canonical import SYMMETRIES, Transform
from tilework.core.puzzle.goals import blank_last
from tilework.core.puzzle.metric import count_slides
from tilework.core.puzzle.moves import NO_MOVES, from_letters, reverse_moves
from tilework.core.puzzle.packing import (
    CHUNK_MOVES,
    MappedMoves,
    MoveRecord,
    PackedMoves,
    pack,
    pack_board,
    pack_body,
    unpack,
    unpack_board,
)


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
    expected = (
        "^the 0-move solution of 1 2 3 / 4 5 6 / 7 0 8 does not end at 1 2 3 / 4 5 6 / 7 8 0$"
    )
    with pytest.raises(ReplayError, match=expected):
        replay.replay(board, NO_MOVES, blank_last(board.size))
    large = Board(np.roll(np.arange(10_000), 1), 100)
    with pytest.raises(ReplayError, match=r"of 9999 0 1 .* 23 … does not end at 1 2 .* 25 …$"):
        replay.replay(large, NO_MOVES, blank_last(large.size))
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


COUNT = 3 * CHUNK_MOVES - 11
MOVES = np.random.default_rng(1).integers(4, size=COUNT).astype(np.uint8)
BODIES = {i: pack_body(MOVES[i * CHUNK_MOVES : (i + 1) * CHUNK_MOVES]) for i in range(3)}


@given(boards(), st.text("UDLR"))
def test_packed_boards_and_moves_are_unpacked(board, letters):
    assert unpack_board(pack_board(board)) == board
    moves = from_letters(letters)
    assert unpack(pack(moves)).tolist() == moves.tolist()


def test_packed_moves_take_two_bits_and_large_boards_are_unpacked():
    assert len(pack(MOVES)) < len(MOVES) / 4 + 100
    for side in (16, 17, 256, 257):
        board = blank_last(Size(side, side))
        assert unpack_board(pack_board(board)) == board


@given(st.binary(max_size=60))
def test_invalid_bytes_are_rejected(garbage):
    with pytest.raises(MoveError, match="damaged"):
        unpack(garbage)
    with pytest.raises(BoardError):
        unpack_board(garbage)


def test_small_declared_size_stops_a_decompression_bomb():
    bomb = (4).to_bytes(8, "little") + zlib.compress(bytes(50_000_000))
    with pytest.raises(MoveError):
        unpack(bomb)


@given(st.integers(0, COUNT + 9), st.integers(0, COUNT + 9))
def test_any_part_of_packed_moves_can_be_read(first, end):
    assert np.array_equal(PackedMoves(COUNT, BODIES)[first:end], MOVES[first:end])


def test_moves_may_fill_their_last_chunk():
    count = 2 * CHUNK_MOVES
    assert np.array_equal(PackedMoves(count, {0: BODIES[0], 1: BODIES[1]})[:], MOVES[:count])


def test_mapped_moves_equal_the_mapped_array():
    for symmetry in SYMMETRIES:
        for reverse in (False, True):
            transform = Transform(symmetry, reverse)
            complete = transform.from_canonical(MOVES)
            view = transform.view_from_canonical(PackedMoves(COUNT, BODIES))
            assert len(view) == COUNT
            edge = (CHUNK_MOVES - 20, CHUNK_MOVES + 20)
            for first, end in ((0, 9), edge, (COUNT - 4, COUNT), (7, 7)):
                assert np.array_equal(view[first:end], complete[first:end])
    opposite = np.array([1, 0, 3, 2], dtype=np.uint8)
    twice = MappedMoves(MappedMoves(MOVES, opposite, backwards=True), opposite, backwards=True)
    assert np.array_equal(twice[5:99], MOVES[5:99])


@given(st.lists(st.integers(0, 2 * COUNT), max_size=5), st.integers(1, 500))
def test_recorded_moves_are_cancelled_by_their_opposites(cuts, undone):
    moves = np.tile(2 * (MOVES & 1), 2)
    record = MoveRecord()
    for first, end in pairwise([0, *sorted(cuts), len(moves)]):
        record.add(moves[first:end])
    copy = record.copy()
    copy.add(reverse_moves(moves[-undone:]))
    assert (len(record), len(copy)) == (len(moves), len(moves) - undone)
    assert np.array_equal(record.read()[:], moves)
    assert np.array_equal(copy.read()[:], moves[:-undone])


def test_missing_or_damaged_data_is_an_error():
    with pytest.raises(MoveError, match="chunk 1"):
        PackedMoves(COUNT, {0: BODIES[0]})[: CHUNK_MOVES + 1]
    with pytest.raises(MoveError, match="damaged"):
        PackedMoves(COUNT, {0: BODIES[2]})[:4]
