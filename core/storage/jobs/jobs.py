"""The ``job`` table: one row per request."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from sqlalchemy import Connection, Double, Row, bindparam, func, select, update

from tilework.core.model.job_views import Answer, JobView
from tilework.core.model.jobs import FIRST_VERSION, ActiveJob, Effort, Ending, NewJob
from tilework.core.model.solves import Course
from tilework.core.model.states import ACTIVE_JOB_STATES, JobState, Queue
from tilework.core.puzzle.metric import Metric
from tilework.core.solver.target import Target, TargetKind
from tilework.core.storage.damage.sealed import (
    JOB,
    JOB_BOARDS,
    JOB_COLUMNS,
    JOB_END,
    JOB_TOLD,
    check_job,
)
from tilework.core.storage.jobs import views as job_views
from tilework.core.storage.jobs.answers import read_answer
from tilework.core.storage.jobs.run_figures import with_figures, with_place
from tilework.core.storage.models import job
from tilework.core.storage.tasks.tasks import TaskRepository

EFFORT = ("nodes", "wall_s", "threshold", "covered", "engine")

_active = job.c.state.in_(ACTIVE_JOB_STATES)

_ACTIVE_OF = (
    select(*JOB_COLUMNS).where(job.c.solve_id == bindparam("solve_id"), _active).order_by(job.c.id)
)
_TWIN = (
    select(*JOB_COLUMNS)
    .where(
        job.c.solve_id == bindparam("solve_id"),
        _active,
        job.c.algorithm == bindparam("algorithm"),
        job.c.heuristic == bindparam("heuristic"),
        job.c.target == bindparam("target"),
        job.c.gap == bindparam("gap"),
    )
    .limit(1)
)
_END = (
    update(job)
    .where(job.c.id == bindparam("job_id"), _active)
    .values(
        state=bindparam("state"),
        version=job.c.version + 1,
        started_at=func.coalesce(job.c.started_at, bindparam("since", type_=Double)),
        finished_at=bindparam("finished_at"),
        lower_bound=bindparam("lower_bound"),
        upper_bound=bindparam("upper_bound"),
        message=bindparam("message"),
        end_seal=bindparam("end_seal"),
        told_seal=bindparam("told_seal"),
        **{name: bindparam(name) for name in EFFORT},
    )
    .returning(job.c.callback_url)
)
_among = job.c.id.in_(bindparam("ids", expanding=True))
_START = (
    update(job)
    .where(_among, job.c.state == JobState.QUEUED)
    .values(state=JobState.RUNNING, version=job.c.version + 1, started_at=bindparam("now"))
)
_MOVE = (
    update(job)
    .where(_among, _active)
    .values(
        queue=bindparam("to"),
        state=JobState.RUNNING,
        started_at=func.coalesce(job.c.started_at, bindparam("since", type_=Double)),
        version=job.c.version + 1,
    )
)
_UNFINISHED_OF = select(func.count()).where(_active, job.c.client_id == bindparam("client_id"))
_UNFINISHED = select(func.count()).where(_active)
_SOLVE_OF = select(job.c.solve_id).where(job.c.id == bindparam("id"))
_OF_SOLVE = (
    select(job.c.client_id)
    .where(job.c.solve_id == _SOLVE_OF.scalar_subquery())
    .limit(bindparam("most"))
    .subquery()
)
_CLIENT_OF = select(job.c.client_id).where(job.c.id == bindparam("id"))
_OTHERS = select(func.count()).where(_OF_SOLVE.c.client_id != _CLIENT_OF.scalar_subquery())


class StoredJobs:
    """Jobs of one connection."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._tasks = TaskRepository(connection)

    def add(self, jobs: Sequence[NewJob]) -> None:
        """Insert jobs; where one has ended already, its client is to be called."""
        if jobs:
            self._connection.execute(job.insert(), [_values(new) for new in jobs])
        for new in jobs:
            if new.callback_url is not None and new.finished_at is not None:
                self._tasks.add_call(new.id, new.callback_url, new.finished_at)

    def view(self, job_id: str, now: float, *, brief: bool = False) -> JobView | None:
        """Return a job for people; a brief view is without the boards."""
        statement = job_views.BRIEF if brief else job_views.VIEW
        row = self._connection.execute(statement, {"id": job_id}).first()
        if row is None:
            return None
        if row.queue == Queue.LAB:
            [found] = with_figures(self._connection, [job_views.job_view(row, now)])
            return with_place(self._connection, found)
        if row.state != JobState.QUEUED:
            return job_views.job_view(row, now)
        place = {"solve_id": row.solve_id, "queue": row.queue}
        ahead = self._connection.execute(job_views.AHEAD, place).scalar_one()
        return job_views.job_view(row, now, ahead)

    def version(self, job_id: str) -> str | None:
        """Return only the version of a job's view."""
        row = self._connection.execute(job_views.VERSION, {"id": job_id}).first()
        return None if row is None else job_views.version_text(*row)

    def of_client(
        self, client_id: str, most: int, before: str | None, now: float, cells: int
    ) -> list[JobView]:
        """Return a client's jobs, newest first, from before a job's id.

        Those with more cells than given are without their boards.
        """
        values: dict[str, object] = {"client_id": client_id, "most": most, "cells": cells}
        statement = job_views.OF_CLIENT
        if before is not None:
            statement, values["before"] = job_views.OF_CLIENT_BEFORE, before
        rows = self._connection.execute(statement, values)
        return with_figures(self._connection, [job_views.job_view(row, now) for row in rows])

    def among(self, ids: Collection[str], now: float, cells: int) -> list[JobView]:
        """Return jobs by their ids; those with more cells than given are without their boards."""
        if not ids:
            return []
        rows = self._connection.execute(job_views.AMONG, {"ids": list(ids), "cells": cells})
        return with_figures(self._connection, [job_views.job_view(row, now) for row in rows])

    def answer(self, job_id: str) -> Answer | None:
        """Return what a job's solution is made of.

        Raises
        ------
        UnavailableError
            If the solution is replaced again and again while it is read.
        """
        return read_answer(self._connection, job_id)

    def solve_of(self, job_id: str) -> str | None:
        """Return the id of a job's solve; None without a job or a solve."""
        return self._connection.execute(_SOLVE_OF, {"id": job_id}).scalar()

    def others(self, job_id: str, most: int) -> int:
        """Count the jobs of other clients on a job's solve, looking at so many at most."""
        return self._connection.execute(_OTHERS, {"id": job_id, "most": most}).scalar_one()

    def active_of(self, solve_id: str) -> list[ActiveJob]:
        """Return the unfinished jobs of a solve, oldest first."""
        rows = self._connection.execute(_ACTIVE_OF, {"solve_id": solve_id}).all()
        return [active_job(row) for row in rows]

    def twin_of(self, solve_id: str, other: ActiveJob) -> ActiveJob | None:
        """Return an unfinished job of a solve that asks for the same as another."""
        values = {
            "solve_id": solve_id,
            "algorithm": other.course.algorithm,
            "heuristic": other.course.heuristic,
            "target": other.target.kind,
            "gap": other.target.gap,
        }
        row = self._connection.execute(_TWIN, values).first()
        return None if row is None else active_job(row)

    def end(self, ending: Ending, now: float) -> None:
        """Give an unfinished job of a locked solve its last state, and have its client called."""
        values = {
            "job_id": ending.job.id,
            "state": ending.state,
            "finished_at": now,
            "lower_bound": ending.lower_bound,
            "upper_bound": ending.upper_bound,
            "message": ending.message,
            "since": ending.started_at,
            **_effort(ending.effort),
        }
        facts = values | {"id": ending.job.id}
        values["end_seal"], values["told_seal"] = (
            JOB_END.of_values(facts),
            JOB_TOLD.of_values(facts),
        )
        url = self._connection.execute(_END, values).scalar()
        if url is not None:
            self._tasks.add_call(ending.job.id, url, now)

    def start(self, ids: Collection[str], now: float) -> None:
        """Turn queued jobs of a locked solve into running ones."""
        self._connection.execute(_START, {"ids": list(ids), "now": now})

    def move(self, ids: Collection[str], queue: Queue, started_at: float) -> None:
        """Note that unfinished jobs of a locked solve were started and go on in another queue."""
        values = {"ids": list(ids), "to": queue, "since": started_at}
        self._connection.execute(_MOVE, values)

    def unfinished_of(self, client_id: str) -> int:
        """Count a client's unfinished jobs."""
        return self._connection.execute(_UNFINISHED_OF, {"client_id": client_id}).scalar_one()

    def unfinished(self) -> int:
        """Count the unfinished jobs of the whole service."""
        return self._connection.execute(_UNFINISHED).scalar_one()


