"""The ``bound_event`` table: how the bounds came together."""

from __future__ import annotations

from sqlalchemy import bindparam, delete, func, insert, select

from tilework.core.model.job_views import BoundEventView
from tilework.core.storage.jobs.thinning import thin_evenly
from tilework.core.storage.models import bound_event, job
from tilework.core.storage.repository import Repository

THINNED_EVERY = 128
"""Improvements of one solve after which its history is thinned."""

KEPT = 256
"""Events that are left then; with those that follow there are never more than `MOST`."""

MOST = KEPT + THINNED_EVERY

_numbered = bound_event.alias()
_ADD = (
    insert(bound_event)
    .values(
        number=select(func.coalesce(func.max(_numbered.c.number), 0) + 1)
        .where(_numbered.c.solve_id == bindparam("of_solve"))
        .scalar_subquery()
    )
    .returning(bound_event.c.number)
)
_TIMES = (
    select(bound_event.c.id, bound_event.c.time)
    .where(bound_event.c.solve_id == bindparam("solve_id"))
    .order_by(bound_event.c.number)
)
_DROP = delete(bound_event).where(bound_event.c.id.in_(bindparam("ids", expanding=True)))
_OF_JOB = (
    select(
        bound_event.c.time,
        bound_event.c.lower_bound,
        bound_event.c.upper_bound,
        bound_event.c.nodes,
        bound_event.c.number,
        job.c.finished_at,
        job.c.lower_bound.label("last_lower"),
        job.c.upper_bound.label("last_upper"),
        job.c.nodes.label("last_nodes"),
    )
    .join_from(bound_event, job, bound_event.c.solve_id == job.c.solve_id)
    .where(
        job.c.id == bindparam("job_id"),
        job.c.finished_at.is_(None) | (bound_event.c.time <= job.c.finished_at),
    )
    .order_by(bound_event.c.number)
)


class EventRepository(Repository):
    """Bound events of one connection."""

    def add(self, event_id: str, solve_id: str, event: BoundEventView) -> None:
        """Insert the next event of a locked solve; every so often, thin those before it."""
        values = {
            "id": event_id,
            "solve_id": solve_id,
            "of_solve": solve_id,
            "time": event.time,
            "lower_bound": event.lower_bound,
            "upper_bound": event.upper_bound,
            "nodes": event.nodes,
        }
        number = self._connection.execute(_ADD, values).scalar_one()
        if number % THINNED_EVERY == 0:
            self._thin(solve_id)

    def of_job(self, job_id: str) -> list[BoundEventView]:
        """Return the events of a job's solve up to the job's end, oldest first, at most `MOST`.

        The last one has the bounds that the job ended with.
        """
        rows = self._connection.execute(_OF_JOB, {"job_id": job_id}).all()
        kept = thin_evenly([row.time for row in rows], MOST)
        events = [BoundEventView(*rows[place][:5]) for place in kept]
        if not rows or rows[-1].finished_at is None:
            return events
        last = rows[-1]
        if (last.last_lower, last.last_upper) != (last.lower_bound, last.upper_bound):
            # It was thinned after the job's end, as the solve went on for others.
            ended = (last.finished_at, last.last_lower, last.last_upper)
            events.append(BoundEventView(*ended, last.last_nodes or last.nodes, last.number))
        return events

    def _thin(self, solve_id: str) -> None:
        rows = self._connection.execute(_TIMES, {"solve_id": solve_id}).all()
        kept = {rows[place].id for place in thin_evenly([row.time for row in rows], KEPT)}
        surplus = [row.id for row in rows if row.id not in kept]
        if surplus:
            self._connection.execute(_DROP, {"ids": surplus})
