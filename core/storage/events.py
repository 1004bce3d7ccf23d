"""The ``bound_event`` table: how the bounds of each solve improved."""

from __future__ import annotations

import math
from collections.abc import Sequence
from heapq import heapify, heappop, heappush

from sqlalchemy import ScalarSelect, and_, bindparam, delete, func, insert, select

from tilework.core.model.farm.solves import BoundEventView
from tilework.core.model.states import JobState
from tilework.core.puzzle.board import Size
from tilework.core.puzzle.metric import Metric
from tilework.core.storage.models import bound_event, job
from tilework.core.storage.repository import Repository

THINNING_INTERVAL = 128
"""The number of improvements of a solve after which its events are thinned."""

THINNED = 256
"""The number of events left after thinning; there are never more than `MAX_EVENTS`."""

MAX_EVENTS = THINNED + THINNING_INTERVAL

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

_RECENT_JOBS = 200
_MAX_COMPARED = 10


class EventRepository(Repository):
    """Records and lists bound events."""

    def add(self, event_id: str, solve_id: str, event: BoundEventView) -> None:
        """Insert the next event of a locked solve; at intervals, thin the events."""
        values = {
            "id": event_id,
            "solve_id": solve_id,
            "of_solve": solve_id,
            "time": event.time,
            "lower_bound": event.lower_bound,
            "upper_bound": event.upper_bound,
            "nodes": event.nodes,
            "method": event.method,
        }
        number = self._connection.execute(_ADD, values).scalar_one()
        if number % THINNING_INTERVAL == 0:
            self._thin(solve_id)

    def list_by_job(self, job_id: str) -> list[BoundEventView]:
        """Return at most `MAX_EVENTS` events of a job's solve up to the job's end, oldest first.

        If the job has ended, the last event has its final bounds.
        """
        # The time alone does not tell: a worker reads the clock before it waits for the solve, so
        # an event that was stored after the end of a job can be older than that end.
        is_before_end = and_(
            bound_event.c.time <= job.c.finished_at,
            bound_event.c.lower_bound <= job.c.lower_bound,
            bound_event.c.upper_bound.is_(None) | (bound_event.c.upper_bound >= job.c.upper_bound),
        )
        statement = (
            select(
                bound_event,
                job.c.finished_at,
                job.c.lower_bound.label("last_lower"),
                job.c.upper_bound.label("last_upper"),
                job.c.nodes.label("last_nodes"),
            )
            .join_from(bound_event, job, bound_event.c.solve_id == job.c.solve_id)
            .where(job.c.id == job_id, job.c.finished_at.is_(None) | is_before_end)
            .order_by(bound_event.c.number)
        )
        rows = self._connection.execute(statement).all()
        kept_rows = (rows[index] for index in thin_evenly([row.time for row in rows], MAX_EVENTS))
        events = [
            BoundEventView(
                time=row.time,
                lower_bound=row.lower_bound,
                upper_bound=row.upper_bound,
                nodes=row.nodes,
                number=row.number,
                method=row.method,
            )
            for row in kept_rows
        ]
        if not rows or rows[-1].finished_at is None:
            return events
        last = rows[-1]
        if (last.last_lower, last.last_upper) != (last.lower_bound, last.upper_bound):
            # The solve continued for other jobs, and thinning removed this job's last event.
            events.append(
                BoundEventView(
                    time=last.finished_at,
                    lower_bound=last.last_lower,
                    upper_bound=last.last_upper,
                    nodes=last.last_nodes or last.nodes,
                    number=last.number,
                )
            )
        return events

    def gains(self, size: Size, begin: float, end: float) -> list[int]:
        """Return the moves saved from `begin` to `end`, in seconds, of recent jobs of a size."""
        recent = (
            select(job.c.solve_id, job.c.width, job.c.height, job.c.created_at, job.c.finished_at)
            .where(job.c.state == JobState.BOUNDED, job.c.metric == Metric.MOVES)
            .order_by(job.c.deadline.desc())
            .limit(_RECENT_JOBS)
            .subquery()
        )

        def best_after(seconds: float) -> ScalarSelect[int]:
            return (
                select(func.min(bound_event.c.upper_bound))
                .where(
                    bound_event.c.solve_id == recent.c.solve_id,
                    bound_event.c.time <= recent.c.created_at + seconds,
                )
                .scalar_subquery()
            )

        statement = (
            select(best_after(begin) - best_after(end))
            .where(
                recent.c.width == size.width,
                recent.c.height == size.height,
                recent.c.finished_at >= recent.c.created_at + end,
            )
            .limit(_MAX_COMPARED)
        )
        gains = self._connection.execute(statement).scalars()
        return [gain for gain in gains if gain is not None]

    def _thin(self, solve_id: str) -> None:
        statement = (
            select(bound_event.c.id, bound_event.c.time)
            .where(bound_event.c.solve_id == solve_id)
            .order_by(bound_event.c.number)
        )
        rows = self._connection.execute(statement).all()
        kept_ids = {rows[index].id for index in thin_evenly([row.time for row in rows], THINNED)}
        surplus = [row.id for row in rows if row.id not in kept_ids]
        if surplus:
            self._connection.execute(delete(bound_event).where(bound_event.c.id.in_(surplus)))


# The resolution of the logarithmic time scale (seconds).
_FINEST_S = 0.1


def thin_evenly(times: Sequence[float], limit: int) -> list[int]:
    """Return the indexes of at most `limit` events, including the first and the last.

    Repeatedly remove the event that leaves the smallest gap on a scale that is the mean of time and
    its logarithm: improvements come fast at first, while later ones take most of a plot. Thinning
    the result again, with later events, is almost the same as thinning all events at once.

    Parameters
    ----------
    times : sequence of float
        Ascending.
    limit : int
        2 or more.
    """
    if len(times) <= limit:
        return list(range(len(times)))
    scaled = _scaled(times)
    before = list(range(-1, len(times) - 1))
    after = list(range(1, len(times) + 1))

    def gap_without(index: int) -> float:
        return scaled[after[index]] - scaled[before[index]]

    gaps = [(gap_without(index), index) for index in range(1, len(times) - 1)]
    heapify(gaps)
    indices = set(range(len(times)))
    while len(indices) > limit:
        gap, index = heappop(gaps)
        if gap < gap_without(index):  # a neighbour has been removed
            heappush(gaps, (gap_without(index), index))
            continue
        indices.discard(index)
        after[before[index]] = after[index]
        before[after[index]] = before[index]
    return sorted(indices)


def _scaled(times: Sequence[float]) -> list[float]:
    """Return the positions of the events on the scale, from 0 to 1."""
    first, span = times[0], max(times[-1] - times[0], _FINEST_S)
    longest = math.log1p(span / _FINEST_S)
    elapsed = [max(0.0, time - first) for time in times]
    return [(math.log1p(time / _FINEST_S) / longest + time / span) / 2 for time in elapsed]
