"""Conversion between rows of the ``task`` table and records."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import astuple
from typing import Any

from sqlalchemy import ColumnElement, literal_column

from tilework.core.lab.method import Method
from tilework.core.model.lab.runs import Run, RunFigures
from tilework.core.model.states import RunState
from tilework.core.model.task_specs import Spec, TaskKind, parse_spec, serialize_spec
from tilework.core.model.tasks import (
    NewTask,
    Progress,
    Result,
    Task,
    may_queue,
    pack_json,
    unpack_json,
)
from tilework.core.storage.damage.checksums import Checksum, damaged
from tilework.core.storage.damage.column_types import reads
from tilework.core.storage.models import task

RESULT = Checksum(task.c.id, task.c.result)
"""Covers what no replay can check: statistics, numbers of solutions, proven bounds."""

CLAIM = (task.c.id, task.c.attempts, task.c.kind, task.c.created_at, task.c.spec)
TASK = (
    task.c.id,
    task.c.client_id,
    task.c.kind,
    task.c.queue,
    task.c.state,
    task.c.version,
    task.c.created_at,
    task.c.started_at,
    task.c.finished_at,
    task.c.message,
    task.c.progress,
    task.c.spec,
)
RUN = (
    task.c.id,
    task.c.version,
    task.c.state,
    task.c.message,
    task.c.spec,
    task.c.seal,
    task.c.result,
    task.c.solutions.is_not(None),
    task.c.detail.is_not(None),
)


def unfinished_task() -> ColumnElement[bool]:
    """Return the condition that a task is unfinished, as the index of these tasks states it."""
    # A planner uses the partial index only if the states are literals.
    return task.c.state.in_([literal_column(f"'{state}'") for state in RunState if not state.ended])


@reads(task, CLAIM)
def read_claim(row: Sequence[Any]) -> tuple[int, float, Spec]:
    """Return the attempts, the time of creation and the spec from values of `CLAIM`."""
    _, attempts, kind, created_at, spec = row
    return attempts, created_at, parse_spec(TaskKind(kind), spec)


@reads(task, TASK)
def read_task(row: Sequence[Any], result: dict[str, Any] | None = None) -> Task[Any]:
    """Read values of `TASK`, with the document of its result."""
    (
        id_, client_id, kind, queue, state, version, created_at, started_at, finished_at, message,
        progress, spec,
    ) = row  # fmt: skip
    if not may_queue(TaskKind(kind), queue):
        raise ValueError("invalid queue for the kind of task")
    return Task(
        id=id_,
        client_id=client_id,
        state=RunState(state),
        number=version,
        spec=parse_spec(TaskKind(kind), spec),
        created_at=created_at,
        started_at=started_at,
        finished_at=finished_at,
        message=message,
        progress=None if progress is None else Progress(*json.loads(progress)),
        result=result,
    )


@reads(task, RUN)
def read_run(row: Sequence[Any]) -> Run:
    id_, version, state, message, spec, checksum, result, has_moves, has_trace = row
    figures = RunFigures.from_document(read_document(id_, checksum, result))
    if has_moves != (figures.length is not None):
        raise ValueError("a length without moves, or moves without a length")
    return Run(
        id=id_,
        version=version,
        method=Method.from_text(json.loads(spec)["method"]),
        state=RunState(state),
        message=message,
        figures=figures,
        has_trace=bool(has_trace),
    )


def read_document(
    task_id: str, checksum: str | None, result: bytes | None
) -> dict[str, Any] | None:
    """Read the document of a result.

    Raises DamagedRowError if it is damaged.
    """
    if result is None and checksum is None:
        return None
    if result is None or not RESULT.matches((task_id, result), checksum):
        raise damaged(task.name, task_id)
    document: dict[str, Any] = unpack_json(result)
    return document


def serialize_task(new: NewTask, now: float) -> dict[str, object]:
    """Return the values of a new queued row."""
    return {
        "id": new.id,
        "kind": new.spec.kind,
        "client_id": new.client_id,
        "key": new.key,
        "queue": new.queue,
        "state": RunState.QUEUED,
        "turn": new.priority,
        "attempts": 0,
        "version": 1,
        "created_at": now,
        "updated_at": now,
        "spec": serialize_spec(new.spec),
    }


def serialize_result(task_id: str, result: Result | None) -> dict[str, object]:
    """Return the values of a result, with its checksum."""
    if result is None:
        return dict.fromkeys(("seal", "result", "solutions", "detail"))
    packed = pack_json(result.document)
    return {
        "seal": RESULT.compute({"id": task_id, "result": packed}),
        "result": packed,
        "solutions": result.solutions,
        "detail": result.detail,
    }


def serialize_progress(progress: Progress) -> str:
    return json.dumps(astuple(progress))
