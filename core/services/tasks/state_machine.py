"""The state machine of tasks: a claimed task ends, is queued again, or fails."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from tilework.core.messages import MAX_STORED_CHARACTERS
from tilework.core.model.leases import Holder, Lease
from tilework.core.model.states import RunState
from tilework.core.model.task_specs import TaskKind
from tilework.core.model.tasks import TaskClaim, TaskEnd
from tilework.core.services.tasks import questions, runs
from tilework.core.services.tasks.callbacks import pause_s
from tilework.core.services.tasks.kinds import MAX_CRASHES, MAX_ERRORS, TaskHooks
from tilework.core.storage.session import Session

_HOOKS: Final[Mapping[TaskKind, TaskHooks]] = {
    TaskKind.RUN: runs.HOOKS,
    TaskKind.GAME: questions.HOOKS,
    TaskKind.SHORTEST_PATHS: questions.HOOKS,
}


def claim(session: Session, queue: str, holder: Holder, now: float) -> TaskClaim[Any] | None:
    for task in session.tasks.claim(queue, holder, now):
        _HOOKS[task.spec.kind].on_claim(session, task.lease.id, now)
        return task
    return None


def finish(session: Session, kind: TaskKind, lease: Lease, end: TaskEnd | None, now: float) -> None:
    """Store the end of a task and of the jobs that it answers, if the lease is still held.

    If there is no end, the task is released and the attempt is not counted.
    """
    if end is None:
        session.tasks.release([lease], now)
    elif session.tasks.finish(lease, end, now):
        _HOOKS[kind].on_end(session, lease.id, now)


def expire(session: Session, kind: TaskKind, lease: Lease, now: float) -> None:
    """Requeue a task whose lease expired."""
    if not session.tasks.is_overdue(lease, now):
        return
    if kind is TaskKind.CALLBACK:
        session.tasks.retry(lease, now, now + pause_s(lease.attempts))
    elif lease.attempts < MAX_CRASHES:
        session.tasks.retry(lease, now)
    else:
        end = TaskEnd(RunState.FAILED, message=_HOOKS[kind].crash_message)
        finish(session, kind, lease, end, now)


def report_error(
    session: Session, kind: TaskKind, lease: Lease, error: Exception, now: float
) -> None:
    """Requeue a task that raised an exception; after the second one, it fails."""
    if lease.attempts < MAX_ERRORS:
        session.tasks.retry(lease, now)
    else:
        reason = f"{type(error).__name__}: {error}"[:MAX_STORED_CHARACTERS]
        message = _HOOKS[kind].make_error_message(reason)
        finish(session, kind, lease, TaskEnd(RunState.FAILED, message=message), now)
