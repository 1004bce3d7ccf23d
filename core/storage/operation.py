"""What operators see and suspend."""

from __future__ import annotations

from collections import defaultdict
from operator import itemgetter

from sqlalchemy import ColumnElement, bindparam, delete, func, select, update

from tilework.core.messages import Message
from tilework.core.model.ids import first_id
from tilework.core.model.operation import HeldWorkView, QuarantineView, Suspension
from tilework.core.model.states import (
    ACTIVE_JOB_STATES,
    RunState,
    SliceState,
    SuspensionKind,
)
from tilework.core.storage.models import job, slice_, solve, suspension, task, worker
from tilework.core.storage.repository import Repository, insert_if_absent

MAX_QUARANTINED = 1_000
"""The maximum number of quarantined slices that are read."""

_ALL = select(suspension.c.kind, suspension.c.name, suspension.c.since).order_by(
    suspension.c.kind, suspension.c.name
)
_KINDS = frozenset(map(str, SuspensionKind))
_RESUME = delete(suspension).where(
    suspension.c.kind == bindparam("of_kind"), suspension.c.name == bindparam("of_name")
)
_FORGET = delete(suspension).where(
    suspension.c.kind == SuspensionKind.WORKER,
    suspension.c.name.not_in(select(worker.c.name)),
)
_WORKERS = (
    select(worker.c.name, worker.c.version, worker.c.seen_at, worker.c.ready_at)
    .where(worker.c.seen_at >= bindparam("since"))
    .order_by(worker.c.name)
)
# Without joins, groups and orders, for which a planner may scan all finished rows.
_LEASED = select(
    slice_.c.owner, slice_.c.queue, slice_.c.kind, slice_.c.updated_at, slice_.c.solve_id
).where(slice_.c.state == SliceState.LEASED, slice_.c.lease_until.is_not(None))
_RUNNING = (
    select(task.c.owner, task.c.queue, task.c.kind, task.c.started_at)
    .where(task.c.state == RunState.RUNNING)
    .order_by(task.c.owner, task.c.id)
)
_QUARANTINED = (
    select(slice_.c.solve_id, slice_.c.message, slice_.c.updated_at)
    .where(slice_.c.state == SliceState.QUARANTINED, slice_.c.lease_until.is_(None))
    .limit(MAX_QUARANTINED)
)
_SIZE = select(solve.c.width, solve.c.height).where(solve.c.id == bindparam("of_solve"))
_JOB = (
    select(job.c.id)
    .where(job.c.solve_id == bindparam("of_solve"), job.c.state.in_(ACTIVE_JOB_STATES))
    .limit(1)
)
_RETRY = (
    update(slice_)
    .where(slice_.c.solve_id == bindparam("of_solve"), slice_.c.state == SliceState.QUARANTINED)
    .values(state=bindparam("new_state"), expiries=0, attempts=0, updated_at=bindparam("now"))
)
# Ids begin with the time, so the primary key finds recent jobs.
_SUBMITTED = select(func.count()).where(job.c.id >= bindparam("first_id"))
_ENDED = _SUBMITTED.where(job.c.finished_at >= bindparam("since"))


def is_suspended(kind: SuspensionKind, name: str) -> ColumnElement[bool]:
    """Return the condition that something is suspended; `name` is the name of a parameter."""
    return (
        select(suspension.c.name)
        .where(suspension.c.kind == kind, suspension.c.name == bindparam(name))
        .exists()
    )


class OperationRepository(Repository):
    """The state of the service, and suspensions."""

    def suspend(self, kind: SuspensionKind, name: str, now: float) -> None:
        values = {"kind": kind, "name": name, "since": now}
        insert_if_absent(self._connection, suspension, values)

    def resume(self, kind: SuspensionKind, name: str) -> None:
        self._connection.execute(_RESUME, {"of_kind": kind, "of_name": name})

    def forget_workers(self) -> None:
        """Delete the suspensions of workers that have left."""
        self._connection.execute(_FORGET)

    def suspensions(self) -> list[Suspension]:
        rows = self._connection.execute(_ALL)
        return [
            Suspension(SuspensionKind(kind), name, since)
            for kind, name, since in rows
            if kind in _KINDS
        ]

    def suspended_queues(self) -> set[str]:
        return {
            suspension.name
            for suspension in self.suspensions()
            if suspension.kind is SuspensionKind.QUEUE
        }

    def workers(self, since: float) -> list[tuple[str, str, float, float | None]]:
        """Return name, version, heartbeat and readiness of the workers seen since a time."""
        return [tuple(row) for row in self._connection.execute(_WORKERS, {"since": since})]

    def work(self) -> list[HeldWorkView]:
        """Return all work that workers hold."""
        work = []
        for owner, queue, kind, since, solve_id in self._connection.execute(_LEASED).all():
            job_id = self._connection.execute(_JOB, {"of_solve": solve_id}).scalar()
            width, height = self._size(solve_id)
            work.append(
                HeldWorkView(owner or "", queue, kind, since, width, height, job_id, solve_id)
            )
        return work + [HeldWorkView(*row) for row in self._connection.execute(_RUNNING)]

    def quarantine(self) -> list[QuarantineView]:
        """Return the solves with quarantined slices, each with the newest reason."""
        by_solve: dict[str, list[tuple[float, Message | None]]] = defaultdict(list)
        for solve_id, message, since in self._connection.execute(_QUARANTINED):
            by_solve[solve_id].append((since, message))
        views = []
        for solve_id, slices in sorted(by_solve.items()):
            since, message = max(slices, key=itemgetter(0))
            size = self._size(solve_id)
            views.append(QuarantineView(solve_id, *size, len(slices), message, since))
        return views

    def _size(self, solve_id: str) -> tuple[int, int]:
        width, height = self._connection.execute(_SIZE, {"of_solve": solve_id}).one()
        return width, height

    def count_recent_jobs(self, now: float) -> tuple[int, int]:
        """Count the jobs submitted in the last minute, and those that ended in it.

        Of the latter, only those submitted in the last ten minutes are counted.
        """
        since = now - 60
        submitted = self._connection.execute(_SUBMITTED, {"first_id": first_id(since)})
        values = {"first_id": first_id(now - 600), "since": since}
        return submitted.scalar_one(), self._connection.execute(_ENDED, values).scalar_one()

    def retry_quarantined(self, solve_id: str, state: SliceState, now: float) -> int:
        """Change the quarantined slices of a locked solve to a state; return their number."""
        values = {"of_solve": solve_id, "new_state": state, "now": now}
        return self._connection.execute(_RETRY, values).rowcount
