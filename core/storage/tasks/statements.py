"""Statements of the ``task`` table."""

from __future__ import annotations

from sqlalchemy import Double, bindparam, func, literal, select, update

from tilework.core.model.endings import RECORD_LOST
from tilework.core.model.states import RunState, SuspensionKind
from tilework.core.model.task_specs import TaskKind
from tilework.core.model.tasks import CALLBACK_QUEUE
from tilework.core.storage.leases import MAX_EXPIRED, Leases
from tilework.core.storage.models import MESSAGE, task
from tilework.core.storage.operation import is_suspended
from tilework.core.storage.tasks.rows import CLAIM, TASK, unfinished_task

_by_id = task.c.id == bindparam("task_id")
_has_kind = task.c.kind == bindparam("of_kind")
_among = task.c.id.in_(bindparam("ids", expanding=True))
_queued = (task.c.state == RunState.QUEUED, task.c.queue == bindparam("in_queue"))
_due = (*_queued, task.c.priority <= bindparam("by"))
_changed = {"version": task.c.version + 1, "updated_at": bindparam("now")}
LEASES = Leases(
    task,
    waiting=RunState.QUEUED,
    held=RunState.RUNNING,
    changed=_changed,
    taken={"started_at": bindparam("now")},
    returned=dict.fromkeys(("started_at", "progress")),
)
# The key stays unlocked, so that rows that refer to these can be inserted.
LOCK = select(task.c.id).where(_by_id).with_for_update(key_share=True)
BY_KEYS = (
    select(task.c.id, task.c.key, task.c.state)
    .where(task.c.key.in_(bindparam("keys", expanding=True)))
    .order_by(task.c.key)
    .with_for_update(key_share=True)
)
QUEUE = (
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
RAISE_PRIORITY = (
    update(task)
    .where(_by_id, task.c.state == RunState.QUEUED, task.c.priority > bindparam("at"))
    .values(priority=bindparam("at"))
)
NEXT = (
    select(*CLAIM)
    .where(*_due)
    .order_by(task.c.priority, task.c.id)
    .limit(1)
    .with_for_update(key_share=True, skip_locked=True)
)
_from_callback_queues = task.c.queue >= CALLBACK_QUEUE
_before_other_queues = task.c.queue < CALLBACK_QUEUE[:-1] + chr(ord(CALLBACK_QUEUE[-1]) + 1)
RUNNING_CALLBACKS = select(*CLAIM, task.c.queue).where(
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
DUE_CALLBACKS = (
    select(*CLAIM, task.c.queue)
    .where(task.c.id.in_(select(_first_due).select_from(_queues)))
    .order_by(task.c.priority, task.c.id)
)
RETRY = (
    update(task)
    .where(*LEASES.mine)
    .values(
        state=RunState.QUEUED,
        priority=func.coalesce(bindparam("at", type_=Double), task.c.priority),
        message=bindparam("reason", type_=MESSAGE),
        **dict.fromkeys(("progress", "started_at")),
        **LEASES.ended,
    )
)
STORE_PROGRESS = (
    update(task).where(*LEASES.mine).values(progress=bindparam("progress_json"), **_changed)
)
FINISH = (
    update(task)
    .where(*LEASES.mine)
    .values(
        state=bindparam("end_state"),
        finished_at=bindparam("now"),
        message=bindparam("end_message"),
        result=bindparam("end_result"),
        solutions=bindparam("end_solutions"),
        detail=bindparam("end_detail"),
        **LEASES.ended,
    )
)
FAIL = (
    update(task)
    .where(_by_id)
    .values(state=RunState.FAILED, finished_at=bindparam("now"), message=RECORD_LOST, **_changed)
)
CANCEL = (
    update(task)
    .where(_among, unfinished_task())
    .values(
        state=RunState.CANCELLED,
        finished_at=bindparam("now"),
        **dict.fromkeys(("owner", "lease_until")),
        **_changed,
    )
)
UNFINISHED = (
    select(func.count())
    .select_from(task)
    .where(unfinished_task(), task.c.kind.in_(bindparam("kinds", expanding=True)))
)
UNFINISHED_BY_CLIENT = UNFINISHED.where(task.c.client_id == bindparam("client_id"))
_is_open = ~is_suspended(SuspensionKind.QUEUE, "in_queue")
SOME_DUE = select(literal(1)).where(*_due, _is_open).limit(1)
READY = select(func.count()).select_from(task).where(*_queued, _is_open)
EXPIRED = (
    select(task.c.id, task.c.owner, task.c.attempts, task.c.kind)
    .where(task.c.state == RunState.RUNNING, task.c.lease_until < bindparam("now"))
    .limit(MAX_EXPIRED)
)
VIEW = select(*TASK, task.c.result).where(_by_id, _has_kind)
VERSION = select(task.c.version).where(_by_id, _has_kind)
RESULT = select(task.c.result, task.c.solutions, task.c.detail).where(_by_id)
BY_IDS = select(*TASK).where(_among)
BY_CLIENT = (
    select(*TASK)
    .where(task.c.client_id == bindparam("client_id"), _has_kind)
    .order_by(task.c.id.desc())
    .limit(bindparam("limit"))
)
CALLS = (
    select(task.c.spec, task.c.state, task.c.attempts, task.c.updated_at, task.c.message)
    .where(task.c.client_id == bindparam("client_id"), task.c.kind == TaskKind.CALLBACK)
    .order_by(task.c.id.desc())
    .limit(bindparam("limit"))
)
