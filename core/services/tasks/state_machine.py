"""The state machine of tasks: a claimed task ends, is queued again, or fails."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from tilework.core.messages import MAX_STORED_CHARACTERS
from tilework.core.model.leases import Lease
from tilework.core.model.states import RunState
from tilework.core.model.task_specs import TaskKind
from tilework.core.model.tasks import TaskEnd
from tilework.core.services.tasks import questions, runs
from tilework.core.services.tasks.callbacks import pause_s
from tilework.core.services.tasks.kinds import MAX_CRASHES, MAX_ERRORS, FailureMessages
from tilework.core.storage.session import Session

_FAILURES: Final[Mapping[TaskKind, FailureMessages]] = {
    TaskKind.RUN: runs.FAILURES,
    TaskKind.GAME: questions.FAILURES,
    TaskKind.SHORTEST_PATHS: questions.FAILURES,
}


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
    elif lease.attempts < MAX_CRASHES:
        session.tasks.retry(lease, now)
    else:
        end = TaskEnd(RunState.FAILED, message=_FAILURES[kind].crash_message)
        finish(session, lease, end, now)


def report_error(
    session: Session, kind: TaskKind, lease: Lease, error: Exception, now: float
) -> None:
    """Requeue a task that raised an exception; after the second one, it fails."""
    if lease.attempts < MAX_ERRORS:
        session.tasks.retry(lease, now)
    else:
        reason = f"{type(error).__name__}: {error}"[:MAX_STORED_CHARACTERS]
        message = _FAILURES[kind].make_error_message(reason)
        finish(session, lease, TaskEnd(RunState.FAILED, message=message), now)