def active_job(row: Row[*tuple[Any, ...]]) -> ActiveJob:
    """Read an unfinished job, of `JOB_COLUMNS`."""
    check_job(row)
    return ActiveJob(
        id=row.id,
        client_id=row.client_id,
        target=Target(TargetKind(row.target), row.gap),
        course=Course(row.algorithm, row.heuristic),
        deadline=row.deadline,
        state=JobState(row.state),
        queue=Queue(row.queue),
    )


def _effort(effort: Effort | None) -> dict[str, object]:
    return {name: None if effort is None else getattr(effort, name) for name in EFFORT}


def _values(new: NewJob) -> dict[str, object]:
    values = {
        "id": new.id,
        "client_id": new.client_id,
        "solve_id": new.solve_id,
        "batch_id": new.batch_id,
        "batch_index": new.batch_index,
        "width": new.width,
        "height": new.height,
        "metric": None if new.metric is Metric.MOVES else new.metric,
        "target": new.target.kind,
        "gap": new.target.gap,
        "algorithm": new.course.algorithm,
        "heuristic": new.course.heuristic,
        "time_limit_s": new.time_limit_s,
        "deadline": new.deadline,
        "queue": new.queue,
        "state": new.state,
        "cached": new.cached,
        "version": FIRST_VERSION,
        "lower_bound": new.lower_bound,
        "upper_bound": new.upper_bound,
        "created_at": new.created_at,
        "started_at": None,
        "finished_at": new.finished_at,
        "message": new.message,
        **_effort(new.effort),
        "callback_url": new.callback_url,
        "transform": new.transform,
        "board": new.board_bytes,
        "goal": new.goal_bytes,
    }
    ended = new.finished_at is not None
    seals = {
        "seal": JOB.of_values(values),
        "boards_seal": JOB_BOARDS.of_values(values),
        "end_seal": JOB_END.of_values(values) if ended else None,
        "told_seal": JOB_TOLD.of_values(values) if ended else None,
    }
    return values | seals
