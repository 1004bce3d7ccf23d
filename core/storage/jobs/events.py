"""The ``bound_event`` table: how the bounds came together."""

from __future__ import annotations

from sqlalchemy import Connection, bindparam, select

from core.services.jobs.views import BoundEventView
from core.storage.models import bound_event, job

_OF_JOB = (
    select(
        bound_event.c.time,
        bound_event.c.lower_bound,
        bound_event.c.upper_bound,
        bound_event.c.nodes,
    )
    .join_from(bound_event, job, bound_event.c.solve_id == job.c.solve_id)
    .where(
        job.c.id == bindparam("job_id"),
        job.c.finished_at.is_(None) | (bound_event.c.time <= job.c.finished_at),
    )
    .order_by(bound_event.c.time, bound_event.c.id)
)


class StoredEvents:
    """Bound events of one connection."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def add(self, event_id: str, solve_id: str, event: BoundEventView) -> None:
        """Insert an event."""
        values = {
            "id": event_id,
            "solve_id": solve_id,
            "time": event.time,
            "lower_bound": event.lower_bound,
            "upper_bound": event.upper_bound,
            "nodes": event.nodes,
        }
        self._connection.execute(bound_event.insert(), values)

    def of_job(self, job_id: str) -> list[BoundEventView]:
        """Return the events of a job's solve up to the job's end, oldest first."""
        rows = self._connection.execute(_OF_JOB, {"job_id": job_id})
        return [BoundEventView(*row) for row in rows]
