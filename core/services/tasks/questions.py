"""Services for questions, which are tasks about games or shortest paths."""

from __future__ import annotations

from functools import partial
from typing import Final, Generic

from tilework.core.errors import ForbiddenError, NotFoundError, OptionError
from tilework.core.messages import Message, plural
from tilework.core.model.ids import MAX_QUOTED, new_id
from tilework.core.model.states import Queue
from tilework.core.model.task_specs import QUESTIONS, Q, TaskKind
from tilework.core.model.tasks import NewTask, Task
from tilework.core.services.long_polling import wait_for_change
from tilework.core.services.tasks.kinds import MAX_CRASHES, FailureMessages
from tilework.core.services.tasks.queueing import TaskLimits, queue_tasks
from tilework.core.services.tasks.results import check_document
from tilework.core.services.tickets import Tickets, announce
from tilework.core.settings import Settings
from tilework.core.storage.database import Database
from tilework.core.storage.session import Session

MAX_LISTED: Final = 100

ANALYSES_PER_CLIENT: Final = 100
MAX_UNFINISHED_ANALYSES: Final = 2_000

MAX_SECONDS: Final = 60.0
"""The longest time limit of a question."""

DELAY_S: Final = 5.0
"""Seconds by which each unfinished question of a client delays the next one, which interleaves the
questions of different clients.
"""


class QuestionService(Generic[Q]):
    """The questions of one kind: submitting, reading, waiting, cancelling."""

    kind: TaskKind

    def __init__(self, storage: Database, tickets: Tickets, settings: Settings) -> None:
        self._storage = storage
        self._tickets = tickets
        self._settings = settings

    def view(self, task_id: str) -> Task[Q]:
        """Return a question. If its stored result is damaged, it is computed again.

        Raises NotFoundError if there is no question of this kind with this id.
        Raises ReplayError if a stored solution does not reach the goal.
        """
        task = self._find(task_id)
        if task.result is not None:
            check_document(task.spec, task.result)
        return task

    def version(self, task_id: str) -> str:
        """Return only the version of a question's view, which is much cheaper."""
        with self._storage.reading() as session:
            version = session.tasks.version(self.kind, task_id)
        if version is None:
            raise self._not_found(task_id)
        return version

    def wait(self, task_id: str, version: str, seconds: float) -> Task[Q]:
        """Return the view once its version differs, or after this many seconds."""
        wait_for_change(partial(self.version, task_id), version, seconds)
        return self.view(task_id)

    def list_by_client(self, client_id: str, limit: int = 20) -> list[Task[Q]]:
        """Return a client's questions without their results, newest first, at most 100."""
        with self._storage.reading() as session:
            return session.tasks.list_by_client(self.kind, client_id, min(limit, MAX_LISTED))

    def cancel(self, task_id: str, client_id: str) -> Task[Q]:
        """Cancel a question unless it has ended. Its worker stops within half a second.

        Raises ForbiddenError if it belongs to another client.
        """
        view = self.view(task_id)
        if view.client_id != client_id:
            raise ForbiddenError(
                "foreign-analysis",
                "the analysis {id!r} belongs to someone else; you can only view it",
                id=task_id,
            )
        if view.finished:
            return view
        with self._storage.writing() as session:
            # It may have ended since it was read.
            session.tasks.cancel([task_id], self._storage.clock())
        return self.view(task_id)

    def _take(self, client_id: str, spec: Q, queue: Queue) -> Task[Q]:
        """Return a client's question, queued unless it has been answered.

        A repeated request of a client returns the same task, queued again if it failed or was
        cancelled.

        Raises QuotaError or OverloadError if the client or the service has too many unfinished
        questions.
        """
        return self._store(client_id, spec, queue)

    def _store(self, client_id: str, spec: Q, queue: Queue) -> Task[Q]:
        now = self._storage.clock()
        key = f"{client_id}:{spec.key}"
        with self._storage.writing() as session:
            session.clients.add(client_id, now)
            before = session.tasks.count_unfinished(QUESTIONS, client_id)
            new = NewTask(new_id(), key, spec, queue, now + before * DELAY_S, client_id)
            tasks, waiting = queue_tasks(session, [new], now)
            self._check_capacity(session, client_id, before)
        if waiting:
            announce(self._tickets, [queue])
        return self.view(tasks[key].id)

    def _check_capacity(self, session: Session, client_id: str, before: int) -> None:
        limits = TaskLimits(
            ANALYSES_PER_CLIENT,
            MAX_UNFINISHED_ANALYSES,
            self._quota,
            Message(
                "analysis-overload",
                "the service has {count} unfinished analyses and accepts no more for now",
                count=MAX_UNFINISHED_ANALYSES,
            ),
        )
        after = session.tasks.count_unfinished(QUESTIONS, client_id)
        limits.check(before, after, lambda: session.tasks.count_unfinished(QUESTIONS))

    def _quota(self, count: int, _more: int) -> Message:
        return plural(
            "analysis-quota",
            "you have {count} unfinished analysis, and the limit is {max}; wait for it to end",
            "you have {count} unfinished analyses, and the limit is {max}; wait for one to end",
            count=count,
            max=ANALYSES_PER_CLIENT,
        )

    def _find(self, task_id: str) -> Task[Q]:
        with self._storage.reading() as session:
            task: Task[Q] | None = session.tasks.view(self.kind, task_id)
        if task is None:
            raise self._not_found(task_id)
        return task

    def _not_found(self, task_id: str) -> NotFoundError:
        quoted = task_id[:MAX_QUOTED]
        if self.kind is TaskKind.SHORTEST_PATHS:
            return NotFoundError(
                "no-ways", "there is no search for all shortest solutions {id!r}", id=quoted
            )
        return NotFoundError("no-analysis", "there is no analysis {id!r}", id=quoted)


def check_seconds(seconds: float, maximum: float) -> float:
    """Return the requested time limit.

    Raises OptionError if it is not positive, or is over the maximum.
    """
    if not 0 < seconds <= maximum:
        raise OptionError(
            "time-limit",
            "invalid time limit {limit:g} s; use more than 0 and at most {max:g} s",
            limit=float(seconds),
            max=float(maximum),
        )
    return float(seconds)


def _make_error_message(error: str) -> Message:
    return Message("analysis-failed", "The analysis failed: {error}", error=error)


FAILURES: Final = FailureMessages(
    crash_message=Message(
        "analysis-crashed",
        "The analysis crashed its workers {count} times and was abandoned.",
        count=MAX_CRASHES,
    ),
    make_error_message=_make_error_message,
)
