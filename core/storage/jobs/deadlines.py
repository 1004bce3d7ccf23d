"""Deadlines of unfinished jobs."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable

from sqlalchemy import RowMapping, bindparam, select, update

from tilework.core.model.states import ACTIVE_JOB_STATES
from tilework.core.storage.damage.checksums import JOB
from tilework.core.storage.models import job
from tilework.core.storage.repository import Repository

_active = job.c.state.in_(ACTIVE_JOB_STATES)
_DUE = (
    select(job.c.solve_id)
    .where(_active, job.c.deadline <= bindparam("now"), job.c.solve_id.is_not(None))
    .limit(100)
)
_waits = (_active, job.c.deadline > bindparam("now") + job.c.time_limit_s)
_WAITING = select(job.c.id).where(*_waits, job.c.solve_id.is_not(None))
_AMONG = (
    select(*JOB.columns, job.c.seal)
    .where(job.c.id.in_(bindparam("ids", expanding=True)), *_waits)
    # Waiting for a job while holding others could deadlock with a worker that ends several jobs.
    .with_for_update(skip_locked=True)
)
_UNFINISHED_ON = (
    select(*JOB.columns, job.c.seal)
    .where(_active, job.c.solve_id == bindparam("solve_id"))
    .with_for_update()
)
_RESET = (
    update(job)
    .where(job.c.id == bindparam("job_id"))
    .values(deadline=bindparam("until"), seal=bindparam("checksum"))
)


class DeadlineRepository(Repository):
    """Reads and changes deadlines."""

    def due(self, now: float) -> list[str]:
        """Return the ids of up to 100 solves with a job past its deadline."""
        return list(dict.fromkeys(self._connection.execute(_DUE, {"now": now}).scalars()))

    def waiting(self, now: float) -> list[str]:
        """Return the ids of jobs whose time limit starts when a worker is ready."""
        return list(self._connection.execute(_WAITING, {"now": now}).scalars())

    def start_clocks(self, ids: Collection[str], now: float) -> None:
        """Start the time limits of those jobs that still wait and are not being changed."""
        rows = self._connection.execute(_AMONG, {"ids": list(ids), "now": now}).mappings().all()
        self._set_deadlines(rows, lambda row: now + row["time_limit_s"])

    def extend(self, solve_id: str, seconds: float) -> None:
        """Postpone the deadlines of the unfinished jobs of a locked solve."""
        rows = self._connection.execute(_UNFINISHED_ON, {"solve_id": solve_id}).mappings().all()
        self._set_deadlines(rows, lambda row: row["deadline"] + seconds)

    def _set_deadlines(
        self, rows: Iterable[RowMapping], get_deadline: Callable[[RowMapping], float]
    ) -> None:
        changes = []
        for row in rows:
            # A damaged row stays recognizable.
            if JOB.matches(tuple(row.values())[:-1], row["seal"]):
                until = get_deadline(row)
                checksum = JOB.compute({**row, "deadline": until})
                changes.append({"job_id": row["id"], "until": until, "checksum": checksum})
        if changes:
            self._connection.execute(_RESET, changes)
