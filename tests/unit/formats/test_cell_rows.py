"""Boards out of spreadsheets and drawn tables, in which nothing stands for the blank."""

from __future__ import annotations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.support.strategies import boards
from tilework.core.errors import BoardError
from tilework.core.formats.board_text import read_board
from tilework.core.formats.cell_rows import with_blank_written
from tilework.core.puzzle.board import Board

NINE = Board([1, 2, 3, 4, 5, 6, 7, 8, 0])


def rows_of(board: Board) -> list[list[str]]:
    rows = board.cells.reshape(board.height, board.width).tolist()
    return [[str(tile or "") for tile in row] for row in rows]


@given(boards(), st.sampled_from(["\n", "\r\n"]), st.booleans())
def test_a_spreadsheets_cells_are_a_board(board: Board, newline: str, last: bool) -> None:
    assume(board.width > 1)  # a column of cells has no tab
    assume(board.height > 1)  # a row does not say its width
    text = newline.join("\t".join(row) for row in rows_of(board)) + (newline if last else "")
    assert read_board(text) == board


@given(boards(), st.sampled_from(["", " ", "  "]), st.booleans())
def test_cells_between_bars_are_a_board(board: Board, pad: str, ruled: bool) -> None:
    assume(min(board.size) > 1)  # a column may begin with what reads as its side
    rule = "+" + "----+" * board.width
    lines = ["|" + "|".join(f"{pad}{cell}{pad}" for cell in row) + "|" for row in rows_of(board)]
    if ruled:
        lines = [rule, *(line for row in lines for line in (row, rule))]
    assert read_board("\n".join(lines)) == board


@pytest.mark.parametrize(
    "text",
    [
        "| 1 | 2 | 3 |\n| 4 | 5 | 6 |\n| 7 | 8 |  |",
        "1 | 2 | 3\n4 | 5 | 6\n7 | 8 |",
        "| 1 | 2 | 3 |\n|---|:-:|--:|\n| 4 | 5 | 6 |\n| 7 | 8 | 0 |",
        "3x3:\n1\t2\t3\n4\t5\t6\n7\t8\t\n",
        "3\n1\t2\t3\n4\t5\t6\n7\t8\t",
        "1\t2\t3\t\n4\t5\t6\t\n7\t8\t0\t",
        "\t1 2 3\n\t4 5 6\n\t7 8 0",
        "|1 2 3|\n|4 5 6|\n|7 8 X|",
    ],
)
def test_other_ways_to_draw_them(text: str) -> None:
    assert read_board(text) == NINE


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1\t2\t3\n4\t\t6\n7\t8\t", "row 2 has 2 tiles, expected 3"),
        ("1\t2\t3\n4\t5\t6\n7\t8", "row 3 has 2 tiles, expected 3"),
        ("| 1 | q |\n| 2 |  |", "line 1, column 7: 'q' is not a tile"),
    ],
)
def test_what_is_wrong_in_cells_is_told_with_its_place(text: str, message: str) -> None:
    with pytest.raises(BoardError, match=message):
        read_board(text)


@given(st.text("0123 \t\n|x-+", max_size=60))
def test_lines_stay_where_they_are(text: str) -> None:
    assert with_blank_written(text).count("\n") == text.count("\n")


@pytest.mark.parametrize(
    "text", ["\x89PNG\r\n\x1a\n\x00", "GIF89a\x01\x00", "1 2 \ufffd 0", "\x7fELF"]
)
def test_the_content_of_another_file_is_told_to_be_no_text(text: str) -> None:
    with pytest.raises(BoardError, match="this is not text but the content of another file"):
        read_board(text)
