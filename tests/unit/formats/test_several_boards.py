from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.strategies import boards
from tilework.core.errors import OptionError
from tilework.core.formats.board_text import read_board
from tilework.core.formats.several_boards import SeveralBoards, read_several
from tilework.core.puzzle.board import Board

LIMITS = {"max_cells": 1_000, "most": 100}


def told(text: str) -> SeveralBoards:
    several = read_several(text, **LIMITS)
    assert several is not None
    return several


def line_of(board: Board) -> str:
    return f"{board.width}x{board.height}: " + " ".join(map(str, board.cells.tolist()))


@given(st.lists(boards(), min_size=2, max_size=8), st.sampled_from(["\n", "\r\n", "\n\n"]))
def test_a_board_a_line(given_boards: list[Board], newline: str) -> None:
    several = told(newline.join(map(line_of, given_boards)))
    assert [board for _line, board in several.boards] == given_boards
    assert several.faults == []


@given(st.lists(boards(), min_size=2, max_size=5))
def test_boards_with_a_row_a_line_and_empty_lines_between(given_boards: list[Board]) -> None:
    several = told("\n\n".join(map(str, given_boards)))
    assert [board for _line, board in several.boards] == given_boards


def test_one_bad_line_is_told_with_its_number_and_the_others_go_on() -> None:
    several = told("1 2 3 0\n# a note\n\n1 2 q 0\n3 1 2 0\nk7 2 2 1 2 0 3\n1 2 2 0\n")
    assert [line for line, _board in several.boards] == [1, 5, 6]
    assert [(fault.line, str(fault.message)) for fault in several.faults] == [
        (4, "column 5: 'q' is not a tile; tiles are whole numbers, the blank is 0, X, _ or ."),
        (7, "column 5: 2 appears more than once; 3 is missing"),
    ]


def test_a_fault_in_a_board_of_several_lines_is_told_where_it_is() -> None:
    several = told("1 2\n3 0\n\n0 1\n2 3\n\n1 2\nq 3\n")
    assert [line for line, _board in several.boards] == [1, 4]
    assert [fault.line for fault in several.faults] == [8]
    assert several.faulty == 1


@pytest.mark.parametrize(
    "text", ["", "1 2 3 0", "1 2 3\n4 q 6\n7 8 0", "hello\nworld", "1 2 3 0\nhello", "3\n1 2 3\n4"]
)
def test_what_is_meant_for_one_board_is_not_several(text: str) -> None:
    assert read_several(text, **LIMITS) is None


def test_many_faults_are_counted_and_the_first_told() -> None:
    several = told("1 2 3 0\n" * 2 + "q\n" * 90)
    assert (len(several.boards), several.faulty) == (2, 90)
    with pytest.raises(OptionError, match="more than 100 boards"):
        read_several("1 2 3 0\n" * 101, **LIMITS)


@given(st.text("0123 \n\t|,/qx:#[]", max_size=80))
def test_any_text_is_several_boards_or_not(text: str) -> None:
    several = read_several(text, **LIMITS)
    if several is not None:
        assert len(several.boards) > 1
        lines = text.replace("\r", "\n").split("\n")
        for line, board in several.boards:
            assert 1 <= line <= len(lines)
            assert read_board(line_of(board)) == board
