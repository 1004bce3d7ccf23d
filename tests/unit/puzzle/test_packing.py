import zlib
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.strategies import boards
from tilework.core.errors import BoardError, MoveError
from tilework.core.puzzle.board import Size
from tilework.core.puzzle.canonical import SYMMETRIES, Transform
from tilework.core.puzzle.goals import blank_last
from tilework.core.puzzle.moves import from_letters, reverse_moves
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

COUNT = 3 * CHUNK_MOVES - 11
MOVES = np.random.default_rng(1).integers(4, size=COUNT).astype(np.uint8)
BODIES = {i: pack_body(MOVES[i * CHUNK_MOVES : (i + 1) * CHUNK_MOVES]) for i in range(3)}


@given(st.text("UDLR"))
def test_moves_round_trip(letters):
    moves = from_letters(letters)
    assert unpack(pack(moves)).tolist() == moves.tolist()


def test_moves_take_two_bits():
    assert len(pack(np.random.default_rng(1).integers(0, 4, 100_000).astype(np.uint8))) < 25_100


@given(boards())
def test_boards_round_trip(board):
    assert unpack_board(pack_board(board)) == board


def test_large_boards_round_trip():
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
