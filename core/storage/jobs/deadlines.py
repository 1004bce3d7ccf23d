"""Deadlines of unfinished jobs."""

from __future__ import annotations

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
_LATER = (
    select(*JOB.columns)
    .where(
        _active,
        job.c.solve_id.is_not(None),
        job.c.deadline > bindparam("now") + job.c.time_limit_s,
    )
    .with_for_update()
)
_UNFINISHED_ON = (
    select(*JOB.columns).where(_active, job.c.solve_id == bindparam("solve_id")).with_for_update()
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

    def start_clocks(self, now: float) -> None:
        """Start the time limits of unfinished jobs that were waiting for workers to get ready."""
        rows = self._connection.execute(_LATER, {"now": now})
        for row in rows.mappings().all():
            self._set_deadline(row, now + row["time_limit_s"])

    def extend(self, solve_id: str, seconds: float) -> None:
        """Postpone the deadlines of a solve's unfinished jobs."""
        rows = self._connection.execute(_UNFINISHED_ON, {"solve_id": solve_id})
        for row in rows.mappings().all():
            self._set_deadline(row, row["deadline"] + seconds)

    def _set_deadline(self, row: RowMapping, deadline: float) -> None:
        checksum = JOB.compute({**row, "deadline": deadline})
        values = {"job_id": row["id"], "until": deadline, "checksum": checksum}
        self._connection.execute(_RESET, values)
