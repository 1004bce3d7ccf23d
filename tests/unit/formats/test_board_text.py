import json
import re
from collections.abc import Callable
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.board_forms import FORMS, QUESTIONS, Form
from tests.support.strategies import boards
from tilework.core.errors import BoardError, BoardSyntaxError
from tilework.core.formats.board_cells import Reading
from tilework.core.formats.board_text import read_board, read_goal, read_text
from tilework.core.puzzle.board import Board, Size
from tilework.core.puzzle.goals import blank_first, blank_last, spiral

BOARD_3X3 = Board([0, 1, 3, 4, 2, 5, 7, 8, 6])
TWO_ROWS = Board([1, 2, 3, 4, 5, 0], 3, 2)

# Besides those of `docs/formats.md`
TEXTS_3X3 = [
    "3\r\n0 1 3\r\n4 2 5\r\n7 8 6\r\n",
    "\ufeff0\t1\t3\r4\t2\t5\r7\t8\t6",
    "[\n  [0,\n 1,\n 3],\n  [4, 2, 5],\n  [7, 8, 6]\n]\n",
    "‘(0 1 3 4 2 5 7 8 6)",
    "#(#(0 1 3) #(4 2 5) #(7 8 6))",
    ",1,3,4,2,5,7,8,6",
    "3 X 3 : [[0,1,3],[4,2,5],[7,8,6]]",
    "| 0 | 1 | 3 |\n|---|:-:|--:|\n| 4 | 2 | 5 |\n| 7 | 8 | 6 |",
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
        ("1 2 3 ٣", 1, 7, "3 appears more than once"),
        ("99999999999 1 2 3", 1, 1, "column 1: 99999999999 is too large for a tile"),
        ("1 2 2 0", 1, 5, "column 5: 2 appears more than once; 3 is missing"),
        ("1 2\n9 0", 2, 1, "column 1: 9 is not from 0 to 3; 3 is missing"),
        (
            "3\n1 2 3\n4 5 6\n7 8",
            4,
            4,
            "the blank is missing in row 3; write 1 2 3 / 4 5 6 / 7 8 0",
        ),
        ("1 2 3\n4 5 6 0", 2, 7, "row 2 has 4 tiles, expected 3"),
        ("1\t2\t3\n4\t\t6\n7\t8\t", 3, 3, "row 3 has 2 tiles, expected 3"),
        ("3\n1 2 3\n4 5 0", 3, 5, "3×3 boards have 9 cells; 6 tiles were given"),
        ("1 2 3 4 5 0", 1, 11, "6 tiles do not form a square; put the size before them, as in"),
        ("2x2: 1 2 3\n0", 1, 10, "row 1 has 3 tiles, expected 2"),
        ("0x3: 1", 1, 1, "invalid size 0×3: sides must be between 1 and 32768"),
        ("3 q" + "q" * 10_000, 1, 3, "is not a tile"),
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
        ("1 " * 100, "column 17: 10[01] tiles are too many"),
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


Cells = list[list[str]]


def rows_of(text: str) -> list[list[int]]:
    return [list(map(int, row.split())) for row in text.split("/")]


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.text[:30])
def test_form_is_read_and_says_how(form: Form) -> None:
    reading = read_text(form.text)
    assert reading.board == Board(rows_of(form.rows))
    how = reading.describe()
    assert form.note in str(how) if form.note else how is None


@pytest.mark.parametrize("form", QUESTIONS, ids=lambda form: form.text[:30])
def test_what_can_be_read_in_two_ways_is_asked(form: Form) -> None:
    with pytest.raises(BoardSyntaxError) as error:
        read_text(form.text)
    assert list(error.value.fixes) == form.rows.split(" | ")
    assert all(fix in str(error.value) for fix in error.value.fixes)
    for fix in error.value.fixes:
        assert read_text(fix).describe() is None


def join(rows: Cells, cell: str = " ", row: str = "\n") -> str:
    return row.join(cell.join(cells) for cells in rows)


def draw_html(rows: Cells) -> str:
    lines = ("".join(f"<td>{cell}</td>" for cell in cells) for cells in rows)
    return "<table>\n" + "\n".join(f"  <tr>{line}</tr>" for line in lines) + "\n</table>"


def draw_aligned(rows: Cells) -> str:
    width = max(len(cell) for cells in rows for cell in cells)
    return join([[cell.rjust(width) for cell in cells] for cells in rows], "  ")


