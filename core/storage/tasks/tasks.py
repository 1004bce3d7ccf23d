"""The ``task`` table: tasks of all kinds, from their creation and claims to their end."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any, cast

from sqlalchemy import Row, Select

from tilework.core.errors import DamagedRowError
from tilework.core.messages import Message
from tilework.core.model.leases import Holder, Lease
from tilework.core.model.states import RunState
from tilework.core.model.task_specs import CallbackSpec, TaskKind, parse_spec
from tilework.core.model.tasks import (
    NewTask,
    Progress,
    Result,
    StoredTask,
    Task,
    TaskClaim,
    TaskEnd,
    new_callback,
)
from tilework.core.model.webhooks import Delivery
from tilework.core.storage.leases import LeasedRepository, lease_values
from tilework.core.storage.models import task
from tilework.core.storage.repository import (
    insert_all_if_absent,
    insert_if_absent,
    readable,
    reads,
)
from tilework.core.storage.tasks import statements
from tilework.core.storage.tasks.rows import (
    read_claim,
    read_document,
    read_task,
    serialize_progress,
    serialize_result,
    serialize_task,
)

# Rows per statement.
_CHUNK = 500

# The priority of a callback is the time of its next attempt; other tasks never wait.
_ANY_TIME = 1e18


class TaskRepository(LeasedRepository):
    """Reads and writes tasks over one connection."""

    leases = statements.LEASES

    def get_or_create(self, tasks: Sequence[NewTask], now: float) -> dict[str, StoredTask]:
        """Return tasks by key, locked; insert and queue new ones."""
        # In the order of their keys, so that two transactions never deadlock.
        ordered = sorted(tasks, key=lambda new: new.key)
        tasks_by_key: dict[str, StoredTask] = {}
        for first in range(0, len(ordered), _CHUNK):
            chunk = ordered[first : first + _CHUNK]
            tasks_by_key |= self._obtain(chunk, now)
            # The purger may have deleted rows before they were locked, but not the new ones.
            missing = [new for new in chunk if new.key not in tasks_by_key]
            if missing:
                tasks_by_key |= self._obtain(missing, now)
        return tasks_by_key

    def add_call(self, job_id: str, client_id: str, url: str, now: float) -> None:
        """Insert the callback of a job that ends in this transaction."""
        call = new_callback(job_id, client_id, url, now)
        insert_if_absent(self._connection, task, serialize_task(call, now))

    def _obtain(self, tasks: Sequence[NewTask], now: float) -> dict[str, StoredTask]:
        insert_all_if_absent(self._connection, task, [serialize_task(new, now) for new in tasks])
        rows = self._connection.execute(statements.BY_KEYS, {"keys": [new.key for new in tasks]})
        return {key: StoredTask(id_, key, RunState(state)) for id_, key, state in rows}

    def queue(self, task_id: str, priority: float, now: float) -> None:
        """Queue a locked task again, without its result."""
        self._connection.execute(statements.QUEUE, {"task_id": task_id, "at": priority, "now": now})

    def raise_priority(self, task_id: str, priority: float) -> None:
        """Move a locked, queued task forward in its queue."""
        self._connection.execute(statements.RAISE_PRIORITY, {"task_id": task_id, "at": priority})

    def lock(self, task_id: str) -> None:
        """Lock a task until the transaction ends."""
        self._connection.execute(statements.LOCK, {"task_id": task_id})

    def claim(
        self, queue: str, holder: Holder, now: float, by: float = _ANY_TIME
    ) -> list[TaskClaim[Any]]:
        """Lease the next task of a queue, skipping locked ones; an unreadable one fails."""
        values = {"in_queue": queue, "by": by}
        while (row := self._connection.execute(statements.NEXT, values).first()) is not None:
            try:
                attempts, created_at, spec = read_claim(row, queue)
            except DamagedRowError:
                self._connection.execute(statements.FAIL, {"task_id": row.id, "now": now})
                continue
            self.lease([row.id], holder, now)
            return [TaskClaim(Lease(row.id, holder.owner, attempts + 1), spec, created_at)]
        return []

    def running_callbacks(self) -> list[tuple[str, str]]:
        """Return the queue and the URL of each callback that is running."""
        return self._read_callbacks(statements.RUNNING_CALLBACKS, {})

    def due_callbacks(self, by: float) -> list[tuple[str, str]]:
        """Return the queue and the URL of the first due callback in each queue, oldest first."""
        return self._read_callbacks(statements.DUE_CALLBACKS, {"by": by})

    def _read_callbacks(
        self, statement: Select[Any], values: dict[str, object]
    ) -> list[tuple[str, str]]:
        rows = self._connection.execute(statement, values).all()
        return [(row.queue, _find_url(row)) for row in rows]

    def expired(self, now: float) -> list[tuple[Lease, TaskKind]]:
        """Return expired leases, at most 100, each with its task's kind."""
        rows = self._connection.execute(statements.EXPIRED, {"now": now})
        return list(readable(_read_expired, rows))

    def retry(
        self, lease: Lease, now: float, at: float | None = None, reason: Message | None = None
    ) -> None:
        """Requeue a task after a failed attempt, optionally with another priority."""
        values = lease_values(lease) | {"now": now, "at": at, "reason": reason}
        self._connection.execute(statements.RETRY, values)

    def store_progress(self, lease: Lease, progress: Progress, now: float) -> None:
        """Store the progress of a task, if the lease is held."""
        values = lease_values(lease) | {"progress_json": serialize_progress(progress), "now": now}
        self._connection.execute(statements.STORE_PROGRESS, values)

    def finish(self, lease: Lease, end: TaskEnd, now: float) -> bool:
        """Store the end of a task; return False if the lease is lost."""
        result = serialize_result(end.result)
        values = lease_values(lease) | {f"end_{name}": value for name, value in result.items()}
        values |= {"end_state": end.state, "end_message": end.message, "now": now}
        return self._connection.execute(statements.FINISH, values).rowcount == 1

    def cancel(self, task_ids: Collection[str], now: float) -> None:
        """Cancel those of some locked tasks that are unfinished."""
        self._connection.execute(statements.CANCEL, {"ids": list(task_ids), "now": now})

    def count_unfinished(self, kinds: Collection[TaskKind], client_id: str | None = None) -> int:
        statement = statements.UNFINISHED if client_id is None else statements.UNFINISHED_BY_CLIENT
        values = {"kinds": list(kinds), "client_id": client_id}
        return self._connection.execute(statement, values).scalar_one()

    def has_due(self, queue: str) -> bool:
        values = {"in_queue": queue, "by": _ANY_TIME}
        return self._connection.execute(statements.SOME_DUE, values).first() is not None

    def count_ready(self, queue: str) -> int:
        """Count the queued tasks of a queue."""
        return self._connection.execute(statements.READY, {"in_queue": queue}).scalar_one()

    def view(self, kind: TaskKind, task_id: str) -> Task[Any] | None:
        """Return a task of a kind with its result; raises DamagedRowError if it is unreadable."""
        values = {"task_id": task_id, "of_kind": kind}
        row = self._connection.execute(statements.VIEW, values).first()
        if row is None:
            return None
        *columns, result = row
        return read_task(columns, read_document(result))

    def version(self, kind: TaskKind, task_id: str) -> str | None:
        values = {"task_id": task_id, "of_kind": kind}
        version = self._connection.execute(statements.VERSION, values).scalar()
        return None if version is None else str(version)

    def result(self, task_id: str) -> Result | None:
        row = self._connection.execute(statements.RESULT, {"task_id": task_id}).first()
        document = None if row is None else read_document(row.result)
        if row is None or document is None:
            return None
        return Result(document, row.solutions, row.detail)

    def list_by_client(self, kind: TaskKind, client_id: str, limit: int) -> list[Task[Any]]:
        """Return a client's tasks of a kind without their results, newest first."""
        values = {"client_id": client_id, "of_kind": kind, "limit": limit}
        return list(readable(read_task, self._connection.execute(statements.BY_CLIENT, values)))

    def list_calls(self, client_id: str, limit: int) -> list[Delivery]:
        """Return the webhook calls for a client's jobs, newest first."""
        values = {"client_id": client_id, "limit": limit}
        return list(readable(_read_call, self._connection.execute(statements.CALLS, values)))

    def list_by_ids(self, ids: Collection[str]) -> list[Task[Any]]:
        """Return tasks by their ids, without their results."""
        rows = self._connection.execute(statements.BY_IDS, {"ids": list(ids)}) if ids else ()
        return list(readable(read_task, rows))


@reads
def _read_call(row: Sequence[Any]) -> Delivery:
    spec, state, *more = row
    call = cast(CallbackSpec, parse_spec(TaskKind.CALLBACK, spec))
    return Delivery(call.job_id, RunState(state), *more)


@reads
def _read_expired(row: Sequence[Any]) -> tuple[Lease, TaskKind]:
    id_, owner, attempts, kind = row
    return Lease(id_, owner, attempts), TaskKind(kind)


def _find_url(row: Row[Any]) -> str:
    """Return the URL of a callback; empty if it cannot be read, which its claim finds out."""
    try:
        *_, spec = read_claim(row[:-1], row.queue)
    except DamagedRowError:
        return ""
    return cast(CallbackSpec, spec).url
