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
_FILES: Final = ("/board/file",)


@dataclass(frozen=True)
class Body:
    """What is sent."""

    content: bytes
    content_type: str


@dataclass(frozen=True)
class Kind:
    """A body, made when it is needed, and the addresses that read it."""

    name: str
    paths: tuple[str, ...]
    make: Callable[[], Body]


def _filled(piece: str, before: str = "", after: str = "", most: int = MOST_BYTES) -> str:
    return before + piece * ((most - len(before) - len(after)) // len(piece)) + after


def _listed(piece: str, before: str = "[", after: str = "]", most: int = MOST_BYTES) -> str:
    return _filled(f"{piece},", before, piece + after, most - len(piece))


def _board(piece: str) -> str:
    return _listed(piece, '{"board":[', "]}")


def _numbered(template: str, between: str, before: str = "", after: str = "") -> str:
    pieces, size = [], 0
    while size < MOST_BYTES - 100:
        pieces.append(template.format(len(pieces)))
        size += len(pieces[-1]) + len(between)
    return before + between.join(pieces) + after


def _json(name: str, paths: tuple[str, ...], make: Callable[[], str]) -> Kind:
    return Kind(name, paths, lambda: Body(make().encode(), "application/json"))


def _text(name: str, make: Callable[[], str]) -> Kind:
    return Kind(name, _BATCHES, lambda: Body(make().encode(), "text/plain"))


def _form(name: str, make: Callable[[], str], paths: tuple[str, ...] = _FORMS) -> Kind:
    return Kind(name, paths, lambda: Body(make().encode(), "application/x-www-form-urlencoded"))


def _parts(name: str, make: Callable[[], str]) -> Kind:
    return Kind(
        name, (*_FORMS, *_FILES), lambda: Body(make().encode(), "multipart/form-data; boundary=x")
    )


def _file(piece: str) -> str:
    head = '--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n'
    return _filled(piece, head, "\r\n--x--\r\n")


def _few_fields() -> str:
    return json.dumps(dict.fromkeys(map(str, range(5_000))))


_PART: Final = '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n'

KINDS: Final = (
    _json("8 MiB of [],[],…", _API, partial(_listed, "[]")),
    _json("8 MiB of [],[],… as a board", _API, partial(_board, "[]")),
    _json("45,000 lists as a board", _API, lambda: json.dumps({"board": [[]] * 45_000})),
    _json("unknown fields", _API, partial(_numbered, '"a{}":1', ",", "{", "}")),
    _json("a field again and again", _API, partial(_listed, '"width":3', "{", "}")),
    _json("64 KiB of unknown fields", _API, _few_fields),
    _json("a name of 4 MB", _API, lambda: json.dumps({"x" * 4_000_000: 1})),
    _json("lists in lists", _API, partial(_filled, "[")),
    _json("objects in objects", _API, partial(_filled, '{"a":')),
    _json("numbers as a board", _API, partial(_board, "1")),
    _json("texts as a board", _API, partial(_board, '""')),
    _json("a number of 100,001 digits", _API, lambda: f'{{"board":[1{"0" * 100_000}]}}'),
    _json("numbers of 4,299 digits", _API, partial(_board, "9" * 4_299)),
    _json("numbers of 30 digits", _API, partial(_board, "9" * 30)),
    _json("escapes", _API, partial(_filled, "\\u0041", '{"board":"', '"}')),
    _json("a long text", _API, partial(_filled, "x", '{"board":"', '"}')),
    _json("white space", _API, partial(_filled, " ", '{"board":"1"', "}")),
    _json("methods of the lab", _API, partial(_listed, '"a"', '{"methods":[', "]}")),
    _json("boards of a batch, 2 million", _BATCHES, partial(_listed, '"1"', '{"boards":[', "]}")),
    _text("a batch of empty lines", partial(_filled, "\n")),
    _text("a batch of one-tile lines", partial(_filled, "1\n")),
    _text("a batch of one line", partial(_filled, "1 ")),
    _text("a batch of one slashed line", partial(_filled, "/")),
    _form("a form of many fields", partial(_numbered, "a{}=1", "&")),
    _form("a form of empty fields", partial(_filled, "&")),
    _form("a form of escapes", partial(_filled, "%41", "board=")),
    _form("a form of one long field", partial(_filled, "1+", "board=")),
    _parts("a form of many parts", partial(_filled, _PART, "", "--x--\r\n")),
    _parts("a form of 900 parts", lambda: _PART * 900 + "--x--\r\n"),
    _parts("a part of many heads", partial(_filled, "a: b\r\n", "--x\r\n")),
    _parts("a file of half boundaries", partial(_file, "\r\n--")),
    _parts("a file of line ends", partial(_file, "\r\n")),
)  # fmt: skip


def _tiles() -> list[int]:
    return [*range(1, SIDE * SIDE - 1), 0, SIDE * SIDE - 1]


def _rows() -> list[list[int]]:
    tiles = _tiles()
    return [tiles[begin : begin + SIDE] for begin in range(0, len(tiles), SIDE)]


def _spaced() -> str:
    return "\n".join(" ".join(map(str, row)) for row in _rows())


def _indented() -> str:
    return json.dumps({"board": json.dumps(_rows(), indent=1)})


HONEST: Final = (
    _json("180,000 slashes as a board", _BOARDS, lambda: json.dumps({"board": "/" * 180_000})),
    _json("honest: 300×300 as JSON in a text", _BOARDS[1:2], _indented),
    _json("honest: 300×300 as rows", _BOARDS[1:2], lambda: json.dumps({"board": _rows()})),
    _json("honest: 300×300 as text", _BOARDS[1:2], lambda: json.dumps({"board": _spaced()})),
    _form(
        "honest: 300×300 in a form",
        lambda: "board=" + _spaced().replace(" ", "+").replace("\n", "%0D%0A"),
        ("/board/check",),
    ),
)
