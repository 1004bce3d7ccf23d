import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support import naive
from tests.support.instances import read_level_counts
from tests.support.strategies import boards
from tilework.core.errors import BoardError, MoveError
from tilework.core.puzzle import goals
from tilework.core.puzzle.board import MAX_SIDE, Board, Size
from tilework.core.puzzle.goals import blank_first, blank_last
from tilework.core.puzzle.moves import from_letters, reverse_moves, to_letters

TWO_ROWS = Board([1, 2, 3, 4, 5, 0], 3, 2)


def test_tiles_are_read_row_by_row():
    assert TWO_ROWS.size == Size(3, 2)
    tiles = [TWO_ROWS.tile_at(row, column) for row in range(2) for column in range(3)]
    assert tiles == [1, 2, 3, 4, 5, 0]
    assert TWO_ROWS.blank == 5
    assert Board([[1, 2, 3], [4, 5, 0]]) == TWO_ROWS
    assert Board(np.array([[1], [0]], dtype=np.uint8)).size == Size(1, 2)
    assert Board(np.arange(MAX_SIDE), MAX_SIDE, 1).size == Size(MAX_SIDE, 1)
    for cell in ((-1, 0), (0, -1), (2, 0), (0, 3)):
        with pytest.raises(IndexError, match="use a whole number from 0 to"):
            TWO_ROWS.tile_at(*cell)


@pytest.mark.parametrize(
    ("tiles", "width", "height", "message"),
    [
        ([], None, None, "at least one cell"),
        ([0, 1, 2], None, None, "3 tiles do not form a square; use the width"),
        ([0, 1, 2, 3], 3, None, "3×1 boards have 3 cells; 4 tiles were given"),
        ([0, 1, 1, 3], None, None, "1 appears more than once; 2 is missing"),
        ([0, 1, 2, 4], None, None, "4 is not from 0 to 3; 3 is missing"),
        ([0.5, 1.0, 2.0, 3.0], None, None, "whole numbers"),
        ([[0, 1], [2]], None, None, "same number of tiles"),
        (np.zeros((1, 1, 1), dtype=int), None, None, "not 3 dimensions"),
        (np.zeros(400, dtype=int), None, None, "0 appears more .* 1, 2, 3, 4, 5 and 394 more"),
        (range(MAX_SIDE + 1), MAX_SIDE + 1, 1, "invalid width 32769; use .* to 32768"),
    ],
)
def test_invalid_boards_are_rejected_with_a_reason(tiles, width, height, message):
    with pytest.raises(BoardError, match=message):
        Board(tiles, width, height)


def test_boards_are_immutable():
    tiles = np.array([1, 2, 3, 0], dtype=np.int32)
    board = Board(tiles)
    tiles[0] = 7
    assert board.tile_at(0, 0) == 1
    with pytest.raises(ValueError, match="read-only"):
        board.cells[0] = 7
    assert not pickle.loads(pickle.dumps(board)).cells.flags.writeable
    tiles = np.array([1, 2, 3, 0], dtype=np.int32)
    tiles.flags.writeable = False
    assert np.shares_memory(Board(tiles).cells, tiles)


@given(boards())
def test_equality_copies_and_neighbours(board):
    copied_board = Board(board.cells.tolist(), *board.size)
    assert board == copied_board
    assert hash(board) == hash(copied_board)
    assert pickle.loads(pickle.dumps(board)) == board
    assert eval(repr(board)) == board
    tiles = tuple(board.cells.tolist())
    expected = [naive.apply_move(tiles, board.width, letter) for letter in "UDLR"]
    neighbors = list(board.neighbors())
    assert [tuple(board.cells.tolist()) for board in neighbors] == list(filter(None, expected))
    assert all(neighbor.size == board.size for neighbor in neighbors)
    assert all(neighbor.cells[neighbor.blank] == 0 for neighbor in neighbors)


def test_large_boards_that_differ_in_two_cells_are_not_equal():
    size = Size(700, 700)
    goal = blank_last(size)
    cells = goal.cells.copy()
    cells[[400_000, 400_001]] = cells[[400_001, 400_000]]
    assert Board(cells, *size) != goal
    assert Board(goal.cells.astype(">i8"), *size) == goal
    assert hash(Board(goal.cells.copy(), *size)) == hash(goal)
    assert Board([1, 2, 3, 4, 5, 0], 2, 3) != TWO_ROWS
    assert Board([1, 2, 3, 0]) != [1, 2, 3, 0]


