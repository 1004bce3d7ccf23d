"""Long texts are read by compiled code, which agrees with what reads short ones."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.strategies import boards
from tilework.core.errors import BoardSyntaxError
from tilework.core.formats import board_pieces
from tilework.core.formats.board_text import read_board
from tilework.core.puzzle import permutation
from tilework.core.puzzle.board import Board

NINE = Board([0, 1, 3, 4, 2, 5, 7, 8, 6])
TWO_ROWS = Board([1, 2, 3, 4, 5, 0], 3, 2)


@given(boards(), st.data())
def test_the_compiled_reader_agrees(board, data):
    lines = str(board).replace(":\n", ":").split("\n")
    gaps = st.sampled_from(["\n", "\r\n", "\n\n", " \n\t"])
    text = "".join(line + data.draw(gaps) for line in lines)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(board_pieces, "KERNEL_CHARACTERS", 0)
        assert read_board(text) == board


@pytest.mark.parametrize(
    "text",
    [
        "2\n1 2\n2 0",
        "2\n1 2\n3",
        "2\n1 2\n3 0 9",
        "2 \n 1 2 \n\n 9 0",
        "1 2 3 4 5 0",
        "2\n1 2\n3 " + "9" * 30,
        " \n ",
        "1 2\n3 q",
        "2x2: 1 2 1 0",
    ],
)
def test_the_compiled_reader_refuses_with_the_same_words(text, monkeypatch):
    with pytest.raises(BoardSyntaxError) as plain:
        read_board(text)
    monkeypatch.setattr(board_pieces, "KERNEL_CHARACTERS", 0)
    with pytest.raises(BoardSyntaxError) as compiled:
        read_board(text)
    assert (compiled.value.line, compiled.value.column) == (plain.value.line, plain.value.column)
    assert str(compiled.value) == str(plain.value)


@given(
    st.text("0123456789 \n\t", max_size=60),
    st.none() | st.integers(1, 4),
    st.none() | st.integers(1, 9),
)
def test_a_text_of_digits_is_read_as_one_with_other_signs(text, width, max_cells):
    # A form feed is white space, but keeps the text from being split at once.
    assert outcome(text, width, max_cells) == outcome(f"{text}\f", width, max_cells)


def outcome(text, width, max_cells):
    try:
        return read_board(text, width, max_cells=max_cells)
    except BoardSyntaxError as error:
        return error.code, error.line, error.column


def test_a_large_board_is_read_through_every_kernel(monkeypatch):
    monkeypatch.setattr(board_pieces, "KERNEL_CHARACTERS", 1000)
    monkeypatch.setattr(permutation, "KERNEL_CELLS", 1000)
    board = Board(np.random.default_rng(6).permutation(2500))
    text = str(board)
    assert read_board(text) == board
    tile = str(board.tile_at(30, 7)).rjust(4)
    other = str(board.tile_at(10, 3)).rjust(4)
    with pytest.raises(BoardSyntaxError, match="appears a second time") as caught:
        read_board(text.replace(tile, other))
    assert (caught.value.line, caught.value.column) == (32, 7 * 5 + 5 - len(other.strip()))
