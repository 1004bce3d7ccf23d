"""Values of the ``analysis`` table as records, and records as values."""

from __future__ import annotations

import json
import zlib
from typing import Any

import numpy as np
from sqlalchemy import ColumnElement, literal_column

from tilework.core.model.questions import (
    AnalysisStanding,
    AnalysisView,
    Answer,
    GameSpec,
    Kind,
    NewAnalysis,
    Spec,
    WaysSpec,
)
from tilework.core.model.states import RunState
from tilework.core.puzzle.packing import pack, pack_board, unpack, unpack_board
from tilework.core.storage.damage.misfits import reads
from tilework.core.storage.damage.sealed import damaged
from tilework.core.storage.damage.seals import Seal
from tilework.core.storage.models import analysis

RESULT = Seal(analysis.c.id, analysis.c.result)
"""Sealed is what no replay shows: how many ways there are, and every proved bound."""

SPEC = (
    analysis.c.kind,
    analysis.c.board,
    analysis.c.goal,
    analysis.c.moves,
    analysis.c.times,
    analysis.c.time_limit_s,
    analysis.c.memory_limit,
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


def read_spec(row: tuple[Any, ...]) -> Spec:
    """Read values of `SPEC`."""
    kind, board, goal, moves, times, seconds, memory = row
    if kind == Kind.WAYS:
        return WaysSpec(unpack_board(board), unpack_board(goal), seconds, memory)
    return GameSpec(
        start=unpack_board(board),
        goal=unpack_board(goal),
        moves=unpack(moves),
        times_ms=None if times is None else _read_times(times),
        seconds=seconds,
    )


@reads(analysis, VIEW)
def read_view(row: tuple[Any, ...], result: bytes | None) -> AnalysisView[Any]:
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


def check_result(analysis_id: str, result: bytes | None, seal: str | None) -> None:
    """Check a result as it is read.

    Raises
    ------
    DamagedRowError
        Unless it is what was written.
    """
    if not (RESULT.fits((analysis_id, result), seal) or (result is None and seal is None)):
        raise damaged("analysis", analysis_id)


def read_answer(row: tuple[Any, ...]) -> Answer:
    """Read the values of an answer: its result, its solutions, its graph."""
    result, solutions, onward = row
    return Answer(json.loads(zlib.decompress(result)), solutions, onward)


def write_analysis(new: NewAnalysis, now: float) -> dict[str, object]:
    """Return the values of a new row that waits."""
    spec = new.spec
    values: dict[str, object] = {
        "id": new.id,
        "client_id": new.client_id,
        "key": new.key,
        "kind": spec.kind,
        "queue": new.queue,
        "time_limit_s": spec.seconds,
        "memory_limit": None,
        "state": RunState.QUEUED,
        "turn": new.turn,
        "attempts": 0,
        "version": 1,
        "created_at": now,
        "updated_at": now,
        "board": pack_board(spec.start),
        "goal": pack_board(spec.goal),
        "moves": None,
        "times": None,
    }
    if isinstance(spec, WaysSpec):
        return values | {"memory_limit": spec.memory_bytes}
    times = None if spec.times_ms is None else _write_times(spec.times_ms)
    return values | {"moves": pack(spec.moves), "times": times}


def write_answer(analysis_id: str, answer: Answer | None) -> dict[str, object]:
    """Return the values of an answer, sealed, with the document as compressed JSON."""
    if answer is None:
        return {"result": None, "seal": None, "solutions": None, "onward": None}
    result = zlib.compress(json.dumps(answer.document, separators=(",", ":")).encode())
    return {
        "result": result,
        "seal": RESULT.of_values({"id": analysis_id, "result": result}),
        "solutions": answer.solutions,
        "onward": answer.onward,
    }


def _write_times(times: tuple[int, ...]) -> bytes:
    return zlib.compress(np.array(times, dtype="<u4").tobytes())


def _read_times(packed: bytes) -> tuple[int, ...]:
    return tuple(np.frombuffer(zlib.decompress(packed), dtype="<u4").tolist())
