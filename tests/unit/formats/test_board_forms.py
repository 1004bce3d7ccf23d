"""Every form of the table, boards drawn in every form, and texts that were changed."""

import json
import re
from collections.abc import Callable
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.board_forms import FORMS, QUESTIONS, Form, make_table, split_page
from tests.support.strategies import boards
from tilework.core.errors import BoardError, BoardSyntaxError
from tilework.core.formats.board_cells import Reading
from tilework.core.formats.board_text import read_board, read_text
from tilework.core.puzzle.board import Board

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


def test_page_shows_the_table() -> None:
    _before, table, _after = split_page()
    assert table == make_table(), "run python -m tests.support.board_forms"


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
    for _ in range(2_000):
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
