from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tilework.core.errors import BoardError
from tilework.core.formats.board_lines import board_lines


@given(st.integers(1, 5), st.integers(1, 5), st.data())
def test_a_numbered_line_is_told_from_a_bare_board(
    width: int, height: int, data: st.DataObject
) -> None:
    tiles = data.draw(st.permutations(range(width * height)))
    words = " ".join(map(str, tiles))
    name = data.draw(st.integers(0, 99))
    [line] = board_lines([f"{name} {width} {height} {words}"])
    assert (line.id, line.width, line.height) == (str(name), width, height)
    assert line.board(None).cells.tolist() == list(tiles)


@given(st.integers(1, 5).flatmap(lambda side: st.permutations(range(side * side))))
def test_a_bare_square_board_is_told_from_a_numbered_line(tiles: list[int]) -> None:
    [line] = board_lines([" ".join(map(str, tiles))])
    assert line.id == "1"
    assert line.board(None).cells.tolist() == tiles


def test_notes_comments_and_empty_lines_are_passed_over() -> None:
    lines = board_lines(["# goal: blank first", "", "k7 2 2 1 2 3 0 | 0 | easy", "  "])
    assert [(line.number, line.id, line.text) for line in lines] == [(3, "k7", "1 2 3 0")]


def test_a_vector_is_no_comment() -> None:
    lines = board_lines(["#(see above)", "# (1 2 3 0)", "#(1 2 3 0) | 0", "k7 2 2 None 1 2 3"])
    assert [(line.id, line.board(None).cells.tolist()) for line in lines] == [
        ("3", [1, 2, 3, 0]),
        ("k7", [0, 1, 2, 3]),
    ]


def test_a_line_that_lists_too_few_tiles_says_so() -> None:
    [line] = board_lines(["k7 3 3 1 2 3"])
    with pytest.raises(BoardError, match=r"'k7': a board of 3×3 has 9 cells, got 3 tiles"):
        line.board(None)


@pytest.mark.parametrize("side", ["9" * 5_000, "²", "-3"])
def test_a_size_that_is_none_is_part_of_the_board(side: str) -> None:
    [line] = board_lines([f"1 {side} 3 0"])
    with pytest.raises(BoardError):
        line.board(None)
