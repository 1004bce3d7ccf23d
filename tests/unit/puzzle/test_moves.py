import pytest
from hypothesis import given
from hypothesis import strategies as st

from tilework.core.errors import MoveError
from tilework.core.puzzle.moves import from_letters, reversed_moves, to_letters


@given(st.text("UDLR"))
def test_letters_and_codes_are_the_same_moves(letters):
    assert to_letters(from_letters(letters)) == letters
    assert to_letters(from_letters(letters.lower())) == letters


def test_undoing_goes_back_by_the_opposite_moves():
    assert to_letters(reversed_moves(from_letters("UULR"))) == "LRDD"


def test_another_letter_is_quoted_with_its_place():
    with pytest.raises(MoveError, match="move 3 is 'q'"):
        from_letters("UDq")
