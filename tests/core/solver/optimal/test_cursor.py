import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import boards
from tilework.core.errors import InputError
from tilework.core.puzzle.board import Board, Size
from tilework.core.puzzle.goals import blank_last
from tilework.core.puzzle.moves import DOWN, LEFT, RIGHT, UP
from tilework.core.solver.optimal.cursor import Cursor, moves_along


@st.composite
def cursors_on_boards(draw):
    """A board and a cursor as a search leaves one: legal moves, none back, none twice."""
    board = draw(boards(least=2))
    path = b""
    for _ in range(draw(st.integers(0, 20))):
        legal = moves_along(board, path)[-1]
        path += bytes([draw(st.sampled_from([move for move in range(4) if legal >> move & 1]))])
    legal = moves_along(board, path)
    untried = bytearray(draw(st.integers(0, 15)) & moves for moves in legal)
    for depth, move in enumerate(path):
        untried[depth] &= ~(1 << move)
    return board, Cursor(path, bytes(untried))


def ways_left(board, cursor):
    """The untried ways as paths of moves: what the cursor covers, said in full."""
    return {
        cursor.path[:depth] + bytes([move])
        for depth, moves in enumerate(moves_along(board, cursor.path))
        for move in range(4)
        if cursor.untried[depth] & moves & 1 << move
    }


@given(cursors_on_boards())
def test_bytes_and_back(board_and_cursor):
    _, cursor = board_and_cursor
    assert Cursor.from_bytes(cursor.to_bytes()) == cursor
    assert len(cursor.to_bytes()) == len(cursor.path) + 2


@given(cursors_on_boards())
def test_halves_cover_the_whole_and_nothing_twice(board_and_cursor):
    board, cursor = board_and_cursor
    halves = cursor.split()
    whole = ways_left(board, cursor)
    if halves is None:
        assert len(whole) < 2
        return
    kept, given_away = (ways_left(board, half) for half in halves)
    assert kept | given_away == whole
    assert not kept & given_away
    assert kept
    assert given_away
    for half in halves:
        assert Cursor.from_bytes(half.to_bytes()) == half


@given(cursors_on_boards())
def test_shares_of_halves_add_up(board_and_cursor):
    board, cursor = board_and_cursor
    share = cursor.share(board)
    assert 0 <= share <= 1
    halves = cursor.split()
    if halves is not None:
        assert sum(half.share(board) for half in halves) == pytest.approx(share)


def test_the_root_covers_everything():
    board = blank_last(Size(3, 3))
    assert Cursor.root().share(board) == 1
    halves = Cursor.root().split()
    assert [half.share(board) for half in halves] == [0.5, 0.5]


def test_shares_halve_or_third_with_the_children():
    # From the middle four ways; after U the blank is at the edge, with two ways not back.
    board = Board([1, 2, 3, 4, 0, 5, 6, 7, 8])
    assert Cursor(b"", bytes([0b0101])).share(board) == 1 / 2
    assert Cursor(bytes([UP]), bytes([0b1000, 0b1100])).share(board) == 1 / 4 + 1 / 4
    assert Cursor(bytes([UP]), bytes([0, 1 << LEFT])).share(board) == 1 / 8
    assert Cursor(bytes([UP, LEFT]), bytes([0, 0, 0b1111])).share(board) == 1 / 8
    assert Cursor(bytes([UP, LEFT]), bytes([0, 0, 0])).share(board) == 0


def test_a_board_one_cell_wide_ends():
    board = Board([1, 2, 0], 3, 1)
    assert moves_along(board, bytes([RIGHT, RIGHT])) == [1 << RIGHT, 1 << RIGHT, 0]
    assert Cursor(bytes([RIGHT, RIGHT]), bytes([0, 0, 15])).share(board) == 0


@pytest.mark.parametrize(
    "data",
    [b"", b"\x01", b"\x02\x0f", b"\x01\x1f", b"\x01\x40\x01", b"\x01\x02\x11\x00", b"\x01\x01\x00"],
)
def test_other_bytes_are_no_cursor(data):
    with pytest.raises(InputError, match="cursor"):
        Cursor.from_bytes(data)


def test_a_path_must_be_legal_on_the_board():
    with pytest.raises(InputError, match="move 1 of"):
        Cursor(bytes([UP]), bytes(2)).share(blank_last(Size(2, 2)))
    with pytest.raises(InputError, match="move 2 of"):
        Cursor(bytes([DOWN, DOWN]), bytes(3)).share(blank_last(Size(2, 2)))
