"""Queues tasks, within the limits of a client and of the service."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from tilework.core.errors import OverloadError, QuotaError
from tilework.core.messages import Message
from tilework.core.model.states import RunState
from tilework.core.model.tasks import NewTask, StoredTask
from tilework.core.storage.session import Session

REPEATABLE: Final = (RunState.FAILED, RunState.CANCELLED)
"""States of tasks that are queued again when they are requested again."""


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


@dataclass(frozen=True, slots=True)
class TaskLimits:
    """Limits on the unfinished tasks of some kinds.

    ``quota``: returns the error for a client from the numbers of its unfinished and of its new
        tasks.
    """

    per_client: int
    total: int
    quota: Callable[[int, int], Message]
    overload: Message

    def check(self, before: int, after: int, count_all: Callable[[], int]) -> None:
        """Raise if the tasks just stored are too many, which rolls the transaction back.

        ``before``, ``after``: the client's unfinished tasks.

        Raises QuotaError or OverloadError.
        """
        if after > max(before, self.per_client):
            raise QuotaError(self.quota(before, after - before))
        if after > before and count_all() > self.total:
            raise OverloadError(self.overload)
