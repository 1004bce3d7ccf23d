import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.strategies import boards
from tests.unit.solver.optimal.random_walks import legal_moves_along
from tilework.core.errors import InputError
from tilework.core.puzzle.board import Board, Size
from tilework.core.puzzle.goals import blank_last
from tilework.core.puzzle.moves import DOWN, LEFT, RIGHT, UP
from tilework.core.solver.optimal.cursor import Cursor, Position


@st.composite
def cursors_on_boards(draw):
    """Draw a board and a cursor that a search may have left: no position is below another."""
    board = draw(boards(smallest=2))
    positions = {}
    path = b""
    for _ in range(draw(st.integers(1, 12))):
        # Branch off the last path with a move that no other position has.
        path = path[: draw(st.integers(0, len(path)))]
        for _ in range(draw(st.integers(0, 20))):
            legal = legal_moves_along(board, path)[-1] & ~positions.get(path, 0)
            legal_moves = [move for move in range(4) if legal >> move & 1]
            if not legal_moves:
                break
            path += bytes([draw(st.sampled_from(legal_moves))])
        used = {other[len(path)] for other in positions if other[: len(path)] == path != other}
        free = legal_moves_along(board, path)[-1] & ~sum(1 << move for move in used)
        if path not in positions and (moves := draw(st.integers(0, 15)) & free):
            positions[path] = moves
    return board, Cursor(tuple(Position(path, moves) for path, moves in positions.items()))


def untried_moves(board, cursor):
    """Return the untried moves as complete paths, which the cursor covers."""
    return [
        path + bytes([move])
        for path, moves in cursor.positions
        for move in range(4)
        if moves & legal_moves_along(board, path)[-1] & 1 << move
    ]


@settings(max_examples=40)
@given(cursors_on_boards())
def test_halves_cover_a_cursor_exactly_once(board_and_cursor):
    board, cursor = board_and_cursor
    assert Cursor.from_bytes(cursor.to_bytes()) == cursor
    share = cursor.share(board)
    assert 0 <= share <= 1 + 1e-9
    # A search from the goal is stored and split in the same way.
    backward, other = Cursor(cursor.positions, board.blank), next(iter(board.neighbors()))
    assert Cursor.from_bytes(backward.to_bytes()) == backward != cursor
    assert backward.share(other) == share
    assert backward.ends(other, board) == (board, other)
    assert cursor.ends(other, board) == (other, board)
    if not cursor.positions:
        return
    halves = cursor.split()
    complete = untried_moves(board, cursor)
    if halves is None:
        assert len(complete) < 2
        return
    first, second = (untried_moves(board, half) for half in halves)
    assert sorted(first + second) == sorted(complete)
    assert first
    assert second
    assert halves[0].positions[0].path == cursor.positions[0].path
    for half in halves:
        assert Cursor.from_bytes(half.to_bytes()) == half
    assert sum(half.share(board) for half in halves) == pytest.approx(share)
    assert backward.split() == tuple(Cursor(half.positions, board.blank) for half in halves)


def test_share_is_divided_equally_between_children():
    # There are four moves from the middle, and two after U that do not undo it.
    board = Board([1, 2, 3, 4, 0, 5, 6, 7, 8])

    def share(*positions):
        return Cursor(tuple(Position(bytes(path), moves) for path, moves in positions)).share(board)

    assert share(([], 0b0101)) == 1 / 2
    assert share(([UP], 0b1100), ([], 0b1000)) == 1 / 4 + 1 / 4
    assert share(([UP], 1 << LEFT)) == 1 / 8
    assert share(([UP, LEFT], 0b1111)) == 1 / 8
    assert share(([UP, LEFT], 0)) == 0
    assert Cursor.root().share(board) == 1
    assert [half.share(board) for half in Cursor.root().split()] == [0.5, 0.5]
    line = Board([1, 2, 0], 3, 1)
    assert Cursor((Position(bytes([RIGHT]), 15),)).share(line) == 1
    assert Cursor((Position(bytes([RIGHT, RIGHT]), 15),)).share(line) == 0


def test_format_of_version_1_is_read():
    """Version 1 stored one path: a byte per depth with the move and the untried moves."""
    cursor = Cursor.from_bytes(bytes([1, UP << 4 | 0b1100, LEFT << 4, 0b0011]))
    assert cursor.positions == (Position(bytes([UP, LEFT]), 0b0011), Position(b"", 0b1100))
    assert Cursor.from_bytes(b"\x01\x0f") == Cursor.root()


def test_invalid_cursors_are_rejected():
    for data in [
        b"", b"\x01", b"\x03", b"\x04\x0f", b"\x01\x1f", b"\x01\x40\x01",
        b"\x02\x01\x00\x10", b"\x02\x00", b"\x02\x00\x00",
        b"\x02\x00\x01\xf4", b"\x02\x00\x00\x11", b"\x02\x00\xff\xff\xff\xff\x00",
        b"\x02\x00\x00\xf0\x00\x01\x10", b"\x02\x00\x00\x10\x00\x00\x10",
    ]:  # fmt: skip
        with pytest.raises(InputError, match="cursor"):
            Cursor.from_bytes(data)


def test_path_must_be_legal_on_the_board():
    with pytest.raises(InputError, match="illegal"):
        Cursor.root(goal_blank=4).share(blank_last(Size(2, 2)))
    with pytest.raises(InputError, match="move 1 of"):
        Cursor((Position(bytes([UP]), 0),)).share(blank_last(Size(2, 2)))
    with pytest.raises(InputError, match="move 2 of"):
        Cursor((Position(bytes([DOWN, DOWN]), 0),)).share(blank_last(Size(2, 2)))
