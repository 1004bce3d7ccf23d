"""The life of tasks: they are queued within limits, end, are queued again, or fail."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from tilework.core.messages import MAX_STORED_CHARACTERS, Message, plural
from tilework.core.model.leases import Lease
from tilework.core.model.states import RunState
from tilework.core.model.tasks import NewTask, StoredTask, TaskEnd, TaskKind
from tilework.core.services.tasks.callbacks import pause_s
from tilework.core.storage.session import Session

REPEATABLE: Final = (RunState.FAILED, RunState.CANCELLED)
"""States of tasks that are queued again when they are requested again."""

_MAX_CRASHES: Final = 3
"""Workers that a task may crash before it is abandoned."""

_MAX_ERRORS: Final = 2
"""Errors that a task may raise. Two can have different causes; a third is unlikely to."""


def queue_tasks(
    session: Session, tasks: Sequence[NewTask], now: float
) -> tuple[Mapping[str, StoredTask], int]:
    """Make sure that tasks are queued or have ended; return them by key, and the number queued."""
    known_tasks = session.tasks.get_or_create(tasks, now)
    waiting = 0
    for new in tasks:
        task = known_tasks[new.key]
        if task.state in REPEATABLE:
            session.tasks.queue(task.id, new.priority, now)
        elif task.state is RunState.QUEUED and task.id != new.id:
            session.tasks.raise_priority(task.id, new.priority)
        waiting += task.state is RunState.QUEUED or task.state in REPEATABLE
    return known_tasks, waiting


def finish(session: Session, lease: Lease, end: TaskEnd | None, now: float) -> None:
    """Store the end of a task, if the lease is still held.

    If there is no end, the task is released and the attempt is not counted.
    """
    if end is None:
        session.tasks.release([lease], now)
    else:
        session.tasks.finish(lease, end, now)


def expire(session: Session, kind: TaskKind, lease: Lease, now: float) -> None:
    """Requeue a task whose lease expired."""
    if not session.tasks.is_overdue(lease, now):
        return
    if kind is TaskKind.CALLBACK:
        session.tasks.retry(lease, now, now + pause_s(lease.attempts))
    elif lease.attempts < _MAX_CRASHES:
        session.tasks.retry(lease, now)
    else:
        message = _RUN_CRASHED if kind is TaskKind.RUN else _ANALYSIS_CRASHED
        session.tasks.finish(lease, TaskEnd(RunState.FAILED, message=message), now)


def report_error(
    session: Session, kind: TaskKind, lease: Lease, error: Exception, now: float
) -> None:
    """Requeue a task that raised an exception; after the second one, it fails."""
    if lease.attempts < _MAX_ERRORS:
        session.tasks.retry(lease, now)
        return
    reason = f"{type(error).__name__}: {error}"[:MAX_STORED_CHARACTERS]
    if kind is TaskKind.RUN:
        message = Message("run-failed", "The run failed: {error}", error=reason)
    else:
        message = Message("analysis-failed", "The analysis failed: {error}", error=reason)
    session.tasks.finish(lease, TaskEnd(RunState.FAILED, message=message), now)


_RUN_CRASHED: Final = plural(
    "run-crashed",
    "The run crashed its worker once, most likely because it ran out of memory; a lower "
    "memory limit may help.",
    "The run crashed its workers {count} times, most likely because it ran out of memory; "
    "a lower memory limit may help.",
    count=_MAX_CRASHES,
)
_ANALYSIS_CRASHED: Final = Message(
    "analysis-crashed",
    "The analysis crashed its workers {count} times and was abandoned.",
    count=_MAX_CRASHES,
)