def draw_frame(rows: Cells) -> str:
    width = max(3, *(len(cell) for cells in rows for cell in cells))
    rule = "+" + ("-" * width + "+") * len(rows[0])
    lines = ["|" + "|".join(cell.center(width) for cell in cells) + "|" for cells in rows]
    return "\n".join([rule, *(part for line in lines for part in (line, rule))])


# Each draws a board whose blank is the empty string
EMPTY_FORMS: list[Callable[[Cells], str]] = [
    draw_html,
    draw_frame,
    lambda rows: join(rows, "\t"),
    lambda rows: join(rows, ";"),
    lambda rows: join(rows, ","),
    lambda rows: join(rows, " & ", " \\\\\n"),
    lambda rows: join([["", *cells, ""] for cells in rows], "|"),
    lambda rows: join([[f'"{cell}"' for cell in cells] for cells in rows], ","),
    lambda rows: join([[f"[{cell or ' '}]" for cell in cells] for cells in rows]),
    lambda rows: json.dumps(rows, ensure_ascii=False, indent=1),
    repr,
]
# Each draws a board whose blank is a sign
FORMS_WITH_BLANK: list[Callable[[Cells], str]] = [
    *EMPTY_FORMS,
    join,
    draw_aligned,
    lambda rows: join(rows, " ", " / "),
    lambda rows: join(rows, ", ", ",\n"),
    lambda rows: join(rows, " ", " | "),
    lambda rows: "{{" + join(rows, ", ", "}, {") + "}};",
    lambda rows: "[" + join(rows, " ", "; ") + "]",
    lambda rows: "'((" + join(rows, " ", ") (") + "))",
    lambda rows: "array([[" + join(rows, ", ", "],\n       [") + "]])",
    lambda rows: "int[][] board = {{" + join(rows, ", ", "}, {") + "}};",
    lambda rows: "Start state:\n" + join(rows),
    lambda rows: "# a comment\n" + join(rows),
    lambda rows: "\n".join(f"> {line}" for line in join(rows).split("\n")),
    lambda rows: f"{len(rows[0])} {len(rows)}\n" + join(rows),
]


@given(
    boards(largest=20).filter(lambda board: min(board.size) > 1 and board.size.cells > 4),
    st.integers(0, len(FORMS_WITH_BLANK) - 1),
    st.sampled_from(["0", "x", "_", ".", "-", "*", "None", "⬜", ""]),
)
def test_board_drawn_in_any_form_is_read_back(board: Board, number: int, blank: str) -> None:
    draw = FORMS_WITH_BLANK[number]
    if not blank and draw not in EMPTY_FORMS:
        blank = "0"
    rows = board.cells.reshape(board.height, board.width).tolist()
    text = draw([[str(tile) if tile else blank for tile in row] for row in rows])
    assert read_board(text) == board, text


CHANGES = [
    *"0123456789 \n,;|/[](){}\"'#-_.x:=<>&\\",
    "->",
    "\n\n",
    "1 2",
    "ab",
    "note",
    "//",
    "⬜",
    "é",
]


def change(random: Random, text: str) -> str:
    for _ in range(random.choice([1, 1, 2, 3])):
        start = random.randrange(len(text) + 1)
        end = min(len(text), start + random.choice([0, 0, 1, 1, 2, 5]))
        text = text[:start] + random.choice(["", *CHANGES]) + text[end:]
    return text


def read_or_explain(text: str) -> tuple[Reading | None, str]:
    try:
        return read_text(text), ""
    except BoardError as error:
        return None, str(error)


def test_changed_texts_are_permutations_or_one_sentence() -> None:
    random = Random(59)
    for _ in range(800):
        text = change(random, random.choice(FORMS).text)
        reading, message = read_or_explain(text)
        assert len(message) < 400, text
        assert "\n" not in message, text
        if reading is None:
            assert message, text
            continue
        board = reading.board
        assert sorted(board.cells.tolist()) == list(range(board.size.cells)), text
        digits = re.findall(r"[0-9]", text)
        # What is read is in the text, or the reader says what was left out.
        if reading.describe() is None and "１" not in text and "️⃣" not in text:
            assert len(digits) >= len("".join(map(str, range(1, board.size.cells)))), text


@settings(max_examples=10)
@given(
    st.lists(
        st.sampled_from([*CHANGES, "<td>", "/*", "<!--", "```", "%", "3x3"]), min_size=1, max_size=6
    )
)
def test_long_texts_are_read_in_linear_time(signs: list[str]) -> None:
    # Quadratic time would take minutes; pytest's timeout ends it.
    text = ("".join(signs) * 200_000)[:200_000]
    _reading, message = read_or_explain(text)
    assert len(message) < 400
