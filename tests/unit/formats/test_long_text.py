"""The reader of long text agrees with the reader of short text."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.strategies import boards
from tilework.core.errors import BoardSyntaxError
from tilework.core.formats import long_text
from tilework.core.formats.board_text import read_board
from tilework.core.puzzle import arrangement
from tilework.core.puzzle.board import Board


@given(boards(), st.data())
def test_long_reader_reads_the_same_boards(board, data):
    lines = str(board).replace(":\n", ":").split("\n")
    gaps = st.sampled_from(["\n", "\r\n", "\n\n", " \n\t"])
    text = "".join(line + data.draw(gaps) for line in lines)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(long_text, "LONG_CHARACTERS", 0)
        assert read_board(text) == board


def test_long_reader_has_the_same_errors(monkeypatch):
    long_characters = long_text.LONG_CHARACTERS
    for text in (
        "2\n1 2\n2 0",
        "2\n1 2\n3",
        "2\n1 2\n3 0 9",
        "2 \n 1 2 \n\n 9 0",
        "1 2 3 4 5 0",
        "2\n1 2\n3 " + "9" * 30,
        " \n ",
        "1 2\n3 q",
        "2x2: 1 2 1 0",
    ):
        errors = []
        for minimum in (long_characters, 0):
            monkeypatch.setattr(long_text, "LONG_CHARACTERS", minimum)
            with pytest.raises(BoardSyntaxError) as error:
                read_board(text)
            errors.append((error.value.line, error.value.column, str(error.value)))
        assert errors[0] == errors[1]


@given(
    st.text("0123456789 \n", max_size=60),
    st.none() | st.integers(1, 4),
    st.none() | st.integers(1, 9),
)
def test_plain_digits_are_read_like_other_text(text, width, max_cells):
    # A form feed is whitespace, but prevents the fast path.
    assert read_or_error(text, width, max_cells) == read_or_error(f"{text}\f", width, max_cells)


def read_or_error(text, width, max_cells):
    try:
        return read_board(text, width, max_cells=max_cells)
    except BoardSyntaxError as error:
        return error.code, error.line, error.column


def test_large_board_is_read_as_an_array(monkeypatch):
    monkeypatch.setattr(long_text, "LONG_CHARACTERS", 1000)
    monkeypatch.setattr(arrangement, "KERNEL_CELLS", 1000)
    board = Board(np.random.default_rng(6).permutation(2500))
    text = str(board)
    assert read_board(text) == board
    tile = str(board.tile_at(30, 7)).rjust(4)
    duplicate = str(board.tile_at(10, 3)).rjust(4)
    with pytest.raises(BoardSyntaxError, match="appears a second time") as error:
        read_board(text.replace(tile, duplicate))
    assert (error.value.line, error.value.column) == (32, 7 * 5 + 5 - len(duplicate.strip()))
