import pytest

from tilework.core.errors import BoardError, BoardSyntaxError
from tilework.core.formats.board_text import read_board, read_goal
from tilework.core.puzzle.board import Board, Size
from tilework.core.puzzle.goals import blank_first, blank_last, spiral

BOARD_3X3 = Board([0, 1, 3, 4, 2, 5, 7, 8, 6])
TWO_ROWS = Board([1, 2, 3, 4, 5, 0], 3, 2)
# Besides those of `tests.support.board_forms`
TEXTS_3X3 = [
    "3\r\n0 1 3\r\n4 2 5\r\n7 8 6\r\n",
    "3 / 0 1 3 / 4 2 5 / 7 8 6",
    "(0 1 3 4 2 5 7 8 6)",
    "\ufeff0\t1\t3\r4\t2\t5\r7\t8\t6",
    "[\n  [0,\n 1,\n 3],\n  [4, 2, 5],\n  [7, 8, 6]\n]\n",
    "‘(0 1 3 4 2 5 7 8 6)",
    "#(#(0 1 3) #(4 2 5) #(7 8 6))",
    "|0 1 3|\n|4 2 5|\n|7 8 6|",
    ",1,3,4,2,5,7,8,6",
    "[null,1,3,4,2,5,7,8,6]",
    "3 X 3 : [[0,1,3],[4,2,5],[7,8,6]]",
    "00 01 03 04 02 05 07 08 06",
    "| 0 | 1 | 3 |\n|---|:-:|--:|\n| 4 | 2 | 5 |\n| 7 | 8 | 6 |",
    "0\t1\t3\t\n4\t2\t5\t\n7\t8\t6\t",
    "\t0 1 3\n\t4 2 5\n\t7 8 6",
]


def test_every_board_format():
    for text in TEXTS_3X3:
        assert read_board(text) == read_board(text, width=3) == BOARD_3X3, text
    for text in ("1 2 3 4 5 0", "1\n2\n3\n4\n5\n0", "3x2:\n1 2 3\n4 5 0", "1,2,3\n4,5,"):
        assert read_board(text, 3) == TWO_ROWS, text
    assert read_board("1,2,,3") == read_board("[1,2,,3]") == Board([1, 2, 0, 3])
    assert read_board("2\n1\n0") == Board([2, 1, 0], 1, 3)
    assert read_board("1\n0") == Board([0])
    assert read_board("1x2: 1 0") == Board([1, 0], 1, 2)
    assert read_board("2 1 0", width=3) == Board([2, 1, 0], 3, 1)


@pytest.mark.parametrize(
    ("text", "line", "column", "message"),
    [
        ("1 2\n3 a", 2, 3, "'a' is not a tile"),
        ("1 2 3 -4", 1, 7, "'-4' is not a tile"),
        ("1 2 3 ٣", 1, 7, "3 appears more than once"),
        ("1 2 3 ²", 1, 7, "is not a tile"),
        ('[1,2,"q",0]', 1, 7, "'q' is not a tile"),
        ("99999999999 1 2 3", 1, 1, "column 1: 99999999999 is too large for a tile"),
        ("1 2 2 0", 1, 5, "column 5: 2 appears more than once; 3 is missing"),
        ("1 2\n9 0", 2, 1, "column 1: 9 is not from 0 to 3; 3 is missing"),
        (
            "3\n1 2 3\n4 5 6\n7 8",
            4,
            4,
            "the blank is missing in row 3; write 1 2 3 / 4 5 6 / 7 8 0",
        ),
        ("3\n1 2 3\n4 5 6\n7 0", 4, 3, "row 3 has 2 tiles, expected 3$"),
        ("1 2 3\n4 5 6 0", 2, 7, "row 2 has 4 tiles, expected 3"),
        ("1\t2\t3\n4\t\t6\n7\t8\t", 3, 3, "row 3 has 2 tiles, expected 3"),
        ("| 1 | q |\n| 2 |  |", 1, 7, "'q' is not a tile"),
        ("3\n1 2 3\n4 5 0", 3, 5, "3×3 boards have 9 cells; 6 tiles were given"),
        ("1 2 3 4 5 0", 1, 11, "6 tiles do not form a square; put the size before them, as in"),
        ("2x2: 1 2 3\n0", 1, 10, "row 1 has 3 tiles, expected 2"),
        ("0x3: 1", 1, 1, "invalid size 0×3: sides must be between 1 and 32768"),
        ("0\n1 2", 1, 1, "row 1 has 1 tile, expected 2"),
        ("[1,2", 1, 1, "has no matching bracket"),
        ("1 2]", 1, 4, "has no matching bracket"),
        ("'1 2 3 0", 1, 1, "is not a tile"),
        ("3 q" + "q" * 10_000, 1, 3, "is not a tile"),
        ("|1|2|\n" + "-" * 10_000 + "x", 2, 1, "…' is not a tile"),
        ("[" * 5000 + "1", 1, 5000, "has no matching bracket"),
        ("9" * 5000, 1, 1, "9… is too large for a tile"),
        ("32768x32768: 0 1 2", 1, None, "boards have 1073741824 cells; 3 tiles were given"),
    ],
)
def test_errors_quote_the_token_with_its_position(text, line, column, message):
    with pytest.raises(BoardSyntaxError, match=message) as error:
        read_board(text)
    assert (error.value.line, column or error.value.column) == (line, error.value.column)
    assert str(error.value).startswith(f"line {line}, column {error.value.column}: ")
    assert len(str(error.value)) < 200


