"""Letting tasks wait for a worker, within what a client and the service may have."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from tilework.core.errors import OverloadError, QuotaError
from tilework.core.messages import Message
from tilework.core.model.states import RunState
from tilework.core.model.tasks import KnownTask, NewTask
from tilework.core.storage.session import Session

TRIED_AGAIN: Final = (RunState.FAILED, RunState.CANCELLED)
"""Tasks that wait again when somebody asks for them."""


def queue_tasks(
    session: Session, tasks: Sequence[NewTask], now: float
) -> tuple[Mapping[str, KnownTask], int]:
    """Make sure that tasks wait or have ended; return them by key, and how many wait."""
    known = session.tasks.get_or_create(tasks, now)
    waiting = 0
    for new in tasks:
        found = known[new.key]
        if found.state in TRIED_AGAIN:
            session.tasks.queue(found.id, new.priority, now)
        elif found.state is RunState.QUEUED and found.id != new.id:
            session.tasks.raise_priority(found.id, new.priority)
        waiting += found.state is RunState.QUEUED or found.state in TRIED_AGAIN
    return known, waiting


@dataclass(frozen=True, slots=True)
class TaskLimits:
    """How many unfinished tasks of some kinds there may be.

    Attributes
    ----------
    quota : callable
        What a client is told who has so many and asks for so many more.
    """

    of_client: int
    of_all: int
    quota: Callable[[int, int], Message]
    overload: Message

    def check(self, before: int, after: int, count_all: Callable[[], int]) -> None:
        """Roll everything back if tasks that were just stored are too many.

        Parameters
        ----------
        before, after : int
            A client's unfinished tasks.

        Raises
        ------
        QuotaError, OverloadError
        """
        if after > max(before, self.of_client):
            raise QuotaError(self.quota(before, after - before))
        if after > before and count_all() > self.of_all:
            raise OverloadError(self.overload)
