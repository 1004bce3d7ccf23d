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
from tilework.core.storage.models import task
from tilework.core.storage.repository import reads

CLAIM = (task.c.id, task.c.attempts, task.c.kind, task.c.created_at, task.c.spec)
TASK = (
    task.c.id,
    task.c.client_id,
    task.c.kind,
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
    task.c.result,
    task.c.solutions.is_not(None),
    task.c.detail.is_not(None),
)


def unfinished_task() -> ColumnElement[bool]:
    """Return the condition that a task is unfinished, as the index of these tasks states it."""
    # A planner uses the partial index only if the states are literals.
    return task.c.state.in_([literal_column(f"'{state}'") for state in RunState if not state.ended])


@reads
def read_claim(row: Sequence[Any], queue: str) -> tuple[int, float, Spec]:
    """Return attempts, time of creation and spec from values of `CLAIM`, for a task of a queue."""
    _, attempts, kind, created_at, spec = row
    if not may_queue(TaskKind(kind), queue):
        raise ValueError("invalid queue for the kind of task")
    return attempts, created_at, parse_spec(TaskKind(kind), spec)


@reads
def read_task(row: Sequence[Any], result: dict[str, Any] | None = None) -> Task[Any]:
    """Read values of `TASK`, with the document of its result."""
    (
        id_, client_id, kind, state, version, created_at, started_at, finished_at, message,
        progress, spec,
    ) = row  # fmt: skip
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


@reads
def read_run(row: Sequence[Any]) -> Run:
    id_, version, state, message, spec, result, has_moves, has_trace = row
    figures = RunFigures.from_document(read_document(result))
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


@reads
def read_document(result: bytes | None) -> dict[str, Any] | None:
    """Read the document of a result."""
    return None if result is None else unpack_json(result)


def serialize_task(new: NewTask, now: float) -> dict[str, object]:
    """Return the values of a new queued row."""
    return {
        "id": new.id,
        "kind": new.spec.kind,
        "client_id": new.client_id,
        "key": new.key,
        "queue": new.queue,
        "state": RunState.QUEUED,
        "priority": new.priority,
        "attempts": 0,
        "version": 1,
        "created_at": now,
        "updated_at": now,
        "spec": serialize_spec(new.spec),
    }


def serialize_result(result: Result | None) -> dict[str, object]:
    """Return the values of a result."""
    if result is None:
        return dict.fromkeys(("result", "solutions", "detail"))
    return {
        "result": pack_json(result.document),
        "solutions": result.solutions,
        "detail": result.detail,
    }


def serialize_progress(progress: Progress) -> str:
    return json.dumps(astuple(progress))
