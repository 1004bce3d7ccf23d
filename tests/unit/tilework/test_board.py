import copy
import pickle

import pytest
from hypothesis import given

from tests.support.strategies import boards
from tilework import Board, BoardError, Goal, MoveError, analyse, scramble
from tilework.core.puzzle.board import Size

EASY = "0 1 3 / 4 2 5 / 7 8 6"


def test_princeton_example() -> None:
    board = Board("8 1 3 / 4 0 2 / 7 6 5")
    assert (board.hamming(), board.manhattan()) == (5, 10)
    assert board.tile_at(0, 0) == 8
    assert board.size == Size(3, 3)
    assert board.size() == 3
    with pytest.raises(ValueError, match="3×2"):
        Board.goal(3, 2).size()
    assert str(board).split() == ["3", "8", "1", "3", "4", "0", "2", "7", "6", "5"]
    assert not board.is_goal()
    assert Board.goal(3).is_goal()
    neighbors = list(board.neighbors())
    assert {type(board) for board in neighbors} == {Board}
    assert {str(board).split()[5] for board in neighbors} == {"1", "2", "4", "6"}


def test_invalid_board_is_reported_with_its_position() -> None:
    for create in (Board, Board.of):
        with pytest.raises(TypeError, match="expected a board, got None"):
            create(None)
    with pytest.raises(BoardError, match="line 1, column 3"):
        Board("1 q 2 0")
    with pytest.raises(BoardError, match="2×1"):
        Board([1, 0], 2, 1).twin()


@given(boards(smallest=2))
def test_boards_are_equal_by_tiles_and_either_a_board_or_its_twin_is_solvable(board) -> None:
    first, second = Board.of(board), Board(str(board))
    assert first.equals(second)
    assert hash(first) == hash(second)
    assert {first, second, copy.deepcopy(first), pickle.loads(pickle.dumps(first))} == {first}
    assert not first.equals(None)
    assert not first.equals(str(first))
    twin = first.twin()
    assert sorted(twin.cells) == sorted(first.cells)
    assert sum(a != b for a, b in zip(twin.cells, first.cells, strict=True)) == 2
    assert twin.blank == first.blank
    assert first.is_solvable() != twin.is_solvable()
    assert twin.twin() == first


def test_moves_goals_and_scrambles_make_boards() -> None:
    board = Board(EASY)
    assert board.moved("LULU").is_goal()
    with pytest.raises(MoveError, match="move 1, R"):
        board.moved("R")
    with pytest.raises(MoveError, match="move 1, R"):
        analyse(board, "R")
    assert Board.goal(3, name=Goal.SPIRAL) == Board([[1, 2, 3], [8, 0, 4], [7, 6, 5]])
    assert Board.goal(2, 3).size == Size(2, 3)
    board = scramble(5, 4, seed=7)
    assert board == scramble(5, 4, seed=7)
    assert (board.size, board.is_solvable()) == (Size(5, 4), True)
    assert scramble(3, moves=0, goal="spiral") == Board.goal(3, name="spiral")
