import pickle

import numpy as np
import pytest
from hypothesis import given

from tests.support import naive
from tests.support.instances import instances, level_counts
from tests.support.strategies import boards
from tilework.core.errors import BoardError
from tilework.core.puzzle.board import MAX_SIDE, Board, Size
from tilework.core.puzzle.goals import blank_first, blank_last


def test_tiles_are_read_row_by_row():
    board = Board([1, 2, 3, 4, 5, 0], 3, 2)
    assert board.size == Size(3, 2)
    assert [board.tile_at(row, column) for row in range(2) for column in range(3)] == [
        1, 2, 3, 4, 5, 0,
    ]  # fmt: skip
    assert board.blank == 5


@pytest.mark.parametrize("place", [(-1, 0), (0, -1), (2, 0), (0, 3)])
def test_a_place_outside_is_an_index_error(place):
    with pytest.raises(IndexError, match="outside a board of 3×2"):
        Board([1, 2, 3, 4, 5, 0], 3, 2).tile_at(*place)


def test_rows_give_the_size():
    assert Board([[1, 2, 3], [4, 5, 0]]) == Board([1, 2, 3, 4, 5, 0], 3, 2)
    assert Board(np.array([[1], [0]], dtype=np.uint8)).size == Size(1, 2)


@pytest.mark.parametrize(
    ("tiles", "width", "height", "message"),
    [
        ([], None, None, "at least one cell"),
        ([0, 1, 2], None, None, "3 tiles do not form a square; give the width"),
        ([0, 1, 2, 3], 3, None, "a board of 3×1 has 3 cells, got 4 tiles"),
        ([0, 1, 2, 3], None, 3, "a board of 1×3 has 3 cells, got 4 tiles"),
        ([0, 1, 2, 3], 0, None, "invalid size"),
        ([0], -1, -1, "invalid size"),
        ([0, 1, 1, 3], None, None, "1 appears more than once; 2 is missing"),
        ([0, 1, 2, 4], None, None, "4 is not from 0 to 3; 3 is missing"),
        ([0, 1, 2, -3], None, None, "-3 is not from 0 to 3"),
        ([0, 1, 2, 2**40 + 3], None, None, "is not from 0 to 3; 3 is missing"),
        ([0, 1, 2, 2**70], None, None, "whole numbers"),
        ([0.0, 1.0, 2.0, 3.0], None, None, "whole numbers"),
        (["0", "1", "2", "3"], None, None, "whole numbers"),
        ([[0, 1], [2]], None, None, "same number of tiles"),
        (np.zeros((1, 1, 1), dtype=int), None, None, "not 3 dimensions"),
        (range(MAX_SIDE + 1), MAX_SIDE + 1, 1, "sides go from 1 to 32768"),
    ],
)
def test_what_is_no_board_is_refused_with_a_reason(tiles, width, height, message):
    with pytest.raises(BoardError, match=message):
        Board(tiles, width, height)


def test_many_faults_are_named_a_few_at_a_time():
    with pytest.raises(BoardError, match=r"0 appears more than once; 1, 2, 3, 4, 5 and 394 more"):
        Board(np.zeros(400, dtype=np.int32))


def test_the_largest_side_is_a_board():
    assert Board(np.arange(MAX_SIDE), MAX_SIDE, 1).size == Size(MAX_SIDE, 1)


def test_a_board_cannot_be_changed():
    tiles = np.array([1, 2, 3, 0], dtype=np.int32)
    board = Board(tiles)
    tiles[0] = 7
    assert board.tile_at(0, 0) == 1
    with pytest.raises(ValueError, match="read-only"):
        board.cells[0] = 7
    assert not pickle.loads(pickle.dumps(board)).cells.flags.writeable


def test_a_read_only_array_is_shared():
    tiles = np.array([1, 2, 3, 0], dtype=np.int32)
    tiles.flags.writeable = False
    assert np.shares_memory(Board(tiles).cells, tiles)


@given(boards())
def test_equal_boards_are_equal_and_hash_alike(board):
    twin = Board(board.cells.tolist(), *board.size)
    assert board == twin
    assert hash(board) == hash(twin)
    assert pickle.loads(pickle.dumps(board)) == board
    assert eval(repr(board)) == board


