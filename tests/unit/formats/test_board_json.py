import json

import pytest
from hypothesis import given

from tests.support.strategies import boards
from tilework.core.errors import BoardError
from tilework.core.formats.board_values import board_rows
from tilework.core.formats.board_values import read_board_json as read_json
from tilework.core.puzzle.board import Board


def read_board_json(value, width=None, **limits):
    return read_json(value, width, **limits).board


TWO_ROWS = Board([1, 2, 3, 4, 5, 0], 3, 2)


def test_every_form_of_a_board():
    for value in (
        "3x2: 1 2 3 4 5 0",
        [[1, 2, 3], [4, 5, 0]],
        [[1, 2, 3], [4, 5, None]],
        [["1", "2", "3"], ["4", "5", "X"]],
        {"tiles": [1, 2, 3, 4, 5, 0], "width": 3},
        {"tiles": [1, 2, 3, 4, 5, 0], "height": 2},
        {"tiles": [[1, 2, 3], [4, 5, 0]], "width": 3},
        {"tiles": "1 2 3 4 5 0", "width": 3, "height": 2},
    ):
        assert read_board_json(value) == TWO_ROWS, value
    assert read_board_json([1, 2, 3, 4, 5, 0], width=3) == TWO_ROWS
    assert read_board_json("1 2 3 4 5 0", width=3) == TWO_ROWS


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (None, "None is not a board"),
        ({"a": 1}, r"{'a': 1} is not a board"),
        ([], "is not a board"),
        ({}, "is not a board"),
        ([1, 2, "q", 0], "tile 3: 'q' is not a tile"),
        ([1, 2, True, 0], "tile 3: 'True' is not a tile"),
        ([1, 2, 1.5, 0], "tile 3: '1.5' is not a tile"),
        ([[1, 2], [3, {}]], "row 2, column 2: '{}' is not a tile"),
        ([[1, 2], 3], "row 2 is not a list of tiles: 3"),
        ([[1, 2], [0]], "row 2 has 1 tile, expected 2"),
        ([1, 2, 2, 0], "2 appears more than once"),
        ([1, 2, 0], "do not form a square"),
        ([1, 2, 3, 10**30], "tile 4: 10+ is too large for a tile"),
        ({"tiles": [[1, 2], [3, 0]], "width": 4}, "is 2×2, but the given width is 4"),
        ({"tiles": "1 2 3 0", "height": 4}, "is 2×2, but the given height is 4"),
        ({"tiles": [1, 2, 3, 0], "width": "2"}, "invalid width"),
        ({"tiles": [1, 2, 3, 0], "width": True}, "invalid width True"),
        ({"tiles": [1, 2, 3, 0], "height": 10**4_000}, "invalid height 10*\\.{3}0*; use"),
    ],
)
def test_errors_quote_the_token(value, message):
    with pytest.raises(BoardError, match=message):
        read_board_json(value)


def test_boards_beyond_a_limit_are_rejected():
    for value in ([1, 2, 3, 0], [[1, 2], [3, 0]], "1 2 3 0"):
        assert read_board_json(value, max_cells=4) == Board([1, 2, 3, 0])
        with pytest.raises(BoardError, match="boards of up to 3 cells are accepted here"):
            read_board_json(value, max_cells=3)


@given(boards())
def test_rows_read_back(board):
    assert read_board_json(json.loads(json.dumps(board_rows(board)))) == board


def test_a_row_of_one_empty_cell_is_reported() -> None:
    rows = [[10, 14, 11, 3], [2, 16, 8, 13], [""], [12, 19, 0, 9], [7, 4, 15, 17]]
    with pytest.raises(BoardError, match="row 3 has 1 tile, expected 4"):
        read_board_json(rows)
