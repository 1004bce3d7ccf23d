"""Runs of the lab as rows: their columns for people, and CSV and JSON for programs."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

from tilework.core.cli.language import gettext, gettext_noop, translate
from tilework.core.cli.terminal import yes_or_no
from tilework.core.errors import OptionError
from tilework.core.formats.csv_lines import result_lines
from tilework.core.lab.method import Method, is_optimal, proven_length
from tilework.core.lab.result import RunResult, RunStatistics
from tilework.core.messages import Message
from tilework.core.model.states import RunState
from tilework.core.puzzle.board import Board, Size
from tilework.core.search.limits import StopReason

Record = dict[str, Any]
"""A row; its message is one still, which machines are told in English and people in theirs."""

STATISTICS = (
    "expanded",
    "generated",
    "visited",
    "frontier",
    "max_frontier",
    "duplicates",
    "depth",
    "branching",
    "seconds",
    "memory_bytes",
)
COLUMNS = (
    "board_index",
    "board",
    "optimal_length",
    "method",
    "algorithm",
    "heuristic",
    "weight",
    "beam_width",
    "state",
    "length",
    "optimal",
    "stopped_by",
    *STATISTICS,
    "message",
)
"""As in the results that can be downloaded over HTTP."""


@dataclass(frozen=True, slots=True)
class Run:
    board_index: int  # which board of a sweep, from 0
    board: Board
    method: Method
    result: RunResult | None  # None where the method does not work on this board; `fault` says why
    fault: Message | None = None

    @property
    def length(self) -> int | None:
        if self.result is None or self.result.moves is None:
            return None
        return len(self.result.moves)

    @property
    def state(self) -> RunState:
        if self.result is None:
            return RunState.FAILED
        cancelled = self.result.stopped_by is StopReason.CANCELLED
        return RunState.CANCELLED if cancelled else RunState.DONE


def records_of(runs: Sequence[Run]) -> list[Record]:
    """Return runs on one board as records; a bound proved by one run is applied to the others."""
    proved = proven_length((run.method, run.length) for run in runs)
    return [_record(run, proved) for run in runs]


def check_column(name: str | None) -> None:
    if name is not None and name not in COLUMNS:
        raise OptionError(
            "column",
            "unknown column {name!r}; sort by one of {offered}",
            name=name[:40],
            offered=", ".join(COLUMNS),
        )


def sorted_by(column: str | None, records: list[Record]) -> list[Record]:
    """Return records by a column, the least first and those without a value last."""
    if column is None:
        return records
    known = [record for record in records if record[column] is not None]
    by = str if column == "message" else lambda value: value
    return sorted(known, key=lambda record: by(record[column])) + [
        record for record in records if record[column] is None
    ]


def statistics_of(statistics: RunStatistics | None) -> Record:
    if statistics is None:
        return dict.fromkeys(STATISTICS)
    found: Record = {name: getattr(statistics, name) for name in STATISTICS}
    return found | {
        "branching": round(found["branching"], 6),
        "seconds": round(found["seconds"], 6),
    }


def _record(run: Run, proved: int | None) -> Record:
    method, result = run.method, run.result
    stopped_by = None if result is None else result.stopped_by
    message = run.fault if result is None else result.message
    return {
        "board_index": run.board_index,
        "board": run.board.cells.tolist(),
        "optimal_length": proved,
        "method": method.text,
        "algorithm": method.algorithm.value,
        "heuristic": None if method.heuristic is None else method.heuristic.value,
        "weight": method.weight,
        "beam_width": method.width,
        "state": run.state.value,
        "length": run.length,
        "optimal": is_optimal(method, run.length, proved),
        "stopped_by": None if stopped_by is None else stopped_by.value,
        **statistics_of(None if result is None else result.statistics),
        "message": message,
    }


_KIBI: Final = 1024


@dataclass(frozen=True, slots=True)
class Column:
    name: str  # its heading in a pipe
    words: Callable[[Record], str]
    heading: str  # on a terminal


def _as_is(name: str) -> Callable[[Record], str]:
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
    state, limit = record["state"], record["stopped_by"]
    if state != RunState.DONE:
        return gettext(_STATES[state])
    if limit is not None:
        return gettext(_LIMITS[limit])
    if record["length"] is None:
        return gettext("search exhausted")
    return gettext("solved")


_STATES: Final = {
    RunState.CANCELLED: gettext_noop("cancelled"),
    RunState.FAILED: gettext_noop("failed"),
}
_LIMITS: Final = {
    StopReason.TIME: gettext_noop("time limit"),
    StopReason.NODES: gettext_noop("node limit"),
    StopReason.MEMORY: gettext_noop("memory limit"),
    StopReason.DEPTH: gettext_noop("depth limit"),
}

BOARD: Final = Column("board_index", _as_is("board_index"), gettext_noop("board"))
OPTIMUM: Final = Column("optimal_length", _as_is("optimal_length"), gettext_noop("optimal length"))
METHOD: Final = Column("method", _as_is("method"), gettext_noop("method"))
FIGURES: Final = (
    Column("length", _as_is("length"), gettext_noop("length")),
    Column("optimal", _optimal, gettext_noop("optimal")),
    Column("visited", _as_is("visited"), gettext_noop("visited")),
    Column("generated", _as_is("generated"), gettext_noop("generated")),
    Column("max_frontier", _as_is("max_frontier"), gettext_noop("largest frontier")),
    Column("duplicates", _as_is("duplicates"), gettext_noop("duplicates")),
    Column("depth", _as_is("depth"), gettext_noop("depth")),
    Column("branching", _number("branching", ".2f"), gettext_noop("branching")),
    Column("memory", lambda record: bytes_in_words(record["memory_bytes"]), gettext_noop("memory")),
    Column("seconds", _number("seconds", ".3f"), gettext_noop("seconds")),
    Column("ended", ending, gettext_noop("end")),
)


def columns_of(*, sweep: bool) -> tuple[Column, ...]:
    """Return the columns in order; a sweep's rows begin with the board and its optimal length."""
    return (BOARD, OPTIMUM, METHOD, *FIGURES) if sweep else (METHOD, *FIGURES)


