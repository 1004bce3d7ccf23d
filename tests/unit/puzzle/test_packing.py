import zlib
from contextlib import suppress

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.strategies import boards
from tilework.core.errors import BoardError, MoveError
from tilework.core.puzzle.board import Size
from tilework.core.puzzle.goals import blank_last
from tilework.core.puzzle.moves import from_letters
from tilework.core.puzzle.packing import pack, pack_board, unpack, unpack_board


@given(st.text("UDLR"))
def test_moves_come_back(letters):
    moves = from_letters(letters)
    assert unpack(pack(moves)).tolist() == moves.tolist()


def test_moves_take_two_bits():
    moves = np.random.default_rng(1).integers(0, 4, 100_000).astype(np.uint8)
    assert len(pack(moves)) < 25_100


@given(boards())
def test_boards_come_back(board):
    assert unpack_board(pack_board(board)) == board


@pytest.mark.parametrize("side", [16, 17, 256, 257])
def test_large_boards_come_back(side):
    board = blank_last(Size(side, side))
    assert unpack_board(pack_board(board)) == board


@given(st.binary(max_size=60))
def test_other_bytes_are_refused(garbage):
    with pytest.raises(MoveError, match="damaged"):
        unpack(garbage)
    with pytest.raises(BoardError):
        unpack_board(garbage)


@given(boards(least=2), st.data())
def test_damage_is_noticed_or_harmless(board, data):
    packed = bytearray(pack_board(board))
    place = data.draw(st.integers(0, len(packed) - 1))
    packed[place] ^= data.draw(st.integers(1, 255))
    with suppress(BoardError):
        unpack_board(bytes(packed))


def test_a_short_claim_does_not_inflate_a_bomb():
    bomb = (4).to_bytes(8, "little") + zlib.compress(bytes(50_000_000))
    with pytest.raises(MoveError):
        unpack(bomb)
