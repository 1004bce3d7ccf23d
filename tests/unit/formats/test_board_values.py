import io
import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.strategies import boards
from tilework.core.errors import BoardError, BoardSyntaxError, OptionError
from tilework.core.formats import board_text
from tilework.core.formats.board_list import BoardList, board_lines, read_board_list
from tilework.core.formats.board_text import read_board
from tilework.core.formats.board_values import board_rows, read_npy, read_npy_bytes
from tilework.core.formats.board_values import read_board_json as read_json
from tilework.core.formats.downloads import csv_lines
from tilework.core.puzzle import arrangement
from tilework.core.puzzle.board import Board


def npy_bytes(array, **options):
    file = io.BytesIO()
    np.save(file, array, **options)
    return file.getvalue()


@given(boards(), st.sampled_from(["i4", "<i8", ">i4", ">u2", "u1"]), st.booleans())
def test_boards_of_every_integer_type_are_read(board, kind, fortran):
    rows = board.cells.reshape(board.height, board.width).astype(kind)
    assert read_npy_bytes(npy_bytes(np.asfortranarray(rows) if fortran else rows)) == board


def test_int32_file_is_memory_mapped(tmp_path):
    path = tmp_path / "board.npy"
    np.save(path, np.array([[1, 2, 3], [4, 5, 0]], dtype=np.int32))
    board = read_npy(path)
    assert board == Board([1, 2, 3, 4, 5, 0], 3, 2)
    root = board.cells
    while isinstance(root.base, np.ndarray):
        root = root.base
    assert isinstance(root, np.memmap)
    fortran_path = tmp_path / "fortran.npy"
    np.save(fortran_path, np.asfortranarray([[1, 2, 3], [4, 5, 0]]))
    assert read_npy(fortran_path) == board
    with pytest.raises(BoardError, match="the board is 3×2, but the given width is 4"):
        read_npy(path, 4)
    np.save(tmp_path / "flat.npy", np.array([1, 2, 3, 4, 5, 0]))
    assert read_npy(tmp_path / "flat.npy", 3) == board
    with pytest.raises(BoardError, match="cannot be read: No such file"):
        read_npy(tmp_path / "missing.npy")


def test_invalid_arrays_are_rejected():
    no_rows = "does not contain rows of whole numbers"
    for array, message in (
        (np.array([0.0, 1.0]), no_rows),
        (np.array([{}, []], dtype=object), no_rows),
        (np.zeros((1, 1, 1), dtype=np.int32), f"{no_rows}|is damaged"),
        (np.zeros((0,), dtype=np.int32), f"{no_rows}|is damaged"),
        (np.int32(0), f"{no_rows}|is damaged"),
        (np.array([0, 1, 1, 2]), "1 appears more than once"),
    ):
        with pytest.raises(BoardError, match=message):
            read_npy_bytes(npy_bytes(array))


@pytest.mark.parametrize(
    ("shape", "message"),
    [
        (b"(4, 5), ", "its 64 B of data are not int32 of shape"),
        (b"(10**9,)", "does not contain rows"),
        (b"(9999999", "does not contain rows"),
        (b"(4, 400)", "is damaged"),
    ],
)
def test_header_larger_than_the_file_is_rejected(shape, message, tmp_path):
    content = npy_bytes(np.arange(16, dtype=np.int32).reshape(4, 4))
    content = content.replace(b"(4, 4), ", shape)
    path = tmp_path / "board.npy"
    path.write_bytes(content)
    with pytest.raises(BoardError, match=message):
        read_npy_bytes(content)
    with pytest.raises(BoardError, match=message):
        read_npy(path)


def test_truncated_files_and_large_boards_are_rejected():
    content = npy_bytes(np.array([[1, 2], [3, 0]]))
    with pytest.raises(BoardError, match="is damaged"):
        read_npy_bytes(content[:-3])
    assert read_npy_bytes(content, max_cells=4) == Board([1, 2, 3, 0])
    with pytest.raises(BoardError, match="4 tiles are too many; boards of up to 3 cells"):
        read_npy_bytes(content, max_cells=3)


def test_cells_cannot_be_formulas() -> None:
    texts = ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "\n=1", "1 + 1 = 2", ""]
    text = "".join(csv_lines(["name"], [[text] for text in [*texts, -1, None]]))
    assert text == (
        "name\r\n'=1+1\r\n'+1\r\n'-1\r\n'@SUM(A1)\r\n'\t=1\r\n"
        '"\'\r=1"\r\n"\'\n=1"\r\n1 + 1 = 2\r\n""\r\n-1\r\n""\r\n'
    )


def read_board_json(value, width=None, **limits):
    return read_json(value, width, **limits).board


TWO_ROWS = Board([1, 2, 3, 4, 5, 0], 3, 2)


def test_every_form_of_a_board():
    for value in (
        "3x2: 1 2 3 4 5 0",
        [[1, 2, 3], [4, 5, 0]],
        [[1, 2, 3], [4, 5, None]],
        {"tiles": [1, 2, 3, 4, 5, 0], "width": 3},
        {"tiles": [1, 2, 3, 4, 5, 0], "height": 2},
        {"tiles": [[1, 2, 3], [4, 5, 0]], "width": 3},
        {"tiles": "1 2 3 4 5 0", "width": 3, "height": 2},
    ):
        assert read_board_json(value) == TWO_ROWS, value
    assert read_board_json([1, 2, 3, 4, 5, 0], width=3) == TWO_ROWS
    assert read_board_json("1 2 3 4 5 0", width=3) == TWO_ROWS


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ({}, "is not a board"),
        ([1, 2, 1.5, 0], "tile 3: '1.5' is not a tile"),
        ([[1, 2], [3, {}]], "row 2, column 2: '{}' is not a tile"),
        ([[1, 2], 3], "row 2 is not a list of tiles: 3"),
        ([[1, 2], [0]], "row 2 has 1 tile, expected 2"),
        ([1, 2, 2, 0], "2 appears more than once"),
        ([1, 2, 3, 10**30], "tile 4: 10+ is too large for a tile"),
        ({"tiles": [[1, 2], [3, 0]], "width": 4}, "is 2×2, but the given width is 4"),
        ({"tiles": [1, 2, 3, 0], "width": True}, "invalid width True"),
        ({"tiles": [1, 2, 3, 0], "height": 10**4_000}, "invalid height 10*\\.{3}0*; use"),
    ],
)
def test_errors_quote_the_token(value, message):
    with pytest.raises(BoardError, match=message):
        read_board_json(value)


def test_boards_beyond_a_limit_are_rejected():
    for value in ([1, 2, 3, 0], [[1, 2], [3, 0]], "1 2 3 0"):
        assert read_board_json(value, max_cells=4) == Board([1, 2, 3, 0])
        with pytest.raises(BoardError, match="boards of up to 3 cells are accepted here"):
            read_board_json(value, max_cells=3)


@given(boards())
def test_rows_read_back(board):
    assert read_board_json(json.loads(json.dumps(board_rows(board)))) == board


def test_a_row_of_one_empty_cell_is_reported() -> None:
    rows = [[10, 14, 11, 3], [2, 16, 8, 13], [""], [12, 19, 0, 9], [7, 4, 15, 17]]
    with pytest.raises(BoardError, match="row 3 has 1 tile, expected 4"):
        read_board_json(rows)


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
