"""Bodies that cost more than they seem to, as large as they may be, and the largest honest ones."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Final

MOST_BYTES: Final = 8 * 2**20
SIDE: Final = 300

_BOARDS: Final = ("/api/v1/jobs", "/api/v1/boards/check", "/api/v1/comparisons")
_API: Final = (*_BOARDS, "/api/v1/boards/scramble", "/api/v1/batches")
_BATCHES: Final = ("/api/v1/batches",)
_FORMS: Final = ("/jobs", "/lab", "/comparisons", "/board/check", "/board/scramble", "/language")
_UPLOADS: Final = (*_FORMS, "/board/file")


@dataclass(frozen=True)
class Kind:
    """A body, made when it is needed, its type and the addresses that read it."""

    name: str
    paths: tuple[str, ...]
    make: Callable[[], str]
    content_type: str = "application/json"


def _filled(piece: str, before: str = "", after: str = "", most: int = MOST_BYTES) -> str:
    return before + piece * ((most - len(before) - len(after)) // len(piece)) + after


def _listed(piece: str, before: str = "[", after: str = "]", most: int = MOST_BYTES) -> str:
    return _filled(f"{piece},", before, piece + after, most - len(piece))


def _board(piece: str) -> str:
    return _listed(piece, '{"board":[', "]}")


def _numbered(template: str, between: str, before: str = "", after: str = "") -> str:
    pieces: list[str] = []
    size = 0
    while size < MOST_BYTES - 100:
        pieces.append(template.format(len(pieces)))
        size += len(pieces[-1]) + len(between)
    return before + between.join(pieces) + after


_TEXT: Final = "text/plain"
_FORM: Final = "application/x-www-form-urlencoded"
_PARTS: Final = "multipart/form-data; boundary=x"


def _file(piece: str) -> str:
    head = '--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n'
    return _filled(piece, head, "\r\n--x--\r\n")


def _few_fields() -> str:
    return json.dumps(dict.fromkeys(map(str, range(5_000))))


_PART: Final = '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n'

KINDS: Final = (
    Kind("8 MiB of [],[],…", _API, partial(_listed, "[]")),
    Kind("8 MiB of [],[],… as a board", _API, partial(_board, "[]")),
    Kind("45,000 lists as a board", _API, lambda: json.dumps({"board": [[]] * 45_000})),
    Kind("unknown fields", _API, partial(_numbered, '"a{}":1', ",", "{", "}")),
    Kind("a field again and again", _API, partial(_listed, '"width":3', "{", "}")),
    Kind("64 KiB of unknown fields", _API, _few_fields),
    Kind("a name of 4 MB", _API, lambda: json.dumps({"x" * 4_000_000: 1})),
    Kind("lists in lists", _API, partial(_filled, "[")),
    Kind("objects in objects", _API, partial(_filled, '{"a":')),
    Kind("numbers as a board", _API, partial(_board, "1")),
    Kind("texts as a board", _API, partial(_board, '""')),
    Kind("a number of 100,001 digits", _API, lambda: f'{{"board":[1{"0" * 100_000}]}}'),
    Kind("numbers of 4,299 digits", _API, partial(_board, "9" * 4_299)),
    Kind("numbers of 30 digits", _API, partial(_board, "9" * 30)),
    Kind("escapes", _API, partial(_filled, "\\u0041", '{"board":"', '"}')),
    Kind("a long text", _API, partial(_filled, "x", '{"board":"', '"}')),
    Kind("white space", _API, partial(_filled, " ", '{"board":"1"', "}")),
    Kind("methods of the lab", _API, partial(_listed, '"a"', '{"methods":[', "]}")),
    Kind("boards of a batch, 2 million", _BATCHES, partial(_listed, '"1"', '{"boards":[', "]}")),
    Kind("a batch of empty lines", _BATCHES, partial(_filled, "\n"), _TEXT),
    Kind("a batch of one-tile lines", _BATCHES, partial(_filled, "1\n"), _TEXT),
    Kind("a batch of one line", _BATCHES, partial(_filled, "1 "), _TEXT),
    Kind("a batch of one slashed line", _BATCHES, partial(_filled, "/"), _TEXT),
    Kind("a form of many fields", _FORMS, partial(_numbered, "a{}=1", "&"), _FORM),
    Kind("a form of empty fields", _FORMS, partial(_filled, "&"), _FORM),
    Kind("a form of escapes", _FORMS, partial(_filled, "%41", "board="), _FORM),
    Kind("a form of one long field", _FORMS, partial(_filled, "1+", "board="), _FORM),
    Kind("a form of many parts", _UPLOADS, partial(_filled, _PART, "", "--x--\r\n"), _PARTS),
    Kind("a form of 900 parts", _UPLOADS, lambda: _PART * 900 + "--x--\r\n", _PARTS),
    Kind("a part of many heads", _UPLOADS, partial(_filled, "a: b\r\n", "--x\r\n"), _PARTS),
    Kind("a file of half boundaries", _UPLOADS, partial(_file, "\r\n--"), _PARTS),
    Kind("a file of line ends", _UPLOADS, partial(_file, "\r\n"), _PARTS),
)  # fmt: skip


def _rows() -> list[list[int]]:
    tiles = [*range(1, SIDE * SIDE - 1), 0, SIDE * SIDE - 1]
    return [tiles[begin : begin + SIDE] for begin in range(0, len(tiles), SIDE)]


def _spaced(space: str = " ", end: str = "\n") -> str:
    return end.join(space.join(map(str, row)) for row in _rows())


def _indented() -> str:
    return json.dumps({"board": json.dumps(_rows(), indent=1)})


_CHECK: Final = ("/api/v1/boards/check",)

HONEST: Final = (
    Kind("180,000 slashes as a board", _BOARDS, lambda: json.dumps({"board": "/" * 180_000})),
    Kind("honest: 300×300 as JSON in a text", _CHECK, _indented),
    Kind("honest: 300×300 as rows", _CHECK, lambda: json.dumps({"board": _rows()})),
    Kind("honest: 300×300 as text", _CHECK, lambda: json.dumps({"board": _spaced()})),
    Kind(
        "honest: 300×300 in a form",
        ("/board/check",),
        lambda: "board=" + _spaced("+", "%0D%0A"),
        _FORM,
    ),
)
