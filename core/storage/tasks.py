"""The ``task`` table: tasks of all kinds, from their creation and claims to their end."""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from dataclasses import astuple
from typing import Any, cast

from sqlalchemy import (
    ColumnElement,
    Double,
    Row,
    Select,
    bindparam,
    func,
    literal,
    literal_column,
    select,
    update,
)

from tilework.core.errors import DamagedRowError
from tilework.core.messages import Message
from tilework.core.model.jobs import RECORD_LOST
from tilework.core.model.leases import Holder, Lease
from tilework.core.model.states import RunState
from tilework.core.model.tasks import (
    CALLBACK_QUEUE,
    CallbackSpec,
    NewTask,
    Progress,
    Result,
    Spec,
    StoredTask,
    Task,
    TaskClaim,
    TaskEnd,
    TaskKind,
    may_queue,
    new_callback,
    pack_json,
    parse_spec,
    serialize_spec,
    unpack_json,
)
from tilework.core.model.webhooks import DeliveryView
from tilework.core.storage.leases import (
    MAX_EXPIRED,
    LeasedRepository,
    Leases,
    is_open,
    lease_values,
)
from tilework.core.storage.models import MESSAGE, task
from tilework.core.storage.repository import (
    insert_all_if_absent,
    insert_if_absent,
    readable,
    reads,
)

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


_by_id = task.c.id == bindparam("task_id")
_has_kind = task.c.kind == bindparam("of_kind")
_among = task.c.id.in_(bindparam("ids", expanding=True))
_queued = (task.c.state == RunState.QUEUED, task.c.queue == bindparam("in_queue"))
_due = (*_queued, task.c.priority <= bindparam("by"))
_changed = {"version": task.c.version + 1, "updated_at": bindparam("now")}
_LEASES = Leases(
    task,
    waiting=RunState.QUEUED,
    held=RunState.RUNNING,
    changed=_changed,
    taken={"started_at": bindparam("now")},
    returned=dict.fromkeys(("started_at", "progress")),
)
# The key stays unlocked, so that rows that refer to these can be inserted.
_LOCK = select(task.c.id).where(_by_id).with_for_update(key_share=True)
_BY_KEYS = (
    select(task.c.id, task.c.key, task.c.state)
    .where(task.c.key.in_(bindparam("keys", expanding=True)))
    .order_by(task.c.key)
    .with_for_update(key_share=True)
)
_QUEUE = (
    update(task)
    .where(_by_id)
    .values(
        state=RunState.QUEUED,
        priority=bindparam("at"),
        attempts=0,
        **dict.fromkeys(("message", "progress", "started_at", "finished_at")),
        **dict.fromkeys(("result", "solutions", "detail")),
        **_changed,
    )
)
_RAISE_PRIORITY = (
    update(task)
    .where(_by_id, task.c.state == RunState.QUEUED, task.c.priority > bindparam("at"))
    .values(priority=bindparam("at"))
)
_NEXT = (
    select(*CLAIM)
    .where(*_due)
    .order_by(task.c.priority, task.c.id)
    .limit(1)
    .with_for_update(key_share=True, skip_locked=True)
)
_from_callback_queues = task.c.queue >= CALLBACK_QUEUE
_before_other_queues = task.c.queue < CALLBACK_QUEUE[:-1] + chr(ord(CALLBACK_QUEUE[-1]) + 1)
_RUNNING_CALLBACKS = select(*CLAIM, task.c.queue).where(
    task.c.state == RunState.RUNNING, _from_callback_queues, _before_other_queues
)
# Goes from each queue to the next one by the index, because there may be any number of callbacks.
_first_queue = select(func.min(task.c.queue).label("name")).where(
    task.c.state == RunState.QUEUED, _before_other_queues
)
_queues = _first_queue.where(_from_callback_queues).cte(recursive=True)
_queues = _queues.union_all(
    select(_first_queue.where(task.c.queue > _queues.c.name).scalar_subquery()).where(
        _queues.c.name.is_not(None)
    )
)
_waiting = task.alias()
_first_due = (
    select(_waiting.c.id)
    .where(
        _waiting.c.state == RunState.QUEUED,
        _waiting.c.queue == _queues.c.name,
        _waiting.c.priority <= bindparam("by"),
    )
    .order_by(_waiting.c.priority)
    .limit(1)
    .correlate(_queues)
    .scalar_subquery()
)
_DUE_CALLBACKS = (
    select(*CLAIM, task.c.queue)
    .where(task.c.id.in_(select(_first_due).select_from(_queues)))
    .order_by(task.c.priority, task.c.id)
)
_RETRY = (
    update(task)
    .where(*_LEASES.mine)
    .values(
        state=RunState.QUEUED,
        priority=func.coalesce(bindparam("at", type_=Double), task.c.priority),
        message=bindparam("reason", type_=MESSAGE),
        **dict.fromkeys(("progress", "started_at")),
        **_LEASES.ended,
    )
)
_STORE_PROGRESS = (
    update(task).where(*_LEASES.mine).values(progress=bindparam("progress_json"), **_changed)
)
_FINISH = (
    update(task)
    .where(*_LEASES.mine)
    .values(
        state=bindparam("end_state"),
        finished_at=bindparam("now"),
        message=bindparam("end_message"),
        result=bindparam("end_result"),
        solutions=bindparam("end_solutions"),
        detail=bindparam("end_detail"),
        **_LEASES.ended,
    )
)
_FAIL = (
    update(task)
    .where(_by_id)
    .values(state=RunState.FAILED, finished_at=bindparam("now"), message=RECORD_LOST, **_changed)
)
_CANCEL = (
    update(task)
    .where(_among, unfinished_task())
    .values(
        state=RunState.CANCELLED,
        finished_at=bindparam("now"),
        **dict.fromkeys(("owner", "lease_until")),
        **_changed,
    )
)
_UNFINISHED = (
    select(func.count())
    .select_from(task)
    .where(unfinished_task(), task.c.kind.in_(bindparam("kinds", expanding=True)))
)
_UNFINISHED_BY_CLIENT = _UNFINISHED.where(task.c.client_id == bindparam("client_id"))
_is_open = is_open("in_queue")
_SOME_DUE = select(literal(1)).where(*_due, _is_open).limit(1)
_READY = select(func.count()).select_from(task).where(*_queued, _is_open)
_EXPIRED = (
    select(task.c.id, task.c.owner, task.c.attempts, task.c.kind)
    .where(task.c.state == RunState.RUNNING, task.c.lease_until < bindparam("now"))
    .limit(MAX_EXPIRED)
)
_VIEW = select(*TASK, task.c.result).where(_by_id, _has_kind)
_VERSION = select(task.c.version).where(_by_id, _has_kind)
_RESULT = select(task.c.result, task.c.solutions, task.c.detail).where(_by_id)
_BY_IDS = select(*TASK).where(_among)
_CALLS = (
    select(task.c.spec, task.c.state, task.c.attempts, task.c.updated_at, task.c.message)
    .where(task.c.client_id == bindparam("client_id"), task.c.kind == TaskKind.CALLBACK)
    .order_by(task.c.id.desc())
    .limit(bindparam("limit"))
)


