"""Values of the ``analysis`` table as records, and records as values."""

from __future__ import annotations

import json
import zlib
from typing import Any

import numpy as np
from sqlalchemy import ColumnElement, literal_column

from tilework.core.puzzle.packing import pack, pack_board, unpack, unpack_board
from tilework.core.services.analyses.records import (
    AnalysisStanding,
    AnalysisView,
    GameSpec,
    NewAnalysis,
)
from tilework.core.services.states import RunState
from tilework.core.storage.models import analysis

SPEC = (
    analysis.c.board,
    analysis.c.goal,
    analysis.c.moves,
    analysis.c.times,
    analysis.c.time_limit_s,
)
VIEW = (
    analysis.c.id,
    analysis.c.client_id,
    analysis.c.state,
    analysis.c.version,
    analysis.c.created_at,
    analysis.c.started_at,
    analysis.c.finished_at,
    analysis.c.message,
    analysis.c.settled,
    analysis.c.total,
    analysis.c.lower_bound,
    analysis.c.upper_bound,
    *SPEC,
)


def unfinished_analysis() -> ColumnElement[bool]:
    """Return the condition that an analysis waits or runs, in the words of the index of these."""
    # A planner sees that the index holds all of these only where it sees the states.
    return analysis.c.state.in_(
        [literal_column(f"'{state}'") for state in RunState if not state.ended]
    )


def read_spec(row: tuple[Any, ...]) -> GameSpec:
    """Read values of `SPEC`."""
    board, goal, moves, times, seconds = row
    return GameSpec(
        start=unpack_board(board),
        goal=unpack_board(goal),
        moves=unpack(moves),
        times_ms=None if times is None else _read_times(times),
        seconds=seconds,
    )


def read_view(row: tuple[Any, ...], result: bytes | None) -> AnalysisView:
    """Read values of `VIEW`, and the result beside them."""
    (
        id_, client_id, state, version, created_at, started_at, finished_at, message,
        settled, total, lower, upper, *spec,
    ) = row  # fmt: skip
    standing = None if settled is None else AnalysisStanding(settled, total, lower, upper)
    return AnalysisView(
        id=id_,
        client_id=client_id,
        state=RunState(state),
        number=version,
        spec=read_spec(tuple(spec)),
        created_at=created_at,
        started_at=started_at,
        finished_at=finished_at,
        message=message,
        standing=standing,
        result=None if result is None else json.loads(zlib.decompress(result)),
    )


def write_analysis(new: NewAnalysis, now: float) -> dict[str, object]:
    """Return the values of a new row that waits."""
    spec = new.spec
    return {
        "id": new.id,
        "client_id": new.client_id,
        "key": new.key,
        "time_limit_s": spec.seconds,
        "state": RunState.QUEUED,
        "turn": new.turn,
        "attempts": 0,
        "version": 1,
        "created_at": now,
        "updated_at": now,
        "board": pack_board(spec.start),
        "goal": pack_board(spec.goal),
        "moves": pack(spec.moves),
        "times": None if spec.times_ms is None else _write_times(spec.times_ms),
    }


def write_result(document: dict[str, Any] | None) -> bytes | None:
    """Return a result as compressed JSON."""
    if document is None:
        return None
    return zlib.compress(json.dumps(document, separators=(",", ":")).encode())


def _write_times(times: tuple[int, ...]) -> bytes:
    return zlib.compress(np.array(times, dtype="<u4").tobytes())


def _read_times(packed: bytes) -> tuple[int, ...]:
    return tuple(np.frombuffer(zlib.decompress(packed), dtype="<u4").tolist())
