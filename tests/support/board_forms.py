"""The forms in which boards are written: the table of ``docs/formats.md``, which tests read.

``python -m tests.support.board_forms`` writes the table into the page.
"""

from pathlib import Path
from typing import Final, NamedTuple

PAGE: Final = Path(__file__).parents[2] / "docs/formats.md"
START, END = "<!-- board forms -->\n", "<!-- end -->\n"

TURN: Final = "1 2 3 / 4 0 6 / 7 5 8"
WIDE: Final = "4 1 2 / 5 0 3"
TALL: Final = "1 2 3 / 4 5 6 / 7 8 9 / 10 11 0"
HEX: Final = "15 14 1 6 / 9 11 4 12 / 0 10 7 3 / 13 8 5 2"
FIVE: Final = "7 1 13 4 3 / 2 6 14 20 5 / 8 12 9 17 11 / 16 22 18 19 15 / 21 23 0 24 10"


class Form(NamedTuple):
    """A text, the rows that it stands for, and words that say how it is read."""

    kind: str
    text: str
    rows: str = TURN
    note: str = ""


FORMS: Final = [
    Form("rows", "1 2 3\n4 0 6\n7 5 8"),
    Form("rows", "1 2 3 / 4 0 6 / 7 5 8"),
    Form("rows", "1 2 3 | 4 0 6 | 7 5 8"),
    Form("one line", "1 2 3 4 0 6 7 5 8"),
    Form("one line", "1-2-3-4-0-6-7-5-8"),
    Form("one line", "1, 2, 3, 4, 0, 6, 7, 5, 8,"),
    Form("commas at the end", "1, 2, 3,\n4, 0, 6,\n7, 5, 8"),
    Form("CSV", '"1","2","3"\n"4","","6"\n"7","5","8"'),
    Form("CSV", "1;2;3\n4;;6\n7;5;8"),
    Form("CSV", "a,b,c\n1,2,3\n4,0,6\n7,5,8", note="labels"),
    Form("spreadsheet", "1\t2\t3\n4\t\t6\n7\t5\t8"),
    Form("Python", "[[1, 2, 3], [4, 0, 6], [7, 5, 8]]"),
    Form("Python", "[['1', '2', '3'], ['4', ' ', '6'], ['7', '5', '8']]"),
    Form("Python", "puzzle = Puzzle([[1, 2, 3], [4, None, 6], [7, 5, 8]])", note="puzzle ="),
    Form("Python", ">>> Board((1, 2, 3, 4, 0, 6, 7, 5, 8))", note=">>>"),
    Form("NumPy", "array([[1, 2, 3],\n       [4, 0, 6],\n       [7, 5, 8]])", note="array"),
    Form("NumPy", "[[1. 2. 3.]\n [4. 0. 6.]\n [7. 5. 8.]]"),
    Form("pandas", "   0  1  2\n0  1  2  3\n1  4  0  6\n2  7  5  8", note="labels"),
    Form("C, Java", "{{1, 2, 3}, {4, 0, 6}, {7, 5, 8}}"),
    Form("C, Java", "int[][] b = {{1, 2, 3}, {4, 0, 6}, {7, 5, 8}};", note="without"),
    Form(
        "C, Java", "int b[9] = {1, 2, 3,\n            4, 0, 6,\n            7, 5, 8};", note="int"
    ),
    Form("Java", "List.of(List.of(1, 2, 3), List.of(4, 0, 6), List.of(7, 5, 8))", note="List.of"),
    Form("Rust", "vec![vec![1, 2, 3], vec![4, 0, 6], vec![7, 5, 8]]"),
    Form("Lisp", "'((1 2 3) (4 nil 6) (7 5 8))", note="blank nil"),
    Form("Lisp", "#(1 2 3 4 0 6 7 5 8)"),
    Form("Haskell", "board = [[1,2,3],[4,0,6],[7,5,8]] :: [[Int]]", note="board ="),
    Form("MATLAB", "A = [1 2 3; 4 0 6; 7 5 8];", note="A ="),
    Form("R", "matrix(c(1,2,3,4,0,6,7,5,8), nrow=3, byrow=TRUE)", note="matrix"),
    Form("JSON", '{"tiles": [4, 1, 2, 5, 0, 3], "width": 3}', WIDE, "tiles"),
    Form("string", '"1 2 3\\n4 0 6\\n7 5 8"'),
    Form("string", 'state = "123406758"', note="one digit or letter a tile"),
    Form("exercise", "Input: board = [[4,1,2],[5,0,3]]\nOutput: 5", WIDE, "without"),
    Form("exercise", "# This puzzle is solvable\n3\n1\n2\n3\n4\n0\n6\n7\n5\n8", note="solvable"),
    Form("exercise", "3\n1 2 3 #note\n4 0 6\n7 5 8", note="#note"),
    Form("exercise", ";; a note\n3\n1 2 3\n4 0 6\n7 5 8", note="a note"),
    Form("exercise", "Initial state:\n1 2 3\n4 0 6\n7 5 8", note="Initial state:"),
    Form("exercise", "1: 1 2 3\n2: 4 0 6\n3: 7 5 8", note="1:"),
    Form("e-mail", "Can this be solved?\n> 1 2 3\n> 4 0 6\n> 7 5 8", note="Can this be solved?"),
    Form("Markdown", "- 1 2 3\n- 4 0 6\n- 7 5 8", note="-"),
    Form("Markdown", "| 1 | 2 | 3 |\n|---|---|---|\n| 4 |   | 6 |\n| 7 | 5 | 8 |"),
    Form("drawing", "+---+---+---+\n| 1 | 2 | 3 |\n| 4 |   | 6 |\n| 7 | 5 | 8 |\n+---+---+---+"),
    Form("drawing", "│ 1 │ 2 │ 3 │\n├───┼───┼───┤\n│ 4 │   │ 6 │\n│ 7 │ 5 │ 8 │"),
    Form("drawing", "[1] [2] [3]\n[4] [ ] [6]\n[7] [5] [8]"),
    Form("aligned", "1  2  3\n4     6\n7  5  8", note="where a cell is empty"),
    Form("aligned", "8  7\n6  5  4\n3  2  1", "8 7 0 / 6 5 4 / 3 2 1", "where a cell is empty"),
    Form("HTML", "<tr><td>1</td><td>2</td></tr><tr><td></td><td>3</td></tr>", "1 2 / 0 3"),
    Form("LaTeX", "\\begin{bmatrix} 1 & 2 & 3 \\\\ 4 & & 6 \\\\ 7 & 5 & 8 \\end{bmatrix}"),
    Form("one sign a tile", "123406758", note="one digit or letter a tile"),
    Form("one sign a tile", "123\n406\n758", note="one digit or letter a tile"),
    Form("one sign a tile", "123/4_6/758", note="one digit or letter a tile"),
    Form("one sign a tile", "fe169b4c0a73d852", HEX, "A stands for 10"),
    Form("letters", "ABC/D_F/GEH", note="A stands for 1"),
    Form("letters before", "T1 T2 T3\nT4 _ T6\nT7 T5 T8"),
    Form("hexadecimal", "0x1 0x2 0x3 / 0x4 0x0 0x6 / 0x7 0x5 0x8"),
    Form("other brackets", "‹1 2 3› ‹4 0 6› ‹7 5 8›"),
    Form("dictionary", "{0: [1, 2, 3], 1: [4, 0, 6], 2: [7, 5, 8]}", note="0:"),
    Form("sentence", "I have 1 2 3 / 4 0 6 / 7 5 8 and cannot solve it", note="I have"),
    Form("shell", "python solver.py --tiles 1 2 3 4 0 6 7 5 8", note="--tiles"),
    Form("other digits", "１ ２ ３\n４ ０ ６\n７ ５ ８"),
    Form("other digits", "1️⃣2️⃣3️⃣\n4️⃣⬜6️⃣\n7️⃣5️⃣8️⃣", note="blank ⬜"),
    *(
        Form("other blanks", f"1 2 3 / 4 {blank} 6 / 7 5 8", note=f"blank {blank}")
        for blank in ("-", "__", "*", "#", "nil", "NaN", "⬜", "9")
    ),
    Form(
        "other numbering",
        "6,0,12,3,2,1,5,13,19,4,7,11,8,16,10,15,21,17,18,14,20,22,-1,23,9",
        FIVE,
        "tiles numbered from 0",
    ),
    Form("sizes", "3\n1 2 3\n4 0 6\n7 5 8"),
    Form("sizes", "3x2: 4 1 2 5 0 3", WIDE),
    Form("sizes", "3 4\n1 2 3\n4 5 6\n7 8 9\n10 11 0", TALL),
    Form("sizes", "3x4\n1 2 3\n4 5 6\n7 8 9\n10 11 0", TALL),
    Form("sizes", "4 rows, 3 columns\n1 2 3\n4 5 6\n7 8 9\n10 11 0", TALL),
    Form("numbered line", "1 1 2 3 4 0 6 7 5 8", note="first number left out"),
]