def under_way(place: int, total: int, method: Method) -> str:
    return translate(
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
            named = methods.setdefault(translate(record["message"]), [])
            if record["method"] not in named:
                named.append(record["method"])
    return [f"{', '.join(named)}: {message}" for message, named in methods.items()]


class TableFormat(StrEnum):
    TABLE = "table"
    CSV = "csv"
    JSON = "json"
    JSONL = "jsonl"


RecordsByBoard = Iterable[list[Record]]
"""The records of each board, as soon as they are there."""


def lines_of(
    form: TableFormat, boards: RecordsByBoard, size: Size, *, sweep: bool
) -> Iterator[str]:
    """Yield the lines of a comparison."""
    match form:
        case TableFormat.TABLE:
            return _plain(boards, sweep=sweep)
        case TableFormat.CSV:
            records = (record for board in boards for record in board)
            return result_lines(COLUMNS, records, size, end="")
        case TableFormat.JSON:
            return _json(boards)
        case TableFormat.JSONL:
            return (json.dumps(record, default=str) for board in boards for record in board)


def _plain(boards: RecordsByBoard, *, sweep: bool) -> Iterator[str]:
    columns = columns_of(sweep=sweep)
    yield "\t".join(column.name for column in columns)
    for board in boards:
        for record in board:
            yield "\t".join(column.words(record) for column in columns)


def _json(boards: RecordsByBoard) -> Iterator[str]:
    before = "["
    for board in boards:
        for record in board:
            yield before + json.dumps(record, default=str)
            before = ","
    yield "]" if before == "," else "[]"