@given(boards(size=(5, 3)), boards(size=(5, 3)))
def test_distances_agree_with_the_definition(board, goal):
    tiles, target = tuple(board.cells.tolist()), tuple(goal.cells.tolist())
    standard = naive.solved_tiles(5, 3)
    assert board.hamming(goal) == naive.hamming(tiles, target)
    assert board.manhattan(goal) == naive.manhattan(tiles, target, 5)
    assert board.hamming() == naive.hamming(tiles, standard)
    assert board.manhattan() == naive.manhattan(tiles, standard, 5)


def test_distances_by_chunks_agree_with_the_definition():
    width, height = 640, 700
    cells = np.random.default_rng(5).permutation(width * height)
    board, goal = Board(cells, width, height), blank_last(Size(width, height))
    rows, columns = np.divmod(np.arange(cells.size), width)
    tiles = cells != 0
    distances = abs((cells - 1) // width - rows) + abs((cells - 1) % width - columns)
    assert board.manhattan() == board.manhattan(goal) == distances[tiles].sum()
    misplaced = (cells != np.arange(1, cells.size + 1)) & tiles
    assert board.hamming() == board.hamming(goal) == misplaced.sum()


def test_goal_defaults_to_blank_last_and_must_fit():
    assert blank_last(Size(700, 700)).is_goal()
    assert not blank_first(Size(3, 3)).is_goal()
    assert blank_first(Size(3, 3)).is_goal(blank_first(Size(3, 3)))
    assert not Board([2, 1, 3, 0]).is_goal()
    for method in ("hamming", "manhattan", "is_solvable"):
        with pytest.raises(BoardError, match="a goal of size 3×2 does not fit a board of size 2×3"):
            getattr(Board([1, 2, 3, 4, 5, 0], 2, 3), method)(TWO_ROWS)


def test_text_has_the_princeton_format():
    assert str(Board([0, 1, 3, 4, 2, 5, 7, 8, 6])) == "3\n 0  1  3\n 4  2  5\n 7  8  6"
    assert str(TWO_ROWS) == "3x2:\n 1  2  3\n 4  5  0"
    assert repr(blank_last(Size(100, 100))) == "Board(<10000 tiles>, 100, 100)"


@pytest.mark.parametrize(("width", "height"), [(3, 2), (2, 3), (4, 2)])
def test_level_counts_from_the_goal_match_published_ones(width, height):
    level = {blank_last(Size(width, height))}
    previous: set[Board] = set()
    counts = []
    while level:
        counts.append(len(level))
        neighbors = {neighbor for board in level for neighbor in board.neighbors()}
        level, previous = neighbors - previous, level
    assert counts == read_level_counts(max(width, height), min(width, height))


def test_goals():
    assert blank_last(Size(3, 2)) == TWO_ROWS
    assert blank_first(Size(3, 2)) == Board([0, 1, 2, 3, 4, 5], 3, 2)
    assert goals.blank_at(Size(3, 2), 2) == Board([1, 2, 0, 3, 4, 5], 3, 2)
    size = Size(3, 3)
    assert goals.named_goal(" Blank_First ", size) == blank_first(size)
    assert not goals.is_goal_name("1 2 3 0")
    for width in range(1, 8):
        for height in range(1, 8):
            for name in goals.GoalName:
                goal = goals.named_goal(name, Size(width, height))
                assert Board(goal.cells.tolist(), width, height) == goal
                assert goal.cells[goal.blank] == 0


@pytest.mark.parametrize(
    ("width", "height", "tiles"),
    [
        (1, 1, [0]),
        (1, 3, [1, 2, 0]),
        (2, 3, [1, 2, 0, 3, 5, 4]),
        (4, 3, [1, 2, 3, 4, 10, 11, 0, 5, 9, 8, 7, 6]),
        (4, 4, [1, 2, 3, 4, 12, 13, 14, 5, 11, 0, 15, 6, 10, 9, 8, 7]),
    ],
)
def test_spiral_ends_at_the_blank(width, height, tiles):
    assert goals.spiral(Size(width, height)) == Board(tiles, width, height)


@given(st.text("UDLR"))
def test_letters_and_codes_are_equivalent(letters):
    assert to_letters(from_letters(letters)) == letters
    assert to_letters(from_letters(letters.lower())) == letters
    inverse = letters[::-1].translate(str.maketrans("UDLR", "DURL"))
    assert to_letters(reverse_moves(from_letters(letters))) == inverse
    with pytest.raises(MoveError, match=f"move {len(letters) + 1} is 'q'"):
        from_letters(f"{letters}q")
