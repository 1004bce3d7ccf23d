"""The columns of a table of runs for people, and their words."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from core.cli.lab.run_records import Record

_KIBI: Final = 1024


@dataclass(frozen=True, slots=True)
class Column:
    """A column of the table.

    Attributes
    ----------
    name : str
        Its heading in a pipe.
    heading : str
        On a terminal.
    """

    name: str
    words: Callable[[Record], str]
    heading: str


def _plain(name: str) -> Callable[[Record], str]:
    return lambda record: "" if record[name] is None else str(record[name])


def _optimal(record: Record) -> str:
    if record["length"] is None:
        return ""
    return {True: "yes", False: "no", None: "?"}[record["optimal"]]


def _number(name: str, form: str) -> Callable[[Record], str]:
    return lambda record: "" if record[name] is None else format(record[name], form)


def bytes_in_words(count: int | None) -> str:
    """Write bytes so that they fit a column: ``512 B``, ``3.2 MB``."""
    if count is None:
        return ""
    size = float(count)
    for unit in ("B", "kB", "MB"):
        if size < _KIBI:
            return f"{size:.0f} {unit}" if unit == "B" else f"{size:.1f} {unit}"
        size /= _KIBI
    return f"{size:.1f} GB"


def ending(record: Record) -> str:
    """Say in a word or two how a run ended."""
    if record["state"] != "done":
        return str(record["state"])
    if record["stopped_by"] is not None:
        return f"{str(record['stopped_by']).removesuffix('s')} limit"
    return "solved" if record["length"] is not None else "nothing left"


def _column(name: str, words: Callable[[Record], str], heading: str = "") -> Column:
    return Column(name, words, heading or name)


BOARD: Final = _column("board_index", _plain("board_index"), "board")
OPTIMUM: Final = _column("optimal_length", _plain("optimal_length"), "optimum")
METHOD: Final = _column("method", _plain("method"))
FIGURES: Final = (
    _column("length", _plain("length")),
    _column("optimal", _optimal),
    _column("visited", _plain("visited")),
    _column("generated", _plain("generated")),
    _column("max_frontier", _plain("max_frontier"), "largest frontier"),
    _column("duplicates", _plain("duplicates")),
    _column("depth", _plain("depth")),
    _column("branching", _number("branching", ".2f")),
    _column("memory", lambda record: bytes_in_words(record["memory_bytes"])),
    _column("seconds", _number("seconds", ".3f")),
    _column("ended", ending),
)


def columns_of(*, sweep: bool) -> tuple[Column, ...]:
    """Return the columns in order; a sweep's rows begin with the board and its optimal length."""
    return (BOARD, OPTIMUM, METHOD, *FIGURES) if sweep else (METHOD, *FIGURES)


def notes_of(records: list[Record]) -> list[str]:
    """Say why methods found nothing, each reason once; limits are shown in their own rows."""
    methods: dict[str, list[str]] = {}
    for record in records:
        if record["message"] and record["stopped_by"] in (None, "depth"):
            named = methods.setdefault(record["message"], [])
            if record["method"] not in named:
                named.append(record["method"])
    return [f"{', '.join(named)}: {message}" for message, named in methods.items()]
