"""Deadlines of unfinished jobs."""

from __future__ import annotations

from collections.abc import Collection

from sqlalchemy import Double, bindparam, select, update

from tilework.core.model.states import ACTIVE_JOB_STATES
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
# Waiting for a job while holding others could deadlock with a worker that ends several jobs.
_among = (
    select(job.c.id)
    .where(job.c.id.in_(bindparam("ids", expanding=True)), *_waits)
    .with_for_update(skip_locked=True)
)
_START = (
    update(job)
    .where(job.c.id.in_(_among))
    .values(deadline=bindparam("now", type_=Double) + job.c.time_limit_s)
)
_EXTEND = (
    update(job)
    .where(_active, job.c.solve_id == bindparam("of_solve"))
    .values(deadline=job.c.deadline + bindparam("seconds"))
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
        self._connection.execute(_START, {"ids": list(ids), "now": now})

    def extend(self, solve_id: str, seconds: float) -> None:
        """Postpone the deadlines of the unfinished jobs of a locked solve."""
        self._connection.execute(_EXTEND, {"of_solve": solve_id, "seconds": seconds})