QUESTIONS: Final = [
    Form("a column without a size", "1\n2\n3\n0", "1x4: 1 / 2 / 3 / 0 | 2x2: 1 2 / 3 0"),
    Form(
        "a list and a size in two orders",
        "3 2\n4 1 2 5 0 3",
        "3x2: 4 1 2 / 5 0 3 | 2x3: 4 1 / 2 5 / 0 3",
    ),
    Form("R without byrow", "matrix(c(1,2,3,0), nrow=2)", "2x2: 1 2 / 3 0 | 2x2: 1 3 / 2 0"),
    Form("start and goal", "Start: 1 2 3 0 Goal: 0 1 2 3", "1 2 / 3 0 | 0 1 / 2 3"),
    Form("start and goal", "1 2 3 0 -> 0 1 2 3", "1 2 / 3 0 | 0 1 / 2 3"),
    Form("start and goal", "1 2\n3 0\n\n0 1\n2 3", "1 2 / 3 0 | 0 1 / 2 3"),
    Form("start and goal", "start = [1,2,3,0]\ngoal = [0,1,2,3]", "1 2 / 3 0 | 0 1 / 2 3"),
]


def make_table() -> str:
    lines = ["| kind | text | board |", "|---|---|---|"]
    lines += [f"| {form.kind} | {_code(form.text)} | {_code(form.rows)} |" for form in FORMS]
    lines += [f"| asked: {form.kind} | {_code(form.text)} | |" for form in QUESTIONS]
    return "\n".join(lines) + "\n"


def _code(text: str) -> str:
    shown = text.replace("|", "\\|").replace("\n", "⏎").replace("\t", "⇥")
    return f"`{shown}`"


def split_page() -> tuple[str, str, str]:
    """Return the page before, in and after the table."""
    before, _, rest = PAGE.read_text("utf-8").partition(START)
    table, _, after = rest.partition(END)
    return before + START, table, END + after


if __name__ == "__main__":
    before, _table, after = split_page()
    PAGE.write_text(before + make_table() + after, "utf-8")
