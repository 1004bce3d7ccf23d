"""The forms in which boards are written: the table of ``docs/formats.md``."""

import re
from pathlib import Path
from typing import Final, NamedTuple

PAGE: Final = Path(__file__).parents[2] / "docs/formats.md"
_ROW: Final = re.compile(r"^\| (.+?) \| `(.+?)` \| `(.+?)` \|(?: `(.+)`)? \|")
_ASKED: Final = "asked: "


class Form(NamedTuple):
    """A text, the rows that it stands for, and words with which the reader says how it is read.

    What can be read in two ways has the rows of both readings.
    """

    kind: str
    text: str
    rows: str
    note: str


def _read_forms() -> list[Form]:
    _, _, rest = PAGE.read_text("utf-8").partition("<!-- board forms -->\n")
    _head, _line, *rows = rest.partition("<!-- end -->")[0].splitlines()
    signs = str.maketrans({"⏎": "\n", "⇥": "\t"})
    matches = [_ROW.fullmatch(row) for row in rows]
    assert all(matches), "a row has a kind, a text, its board, and words of the reader"
    return [
        Form(kind, *((cell or "").replace("\\|", "|").translate(signs) for cell in cells))
        for kind, *cells in (match.groups() for match in matches)
    ]


_ALL: Final = _read_forms()
FORMS: Final = [form for form in _ALL if not form.kind.startswith(_ASKED)]
QUESTIONS: Final = [form for form in _ALL if form.kind.startswith(_ASKED)]