def test_text_without_a_board_is_rejected():
    for text in ("", " \n ", "()", "[[]]", "3x3:", "|"):
        with pytest.raises(BoardSyntaxError, match="contains no board"):
            read_board(text)
    for text in ("\x89PNG\r\n\x1a\n\x00", "GIF89a\x01\x00", "1 2 \ufffd 0", "\x7fELF"):
        with pytest.raises(BoardError, match="this is not text but the content of another file"):
            read_board(text)


@pytest.mark.parametrize(
    ("text", "width", "message"),
    [
        ("3\n1 2 3\n4 5 6\n7 8 0", 4, "the board is 3×3, but the given width is 4"),
        ("1 2 3 / 4 5 0", 2, "row 1 has 3 tiles, expected 2"),
        ("1 2 3 4 5 0", 4, "4×2 boards have 8 cells; 6 tiles were given"),
        ("1 2 3 0", 0, "invalid width 0; use a whole number from 1 to 32768"),
        (
            " ".join(map(str, range(32_769))),
            1,
            "invalid size 1×32769: sides must be between 1 and 32768",
        ),
    ],
)
def test_requested_width_must_match(text, width, message):
    with pytest.raises(BoardError, match=message):
        read_board(text, width)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1 2 3 4 5 6 7 8 0", "9 tiles are too many; boards of up to 8 cells are accepted"),
        ("3\n1 2 3 4 5 6 7 8 0", "9 tiles are too many; boards of up to 8 cells"),
        ("1 " * 100, "column 17: 10[01] tiles are too many"),
        ("1," * 100, "column 17: 10[01] tiles are too many"),
        ("[]" * 1_000_000, "the text is too long: 2000000 characters; boards of up to 8 cells"),
    ],
)
def test_boards_beyond_a_limit_are_rejected_early(text, message):
    with pytest.raises(BoardSyntaxError, match=message):
        read_board(text, max_cells=8)
    assert read_board("2\n1 2\n3 0", max_cells=4) == Board([1, 2, 3, 0])


def test_goals_by_name_or_as_boards():
    size = Size(3, 3)
    assert read_goal("blank-last", size) == blank_last(size)
    assert read_goal(" Blank-First\n", size) == blank_first(size)
    assert read_goal("snail", size) == read_goal("spiral", size) == spiral(size)
    assert read_goal("3\n1 2 3\n8 0 4\n7 6 5", size) == spiral(size)
    assert read_goal("1 2 3 4 5 0", Size(3, 2)) == TWO_ROWS
    for text, message in (
        ("nowhere", "unknown goal 'nowhere'; choose from blank-last, blank-first, spiral"),
        ("", "unknown goal ''"),
        ("2x2: 1 2 3 0", "a goal of size 2×2 does not fit a board of size 3×3"),
        ("1 2 3 0", "3×2 boards have 6 cells; 4 tiles were given"),
    ):
        with pytest.raises(BoardError, match=message):
            read_goal(text, size)
