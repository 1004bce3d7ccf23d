"""Runs of the lab: within limits, with progress, as records and as lines of a table."""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import groupby
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Final

from tilework.core.arguments import invalid
from tilework.core.cli.boards import read_board_argument
from tilework.core.cli.console import (
    ProgressLine,
    format_count,
    format_duration,
    gettext,
    interruptible,
    translate,
    yes_or_no,
)
from tilework.core.cli.words import gettext_noop
from tilework.core.errors import BoardError, OptionError
from tilework.core.formats.downloads import RUN_COLUMNS, run_lines
from tilework.core.lab.methods import RUN_MEMORY_BYTES, Method, is_optimal, proven_length
from tilework.core.messages import Message
from tilework.core.model.states import RunState
from tilework.core.puzzle.board import Board, Size
from tilework.core.search.limits import Limits, StopReason

if TYPE_CHECKING:
    from tilework.core.lab.result import RunResult, TraceWindow

MEBIBYTES: Final = RUN_MEMORY_BYTES >> 20

_MAX_LIMIT: Final = 10**12


def make_limits(seconds: float | None, nodes: int | None, mebibytes: int) -> Limits:
    allowed = Message("limit-range", "more than 0 and at most {max}", max=_MAX_LIMIT)
    limits = {"--time-limit": seconds, "--node-limit": nodes, "--memory-limit": mebibytes}
    for name, limit in limits.items():
        if limit is not None and not 0 < limit <= _MAX_LIMIT:
            raise OptionError(invalid(name, limit, allowed))
    return Limits(seconds, nodes, mebibytes << 20)


def read_lab_board(words: list[str], width: int | None) -> Board:
    board = read_board_argument(words, width)
    check_fits(board.size)
    return board


def check_fits(size: Size) -> None:
    """Raise BoardError if a size is too large for searches in plain Python."""
    # Imported here, because importing the settings takes longer than solving a small board.
    from tilework.core.settings import Settings

    max_cells = Settings.model_construct().lab_max_cells  # the service's, without its environment
    if size.cells > max_cells:
        raise BoardError(
            "too-large-for-lab",
            "{size} boards are too large for the lab, which accepts up to {max} cells; "
            "tilework solve accepts any size",
            size=size,
            max=max_cells,
        )


def run_with_progress(
    start: Board,
    goal: Board,
    method: Method,
    limits: Limits,
    window: TraceWindow | None = None,
    *,
    exhaust: bool = False,
) -> RunResult:
    """Run a method to its end or until Ctrl-C, showing the elapsed time on a terminal."""
    from tilework.core.lab.run import run

    with ProgressLine() as line, interruptible() as interrupted:
        started = time.monotonic()

        def poll() -> bool:
            line.draw(lambda: f"{method.text}   {format_duration(time.monotonic() - started)}")
            return interrupted()

        limits = replace(limits, cancelled=poll)
        return run(start, goal, method, limits, window, exhaust=exhaust)


Record = dict[str, Any]
"""A run, keyed by the names in `RUN_COLUMNS`; ``str()`` of its message (a `Message`) is English."""


@dataclass(frozen=True, slots=True)
class Run:
    board_index: int  # the index of the board in a sweep, from 0
    board: Board
    method: Method
    result: RunResult | None  # None if the method does not accept the board; see `failure`
    failure: Message | None = None

    @property
    def length(self) -> int | None:
        moves = None if self.result is None else self.result.moves
        return None if moves is None else len(moves)


def make_records(runs: Iterable[Run]) -> Iterator[Record]:
    """Yield the records of runs, board by board; they are compared with its proven length."""
    for _, group in groupby(runs, attrgetter("board_index")):
        board_runs = list(group)
        optimum = proven_length((run.method, run.length) for run in board_runs)
        yield from (_make_record(run, optimum) for run in board_runs)


