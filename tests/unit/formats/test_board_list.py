import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.strategies import boards
from tilework.core.errors import BoardError, BoardSyntaxError, OptionError
from tilework.core.formats.board_list import BoardList, board_lines, read_board_list
from tilework.core.puzzle.board import Board


def read_list(text: str) -> BoardList | None:
    return read_board_list(text, max_cells=1_000, max_boards=100)


def format_line(board: Board) -> str:
    return f"{board.width}x{board.height}: " + " ".join(map(str, board.cells.tolist()))


@given(st.lists(boards(), min_size=2, max_size=6), st.sampled_from(["\n", "\r\n", "\n\n"]))
def test_reads_boards_one_per_line_or_row_by_row(given_boards: list[Board], newline: str) -> None:
    for text in (newline.join(map(format_line, given_boards)), "\n\n".join(map(str, given_boards))):
        board_list = read_list(text)
        assert [board for _line, board in board_list.boards] == given_boards
        assert board_list.errors == []


def test_invalid_lines_are_reported_by_number_and_others_are_read() -> None:
    board_list = read_list("1 2 3 0\n# a note\n\n1 2 q 0\n3 1 2 0\nk7 2 2 1 2 0 3\n1 2 2 0\n")
    assert [line for line, _board in board_list.boards] == [1, 5, 6]
    assert [(error.line, str(error.message)) for error in board_list.errors] == [
        (4, "column 5: 'q' is not a tile; tiles are whole numbers, the blank is 0, X, _ or ."),
        (7, "column 5: 2 appears more than once; 3 is missing"),
    ]
    board_list = read_list("1 2\n3 0\n\n0 1\n2 3\n\n1 2\nq 3\n")
    assert [line for line, _board in board_list.boards] == [1, 4]
    assert [error.line for error in board_list.errors] == [8]
    board_list = read_list("1 2 3 0\n" * 2 + "q\n" * 90)
    assert (len(board_list.boards), board_list.error_count) == (2, 90)
    with pytest.raises(OptionError, match="at most 100 boards"):
        read_list("1 2 3 0\n" * 101)


@pytest.mark.parametrize(
    "text", ["", "1 2 3 0", "1 2 3\n4 q 6\n7 8 0", "hello\nworld", "1 2 3 0\nhello", "3\n1 2 3\n4"]
)
def test_one_board_is_not_a_list(text: str) -> None:
    assert read_list(text) is None


def test_many_lines_of_one_number_are_not_a_list() -> None:
    assert read_list("1\n" * 200_000) is None


@given(boards(largest=5), st.integers(0, 99))
def test_numbered_line_is_distinguished_from_a_bare_board(board: Board, name: int) -> None:
    tiles = " ".join(map(str, board.cells.tolist()))
    [line] = board_lines([f"{name} {board.width} {board.height} {tiles}"])
    assert (line.id, line.read().board) == (str(name), board)
    if board.width == board.height:
        [line] = board_lines([tiles])
        assert (line.id, line.read().board) == ("1", board)


def test_notes_comments_and_empty_lines_are_skipped() -> None:
    lines = board_lines(["\ufeff# goal: blank first", "", "k7 2 2 1 2 3 0 | 0 | easy", "  "])
    [(number, name, board)] = [(line.number, line.id, line.read().board) for line in lines]
    assert (number, name, board.cells.tolist()) == (3, "k7", [1, 2, 3, 0])
    # `#(…)` is a Lisp vector, not a comment.
    lines = board_lines(["#(see above)", "# (1 2 3 0)", "#(1 2 3 0) | 0", "k7 2 2 None 1 2 3"])
    tiles_by_id = [(line.id, line.read().board.cells.tolist()) for line in lines]
    assert tiles_by_id == [("3", [1, 2, 3, 0]), ("k7", [0, 1, 2, 3])]


def test_error_in_a_line_with_a_name_has_its_column() -> None:
    [line] = board_lines(["  k7  2 2  1 2 q 0"])
    with pytest.raises(BoardSyntaxError, match="'q' is not a tile") as error:
        line.read()
    assert error.value.column == 16


@pytest.mark.parametrize("text", ["1 " + "9" * 5_000 + " 3 0", "1 ² 3 0", "1 -3 3 0", "k7 3 3 1"])
def test_invalid_line_is_rejected(text: str) -> None:
    [line] = board_lines([text])
    with pytest.raises(BoardError):
        line.read()
