"""The columns of a table of runs for people, and their words."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from tilework.core.cli.lab.run_records import Record
from tilework.core.cli.language import say, say_words, word
from tilework.core.cli.tables import yes_or_no
from tilework.core.messages import Message
from tilework.core.model.states import RunState
from tilework.core.search.limits import StopReason

if TYPE_CHECKING:
    from tilework.core.lab.method import Method

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
    return "?" if record["optimal"] is None else yes_or_no(record["optimal"])


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
    state, limit = record["state"], record["stopped_by"]
    if state != RunState.DONE:
        return say_words(_STATES[state])
    if limit is not None:
        return say_words(_LIMITS[limit])
    if record["length"] is None:
        return say_words("nothing left")
    return say_words("solved")


_STATES: Final = {
    RunState.CANCELLED: word("cancelled"),
    RunState.FAILED: word("failed"),
}
_LIMITS: Final = {
    StopReason.TIME: word("time limit"),
    StopReason.NODES: word("node limit"),
    StopReason.MEMORY: word("memory limit"),
    StopReason.DEPTH: word("depth limit"),
}

BOARD: Final = Column("board_index", _plain("board_index"), word("board"))
OPTIMUM: Final = Column("optimal_length", _plain("optimal_length"), word("optimum"))
METHOD: Final = Column("method", _plain("method"), word("method"))
FIGURES: Final = (
    Column("length", _plain("length"), word("length")),
    Column("optimal", _optimal, word("optimal")),
    Column("visited", _plain("visited"), word("visited")),
    Column("generated", _plain("generated"), word("generated")),
    Column("max_frontier", _plain("max_frontier"), word("largest frontier")),
    Column("duplicates", _plain("duplicates"), word("duplicates")),
    Column("depth", _plain("depth"), word("depth")),
    Column("branching", _number("branching", ".2f"), word("branching")),
    Column("memory", lambda record: bytes_in_words(record["memory_bytes"]), word("memory")),
    Column("seconds", _number("seconds", ".3f"), word("seconds")),
    Column("ended", ending, word("ended")),
)


def columns_of(*, sweep: bool) -> tuple[Column, ...]:
    """Return the columns in order; a sweep's rows begin with the board and its optimal length."""
    return (BOARD, OPTIMUM, METHOD, *FIGURES) if sweep else (METHOD, *FIGURES)


def under_way(place: int, total: int, method: Method) -> str:
    """Say which run of a comparison is under way."""
    return say(
        Message(
            "run-under-way",
            "{place} of {total}: {method}",
            place=place,
            total=total,
            method=method.text,
        )
    )


def notes_of(records: list[Record]) -> list[str]:
    """Say why methods found nothing, each reason once; limits are shown in their own rows."""
    methods: dict[str, list[str]] = {}
    for record in records:
        if record["message"] and record["stopped_by"] in (None, "depth"):
            named = methods.setdefault(say(record["message"]), [])
            if record["method"] not in named:
                named.append(record["method"])
    return [f"{', '.join(named)}: {message}" for message, named in methods.items()]