def test_large_boards_differ_by_one_exchange():
    size = Size(700, 700)
    goal = blank_last(size)
    cells = goal.cells.copy()
    cells[[400_000, 400_001]] = cells[[400_001, 400_000]]
    assert Board(cells, *size) != goal
    assert Board(goal.cells.astype(">i8"), *size) == goal
    assert hash(Board(goal.cells.copy(), *size)) == hash(goal)


def test_shape_and_type_count_in_equality():
    assert Board([1, 2, 3, 4, 5, 0], 3, 2) != Board([1, 2, 3, 4, 5, 0], 2, 3)
    assert Board([1, 2, 3, 0]) != [1, 2, 3, 0]
    assert Board([1, 2, 3, 0]) != Board([1, 2, 0, 3])


@given(boards())
def test_neighbors_are_one_move_away(board):
    tiles = tuple(board.cells.tolist())
    expected = [naive.moved(tiles, board.width, letter) for letter in "UDLR"]
    found = list(board.neighbors())
    assert [tuple(after.cells.tolist()) for after in found] == [one for one in expected if one]
    assert all(after.size == board.size for after in found)
    assert all(after.tile_at(*divmod(after.blank, after.width)) == 0 for after in found)


@given(boards(size=(5, 3)), boards(size=(5, 3)))
def test_distances_agree_with_the_definition(board, goal):
    tiles, wanted = tuple(board.cells.tolist()), tuple(goal.cells.tolist())
    standard = naive.solved(5, 3)
    assert board.hamming(goal) == naive.hamming(tiles, wanted)
    assert board.manhattan(goal) == naive.manhattan(tiles, wanted, 5)
    assert board.hamming() == naive.hamming(tiles, standard)
    assert board.manhattan() == naive.manhattan(tiles, standard, 5)


def test_distances_by_chunks_agree_with_the_definition():
    width, height = 640, 700
    cells = np.random.default_rng(5).permutation(width * height)
    board, goal = Board(cells, width, height), blank_last(Size(width, height))
    rows, columns = np.divmod(np.arange(cells.size), width)
    tiles = cells != 0
    apart = abs((cells - 1) // width - rows) + abs((cells - 1) % width - columns)
    assert board.manhattan() == board.manhattan(goal) == apart[tiles].sum()
    off = (cells != np.arange(1, cells.size + 1)) & tiles
    assert board.hamming() == board.hamming(goal) == off.sum()


def test_the_goal_is_known_by_default_and_by_name():
    assert blank_last(Size(700, 700)).is_goal()
    assert not blank_first(Size(3, 3)).is_goal()
    assert blank_first(Size(3, 3)).is_goal(blank_first(Size(3, 3)))
    assert not Board([2, 1, 3, 0]).is_goal()
    assert Board([0]).is_goal()


@pytest.mark.parametrize("method", ["hamming", "manhattan", "is_solvable"])
def test_a_goal_of_another_size_is_refused(method):
    with pytest.raises(BoardError, match="a goal of 3×2 does not fit a board of 2×3"):
        getattr(Board([1, 2, 3, 4, 5, 0], 2, 3), method)(Board([1, 2, 3, 4, 5, 0], 3, 2))


def test_text_is_princetons():
    assert str(Board([0, 1, 3, 4, 2, 5, 7, 8, 6])) == "3\n 0  1  3\n 4  2  5\n 7  8  6"
    assert str(Board([1, 2, 3, 4, 5, 0], 3, 2)) == "3x2:\n 1  2  3\n 4  5  0"


def test_a_large_board_has_a_short_repr():
    assert repr(blank_last(Size(100, 100))) == "Board(<10000 tiles>, 100, 100)"


@pytest.mark.parametrize(("width", "height"), [(2, 2), (3, 2), (2, 3), (4, 2), (3, 3)])
def test_level_counts_from_the_goal_are_the_published_ones(width, height):
    level = {blank_last(Size(width, height))}
    before: set[Board] = set()
    counts = []
    while level:
        counts.append(len(level))
        after = {neighbor for board in level for neighbor in board.neighbors()}
        level, before = after - before, level
    assert counts == level_counts(max(width, height), min(width, height))


def test_scores_of_the_known_boards():
    for instance in instances("princeton_8puzzle.txt"):
        board = Board(instance.tiles, instance.width, instance.height)
        goal = naive.solved(instance.width, instance.height)
        assert board.manhattan() == naive.manhattan(instance.tiles, goal, instance.width)
        assert board.is_solvable() == (instance.length is not None)
