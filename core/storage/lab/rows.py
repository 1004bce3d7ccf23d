"""Values of the lab's tables as records, and records as values."""

from __future__ import annotations

import json
import zlib
from dataclasses import asdict
from typing import Any

from sqlalchemy import ColumnElement, literal_column

from tilework.core.lab.method import Method
from tilework.core.lab.result import RunStatistics
from tilework.core.lab.trace import TraceWindow
from tilework.core.model.comparisons import RunLimits, Sweep
from tilework.core.model.runs import Comparison, NewRun, RunRow, RunSpec
from tilework.core.model.states import RunState
from tilework.core.puzzle.board import Board
from tilework.core.puzzle.packing import pack_board, unpack_board
from tilework.core.search.limits import StopReason
from tilework.core.storage.damage.misfits import reads
from tilework.core.storage.models import comparison, search_run

SPEC = (
    search_run.c.board,
    search_run.c.goal,
    search_run.c.method,
    search_run.c.time_limit_s,
    search_run.c.node_limit,
    search_run.c.memory_limit,
    search_run.c.window,
)
ROW = (
    search_run.c.id,
    search_run.c.version,
    search_run.c.method,
    search_run.c.state,
    search_run.c.length,
    search_run.c.stopped_by,
    search_run.c.message,
    search_run.c.statistics,
    search_run.c.trace.is_not(None),
    search_run.c.moves.is_not(None),
)
COMPARISON = (
    comparison.c.id,
    comparison.c.client_id,
    comparison.c.key,
    comparison.c.board,
    comparison.c.goal,
    comparison.c.methods,
    comparison.c.time_limit_s,
    comparison.c.node_limit,
    comparison.c.memory_limit,
    comparison.c.window,
    comparison.c.sweep,
    comparison.c.total,
    comparison.c.created_at,
    comparison.c.cancelled_at,
)


def unfinished_run() -> ColumnElement[bool]:
    """Return the condition that a run waits or runs, in the words of the index of these."""
    # A planner sees that the index holds all of these only where it sees the states.
    return search_run.c.state.in_(
        [literal_column(f"'{state}'") for state in RunState if not state.ended]
    )


def read_spec(row: tuple[Any, ...]) -> RunSpec:
    """Read values of `SPEC`."""
    board, goal, method, seconds, nodes, memory, window = row
    return RunSpec(
        start=unpack_board(board),
        goal=unpack_board(goal),
        method=Method.from_text(method),
        limits=RunLimits(seconds, nodes, memory),
        window=_read_window(window),
    )


@reads(search_run, ROW)
def read_row(row: tuple[Any, ...]) -> RunRow:
    """Read values of `ROW`."""
    id_, version, method, state, length, stopped_by, message, statistics, has_trace, has_moves = row
    if has_moves != (length is not None):
        raise ValueError("a length without moves, or moves without one")
    return RunRow(
        id=id_,
        version=version,
        method=Method.from_text(method),
        state=RunState(state),
        length=length,
        stopped_by=None if stopped_by is None else StopReason(stopped_by),
        message=message,
        statistics=None if statistics is None else RunStatistics(**json.loads(statistics)),
        has_trace=bool(has_trace),
    )


@reads(comparison, COMPARISON)
def read_comparison(row: tuple[Any, ...]) -> Comparison:
    """Read values of `COMPARISON`."""
    (
        id_, client_id, key, board, goal, methods, seconds, nodes, memory, window, sweep,
        total, created_at, cancelled_at,
    ) = row  # fmt: skip
    return Comparison(
        id=id_,
        client_id=client_id,
        key=key,
        start=None if board is None else unpack_board(board),
        goal=unpack_board(goal),
        methods=tuple(Method.from_text(text) for text in methods.split()),
        limits=RunLimits(seconds, nodes, memory),
        window=_read_window(window),
        sweep=None if sweep is None else Sweep(*_numbers(sweep)),
        total=total,
        created_at=created_at,
        cancelled_at=cancelled_at,
    )


def write_run(new: NewRun, now: float) -> dict[str, object]:
    """Return the values of a new row that waits."""
    spec = new.spec
    return {
        "id": new.id,
        "key": new.key,
        "width": spec.start.width,
        "height": spec.start.height,
        "method": spec.method.text,
        **_limits(spec.limits, spec.window),
        "state": RunState.QUEUED,
        "turn": new.turn,
        "attempts": 0,
        "version": 1,
        "created_at": now,
        "updated_at": now,
        "board": pack_board(spec.start),
        "goal": pack_board(spec.goal),
    }


def write_comparison(new: Comparison) -> dict[str, object]:
    """Return the values of a new row."""
    return {
        "id": new.id,
        "client_id": new.client_id,
        "key": new.key,
        **_limits(new.limits, new.window),
        "sweep": None if new.sweep is None else new.sweep.text,
        "total": new.total,
        "created_at": new.created_at,
        "methods": " ".join(method.text for method in new.methods),
        "goal": pack_board(new.goal),
        "board": _packed(new.start),
    }


def write_statistics(statistics: RunStatistics | None) -> str | None:
    """Return statistics as JSON."""
    return None if statistics is None else json.dumps(asdict(statistics))


def write_trace(document: dict[str, Any] | None) -> bytes | None:
    """Return a trace as compressed JSON."""
    if document is None:
        return None
    return zlib.compress(json.dumps(document, separators=(",", ":")).encode())


def read_trace(packed: bytes | None) -> dict[str, Any] | None:
    """Read what `write_trace` wrote."""
    if packed is None:
        return None
    document: dict[str, Any] = json.loads(zlib.decompress(packed))
    return document


def _limits(limits: RunLimits, window: TraceWindow | None) -> dict[str, object]:
    return {
        "time_limit_s": limits.seconds,
        "node_limit": limits.nodes,
        "memory_limit": limits.memory_bytes,
        "window": None if window is None else window.text,
    }


def _packed(board: Board | None) -> bytes | None:
    return None if board is None else pack_board(board)


def _read_window(text: str | None) -> TraceWindow | None:
    return None if text is None else TraceWindow(*_numbers(text))


def _numbers(text: str) -> list[int]:
    return [int(number) for number in text.split("-")]