# Rows per statement.
_CHUNK = 500

# The priority of a callback is the time of its next attempt; other tasks never wait.
_ANY_TIME = 1e18


class TaskRepository(LeasedRepository):
    """Reads and writes tasks over one connection."""

    leases = _LEASES

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
        rows = self._connection.execute(_BY_KEYS, {"keys": [new.key for new in tasks]})
        return {key: StoredTask(id_, key, RunState(state)) for id_, key, state in rows}

    def queue(self, task_id: str, priority: float, now: float) -> None:
        """Queue a locked task again, without its result."""
        self._connection.execute(_QUEUE, {"task_id": task_id, "at": priority, "now": now})

    def raise_priority(self, task_id: str, priority: float) -> None:
        """Move a locked, queued task forward in its queue."""
        self._connection.execute(_RAISE_PRIORITY, {"task_id": task_id, "at": priority})

    def lock(self, task_id: str) -> None:
        """Lock a task until the transaction ends."""
        self._connection.execute(_LOCK, {"task_id": task_id})

    def claim(
        self, queue: str, holder: Holder, now: float, by: float = _ANY_TIME
    ) -> list[TaskClaim[Any]]:
        """Lease the next task of a queue, skipping locked ones; an unreadable one fails."""
        values = {"in_queue": queue, "by": by}
        while (row := self._connection.execute(_NEXT, values).first()) is not None:
            try:
                attempts, created_at, spec = read_claim(row, queue)
            except DamagedRowError:
                self._connection.execute(_FAIL, {"task_id": row.id, "now": now})
                continue
            self.lease([row.id], holder, now)
            return [TaskClaim(Lease(row.id, holder.owner, attempts + 1), spec, created_at)]
        return []

    def running_callbacks(self) -> list[tuple[str, str]]:
        """Return the queue and the URL of each callback that is running."""
        return self._read_callbacks(_RUNNING_CALLBACKS, {})

    def due_callbacks(self, by: float) -> list[tuple[str, str]]:
        """Return the queue and the URL of the first due callback in each queue, oldest first."""
        return self._read_callbacks(_DUE_CALLBACKS, {"by": by})

    def _read_callbacks(
        self, statement: Select[Any], values: dict[str, object]
    ) -> list[tuple[str, str]]:
        rows = self._connection.execute(statement, values).all()
        return [(row.queue, _find_url(row)) for row in rows]

    def expired(self, now: float) -> list[tuple[Lease, TaskKind]]:
        """Return expired leases, at most 100, each with its task's kind."""
        rows = self._connection.execute(_EXPIRED, {"now": now})
        return list(readable(_read_expired, rows))

    def retry(
        self, lease: Lease, now: float, at: float | None = None, reason: Message | None = None
    ) -> None:
        """Requeue a task after a failed attempt, optionally with another priority."""
        values = lease_values(lease) | {"now": now, "at": at, "reason": reason}
        self._connection.execute(_RETRY, values)

    def store_progress(self, lease: Lease, progress: Progress, now: float) -> None:
        """Store the progress of a task, if the lease is held."""
        values = lease_values(lease) | {"progress_json": serialize_progress(progress), "now": now}
        self._connection.execute(_STORE_PROGRESS, values)

    def finish(self, lease: Lease, end: TaskEnd, now: float) -> bool:
        """Store the end of a task; return False if the lease is lost."""
        result = serialize_result(end.result)
        values = lease_values(lease) | {f"end_{name}": value for name, value in result.items()}
        values |= {"end_state": end.state, "end_message": end.message, "now": now}
        return self._connection.execute(_FINISH, values).rowcount == 1

    def cancel(self, task_ids: Collection[str], now: float) -> None:
        """Cancel those of some locked tasks that are unfinished."""
        self._connection.execute(_CANCEL, {"ids": list(task_ids), "now": now})

    def count_unfinished(self, kinds: Collection[TaskKind], client_id: str | None = None) -> int:
        statement = _UNFINISHED if client_id is None else _UNFINISHED_BY_CLIENT
        values = {"kinds": list(kinds), "client_id": client_id}
        return self._connection.execute(statement, values).scalar_one()

    def has_due(self, queue: str) -> bool:
        values = {"in_queue": queue, "by": _ANY_TIME}
        return self._connection.execute(_SOME_DUE, values).first() is not None

    def count_ready(self, queue: str) -> int:
        """Count the queued tasks of a queue."""
        return self._connection.execute(_READY, {"in_queue": queue}).scalar_one()

    def view(self, kind: TaskKind, task_id: str) -> Task[Any] | None:
        """Return a task of a kind with its result; raises DamagedRowError if it is unreadable."""
        values = {"task_id": task_id, "of_kind": kind}
        row = self._connection.execute(_VIEW, values).first()
        if row is None:
            return None
        *columns, result = row
        return read_task(columns, read_document(result))

    def version(self, kind: TaskKind, task_id: str) -> str | None:
        values = {"task_id": task_id, "of_kind": kind}
        version = self._connection.execute(_VERSION, values).scalar()
        return None if version is None else str(version)

    def result(self, task_id: str) -> Result | None:
        row = self._connection.execute(_RESULT, {"task_id": task_id}).first()
        document = None if row is None else read_document(row.result)
        if row is None or document is None:
            return None
        return Result(document, row.solutions, row.detail)

    def list_calls(self, client_id: str, limit: int) -> list[DeliveryView]:
        """Return the webhook calls for a client's jobs, newest first."""
        values = {"client_id": client_id, "limit": limit}
        return list(readable(_read_call, self._connection.execute(_CALLS, values)))

    def list_by_ids(self, ids: Collection[str]) -> list[Task[Any]]:
        """Return tasks by their ids, without their results."""
        rows = self._connection.execute(_BY_IDS, {"ids": list(ids)}) if ids else ()
        return list(readable(read_task, rows))


@reads
def _read_call(row: Sequence[Any]) -> DeliveryView:
    spec, state, attempts, updated_at, error = row
    call = cast(CallbackSpec, parse_spec(TaskKind.CALLBACK, spec))
    return DeliveryView(
        job_id=call.job_id,
        state=RunState(state),
        attempts=attempts,
        updated_at=updated_at,
        error=error,
    )


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
