"""The compiled reader of long text agrees with the reader of short text."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.strategies import boards
from tilework.core.errors import BoardSyntaxError
from tilework.core.formats import board_tokens
from tilework.core.formats.board_text import read_board
from tilework.core.formats.digits_kernel import read_numbers
from tilework.core.puzzle import arrangement
from tilework.core.puzzle.board import Board


@given(boards(), st.data())
def test_compiled_reader_reads_the_same_boards(board, data):
    lines = str(board).replace(":\n", ":").split("\n")
    gaps = st.sampled_from(["\n", "\r\n", "\n\n", " \n\t"])
    text = "".join(line + data.draw(gaps) for line in lines)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(board_tokens, "KERNEL_CHARACTERS", 0)
        assert read_board(text) == board


def test_compiled_reader_has_the_same_errors(monkeypatch):
    kernel_characters = board_tokens.KERNEL_CHARACTERS
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
        for minimum in (kernel_characters, 0):
            monkeypatch.setattr(board_tokens, "KERNEL_CHARACTERS", minimum)
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


def test_large_board_is_read_by_every_kernel(monkeypatch):
    monkeypatch.setattr(board_tokens, "KERNEL_CHARACTERS", 1000)
    monkeypatch.setattr(arrangement, "KERNEL_CELLS", 1000)
    board = Board(np.random.default_rng(6).permutation(2500))
    text = str(board)
    assert read_board(text) == board
    tile = str(board.tile_at(30, 7)).rjust(4)
    duplicate = str(board.tile_at(10, 3)).rjust(4)
    with pytest.raises(BoardSyntaxError, match="appears a second time") as error:
        read_board(text.replace(tile, duplicate))
    assert (error.value.line, error.value.column) == (32, 7 * 5 + 5 - len(duplicate.strip()))


def call_reader(text, start=0, reader=read_numbers):
    values = np.zeros(len(text) + 1, dtype=np.int32)
    ends, starts = np.zeros((2, len(text) + 1), dtype=np.int64)
    data = np.frombuffer(text.encode(), dtype=np.uint8)
    numbers, rows, too_long = reader(data, start, values, ends, starts)
    return values[:numbers].tolist(), ends[:rows].tolist(), starts[:rows].tolist(), too_long


@given(
    st.text("019 \t\n", max_size=30).filter(lambda text: max(map(len, text.split()), default=0) < 9)
)
def test_numbers_and_lines_match_python_splitting(text):
    values, ends, starts, too_long = call_reader(text)
    assert call_reader(text, reader=read_numbers.py_func) == (values, ends, starts, too_long)
    lines = [line.split() for line in text.split("\n") if line.split()]
    assert values == [int(word) for line in lines for word in line]
    assert np.diff([0, *ends]).tolist() == [len(line) for line in lines]
    assert [text[start:].split()[0] for start in starts] == [line[0] for line in lines]
    assert too_long == -1


def test_start_offset_and_too_long_numbers():
    assert call_reader("12 34\n5", 1) == ([2, 34, 5], [2, 3], [1, 6], -1)
    assert call_reader("2147483647")[0] == [2147483647]
    for number in ("2147483648", "9" * 400):
        assert call_reader(f"1\n2 {number} 3")[3] == 4