def _make_record(run: Run, optimum: int | None) -> Record:
    # Imported here, because textbook searches of `tilework solve` do not need the models.
    from tilework.core.model.comparisons import run_document

    method, result = run.method, run.result
    is_cancelled = result is not None and result.stopped_by is StopReason.CANCELLED
    done = RunState.CANCELLED if is_cancelled else RunState.DONE
    values = {
        "board_index": run.board_index,
        "board": run.board.cells.tolist(),
        "optimal_length": optimum,
        "method": method.text,
        "algorithm": method.algorithm,
        "heuristic": method.heuristic,
        "weight": method.weight,
        "beam_width": method.width,
        "state": RunState.FAILED if result is None else done,
        "optimal": is_optimal(method, run.length, optimum),
        "message": run.failure if result is None else result.message,
        **({} if result is None else run_document(result)),
    }
    return {name: values.get(name) for name in RUN_COLUMNS}


HEADINGS: Final = {
    "board_index": gettext_noop("board"),
    "optimal_length": gettext_noop("optimal length"),
    "method": gettext_noop("method"),
    "length": gettext_noop("length"),
    "optimal": gettext_noop("optimal"),
    "visited": gettext_noop("visited"),
    "generated": gettext_noop("generated"),
    "max_frontier": gettext_noop("largest frontier"),
    "duplicates": gettext_noop("duplicates"),
    "depth": gettext_noop("depth"),
    "branching": gettext_noop("branching"),
    "memory": gettext_noop("memory"),
    "seconds": gettext_noop("seconds"),
    "ended": gettext_noop("end"),
}
"""The columns of a table and their headings; the first two are only shown for sweeps."""

_ENDINGS: Final = {
    RunState.CANCELLED: gettext_noop("cancelled"),
    RunState.FAILED: gettext_noop("failed"),
    StopReason.TIME: gettext_noop("time limit"),
    StopReason.NODES: gettext_noop("node limit"),
    StopReason.MEMORY: gettext_noop("memory limit"),
    StopReason.DEPTH: gettext_noop("depth limit"),
}


def table_columns(*, sweep: bool) -> tuple[str, ...]:
    return tuple(HEADINGS) if sweep else tuple(HEADINGS)[2:]


def format_cell(column: str, record: Record) -> str:
    if column == "memory":
        memory = record["memory_bytes"]
        return "" if memory is None else f"{format_count(memory)}B"
    if column == "ended":
        return _format_ending(record)
    if column == "optimal" and record["length"] is not None:
        return "?" if record["optimal"] is None else yes_or_no(record["optimal"])
    format_spec = {"branching": ".2f", "seconds": ".3f"}.get(column, "")
    return "" if record[column] is None else format(record[column], format_spec)


def _format_ending(record: Record) -> str:
    state, limit = record["state"], record["stopped_by"]
    if state != RunState.DONE:
        return gettext(_ENDINGS[state])
    if limit is not None:
        return gettext(_ENDINGS[limit])
    return gettext("search exhausted") if record["length"] is None else gettext("solved")


def failure_notes(records: Iterable[Record]) -> list[str]:
    """Return why methods failed, each reason once; reached limits are shown in the table."""
    methods_by_reason: dict[str, list[str]] = {}
    for record in records:
        if record["message"] and record["stopped_by"] in (None, "depth"):
            methods = methods_by_reason.setdefault(translate(record["message"]), [])
            if record["method"] not in methods:
                methods.append(record["method"])
    return [f"{', '.join(methods)}: {reason}" for reason, methods in methods_by_reason.items()]


class TableFormat(StrEnum):
    TABLE = "table"
    CSV = "csv"
    JSON = "json"
    JSONL = "jsonl"


def format_lines(
    output_format: TableFormat, records: Iterable[Record], size: Size, columns: Sequence[str]
) -> Iterator[str]:
    """Yield the lines of a comparison as its records become available."""
    match output_format:
        case TableFormat.TABLE:
            return _format_table(records, columns)
        case TableFormat.CSV:
            return run_lines(records, size, end="")
        case TableFormat.JSON:
            return iter([json.dumps(list(records), default=str)])
        case TableFormat.JSONL:
            return (json.dumps(record, default=str) for record in records)


def _format_table(records: Iterable[Record], columns: Sequence[str]) -> Iterator[str]:
    yield "\t".join(columns)
    for record in records:
        yield "\t".join(format_cell(column, record) for column in columns)
