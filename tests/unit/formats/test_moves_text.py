import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.strategies import boards, walks
from tilework.core.errors import MoveError
from tilework.core.formats.moves_text import read_moves
from tilework.core.formats.solutions import SolutionFormat, format_solution
from tilework.core.puzzle.board import Board
from tilework.core.puzzle.moves import from_letters, to_letters
from tilework.core.puzzle.replay import apply

START = Board([8, 1, 3, 4, 0, 2, 7, 6, 5])


@given(
    boards(smallest=2, largest=4).flatmap(lambda board: st.tuples(st.just(board), walks(board))),
    st.sampled_from(sorted({*SolutionFormat} - {SolutionFormat.EIGHTPUZZLE_SHORT})),
)
def test_every_written_format_is_read(game, output_format):
    board, letters = game
    moves = from_letters(letters)
    text = "".join(format_solution(output_format, board, moves, apply(board, moves)))
    assert to_letters(read_moves(text, board)) == letters


def test_accepted_formats():
    for text, letters in (
        ("", ""),
        (" lurd ", "LURD"),
        ("L U, R\nD", "LURD"),
        ("L2 U10", "LL" + "U" * 10),
        ("←↑→↓", "LURD"),
        ("⬅️ ⬆️", "LU"),
        ("2, 3", "LD"),
        ("2\n3", "LD"),
        ("['right', 'up']", "LD"),
        ('["Right","UP"]', "LD"),
        ("right up", "LD"),
        ("(2 3)", "LD"),
        ('{"moves": "RU", "named_by": "blank"}', "LD"),
        ('{"moves": "LD", "start": [[8,1,3],[4,0,2],[7,6,5]]}', "LD"),
        ("3\n 8 1 3\n 4 2 0\n 7 6 5\n", "L"),
    ):
        assert to_letters(read_moves(text, START)) == letters
    assert to_letters(read_moves("RU", START, blank_moves=True)) == "LD"
    for text in ("2 3", "['right', 'up']", '{"moves": "RU"}'):
        assert to_letters(read_moves(text, START, blank_moves=True)) == "LD"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("LUX", "move 3 is 'X'; moves are U, D, L and R"),
        ("L2?U", "'?U' after 2 moves is not a move"),
        ("1" * 400_000 + "x", "after 0 moves is not a move"),
        ("2 8", "move 2 slides tile 8, which is not next to the blank"),
        ("U99999999999", "makes more than"),
        ("{}", "this JSON object has no moves"),
        ('{"moves": 5}', "this JSON object has no moves"),
        ("{" * 5000, "this JSON object has no moves"),
        ('{"moves": "L", "start": [1,2,3]}', "belong to another board"),
        ("3\n 8 1 3\n 4 2 0\n 7 6 5\n\n3\n 8 1 3\n 4 2 5\n 0 6 7", "board 3 is not one move away"),
        ("#(1 2 3)", "board 2 is not one move away"),
        ("|8 1|\n|0 4|", "these boards do not have 3 columns"),
        ("L" * 4_000_001, "at most 4000000 are read"),
    ],
)
def test_invalid_moves_are_quoted(text, message):
    with pytest.raises(MoveError) as error:
        read_moves(text, START)
    assert message in str(error.value)
