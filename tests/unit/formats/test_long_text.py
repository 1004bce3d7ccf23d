"""The reader of long text agrees with the reader of short text."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.strategies import boards
from tilework.core.errors import BoardError, BoardSyntaxError
from tilework.core.formats import board_text
from tilework.core.formats.board_text import read_board, read_long_text
from tilework.core.puzzle import arrangement
from tilework.core.puzzle.board import Board


@given(boards(), st.data())
def test_long_reader_reads_the_same_boards(board, data):
    lines = str(board).replace(":\n", ":").split("\n")
    gaps = st.sampled_from(["\n", "\r\n", "\n\n", " \n\t"])
    text = "".join(line + data.draw(gaps) for line in lines)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(board_text, "LONG_CHARACTERS", 0)
        assert read_board(text) == board


ROWS = [
    json.dumps,
    lambda rows: json.dumps(rows, indent=1),
    lambda rows: "((" + ") (".join(" ".join(map(str, row)) for row in rows) + "))",
    lambda rows: " / ".join(" ".join(map(str, row)) for row in rows),
    lambda rows: "\n".join(",".join(map(str, row)) for row in rows),
    lambda rows: "/\n".join(", ".join(map(str, row)) for row in rows) + "/",
]


@given(
    st.text("0123456789 \n", max_size=60)
    | st.text("0123 ,/[]\n", max_size=40)
    | st.builds(
        lambda rows, draw, end: draw(rows) + end,
        st.lists(st.permutations(range(4)) | st.lists(st.integers(0, 5), max_size=3), max_size=3)
        | st.just([[1, 2, 3], [4, 5, 0]]),
        st.sampled_from(ROWS),
        st.sampled_from(["", " ", "\n", ",", "/", "1"]),
    ),
    st.none() | st.integers(1, 4),
    st.none() | st.integers(1, 9),
)
def test_plain_numbers_are_read_like_other_text(text, width, max_cells):
    expected = read_or_error(text, width, max_cells)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(board_text, "LONG_CHARACTERS", 0)
        assert read_or_error(text, width, max_cells) == expected


def read_or_error(text, width, max_cells):
    try:
        return read_board(text, width, max_cells=max_cells)
    except BoardError as error:
        return str(error)


@pytest.mark.parametrize("draw", ROWS)
def test_rows_of_long_texts_are_read(draw):
    rows = np.random.default_rng(6).permutation(40 * 60).reshape(40, 60)
    assert read_board(draw(rows.tolist())) == Board(rows)
    assert read_long_text(draw(rows.tolist()), 60) == Board(rows)


def test_large_board_is_read_as_an_array(monkeypatch):
    monkeypatch.setattr(board_text, "LONG_CHARACTERS", 1000)
    monkeypatch.setattr(arrangement, "KERNEL_CELLS", 1000)
    board = Board(np.random.default_rng(6).permutation(2500))
    text = str(board)
    assert read_board(text) == board
    tile = str(board.tile_at(30, 7)).rjust(4)
    duplicate = str(board.tile_at(10, 3)).rjust(4)
    with pytest.raises(BoardSyntaxError, match="appears a second time") as error:
        read_board(text.replace(tile, duplicate))
    assert (error.value.line, error.value.column) == (32, 7 * 5 + 5 - len(duplicate.strip()))
