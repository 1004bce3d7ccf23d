"""The ``job`` table: one row per request."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence

from sqlalchemy import Double, bindparam, func, select, update

from tilework.core.model.job_views import JobView
from tilework.core.model.jobs import Effort, Ending, Job, job_not_found
from tilework.core.model.solutions import StoredSolution
from tilework.core.model.states import ACTIVE_JOB_STATES, JobState, Queue
from tilework.core.puzzle.metric import Metric
from tilework.core.storage.damage.seals import (
    JOB,
    JOB_BOARDS,
    JOB_COLUMNS,
    JOB_END,
    JOB_TOLD,
)
from tilework.core.storage.jobs import views as job_views
from tilework.core.storage.jobs.answers import read_answer
from tilework.core.storage.jobs.run_figures import add_queue_position, add_run_results
from tilework.core.storage.jobs.views import read_job
from tilework.core.storage.models import job
from tilework.core.storage.repository import Repository
from tilework.core.storage.tasks.tasks import TaskRepository

EFFORT = Effort._fields

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


class JobRepository(Repository):
    """Jobs of one connection."""

    def add(self, jobs: Sequence[Job]) -> None:
        """Insert jobs; where one has ended already, its client is to be called."""
        if jobs:
            self._connection.execute(job.insert(), [_values(new) for new in jobs])
        for new in jobs:
            if new.finished_at is not None:
                self._call_back(new.id, new.callback_url, new.finished_at)

    def view(
        self, job_id: str, now: float, *, brief: bool = False, workers_since: float = math.inf
    ) -> JobView:
        """Return a job for people; a brief view is without the boards.

        Parameters
        ----------
        workers_since : float
            Those who were seen since then tell how long they need to get ready.

        Raises
        ------
        NotFoundError
            Here and below, if there is no such job.
        """
        statement = job_views.BRIEF if brief else job_views.VIEW
        row = self._connection.execute(statement, {"id": job_id, "since": workers_since}).first()
        if row is None:
            raise job_not_found(job_id)
        view = job_views.read_view(row, now)
        if view.queue is Queue.LAB:
            [view] = add_run_results(self._connection, [view])
            return add_queue_position(self._connection, view)
        return view

    def version(self, job_id: str) -> str:
        """Return only the version of a job's view."""
        row = self._connection.execute(job_views.VERSION, {"id": job_id}).first()
        if row is None:
            raise job_not_found(job_id)
        return job_views.read_version(row)

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
        return add_run_results(self._connection, [job_views.read_view(row, now) for row in rows])

    def among(self, ids: Collection[str], now: float, cells: int) -> list[JobView]:
        """Return jobs by their ids; those with more cells than given are without their boards."""
        if not ids:
            return []
        rows = self._connection.execute(job_views.AMONG, {"ids": list(ids), "cells": cells})
        return add_run_results(self._connection, [job_views.read_view(row, now) for row in rows])

    def answer(self, job_id: str) -> StoredSolution:
        """Return what a job's solution is made of.

        Raises
        ------
        UnavailableError
            If the solution is replaced again and again while it is read.
        """
        return read_answer(self._connection, job_id)

    def others(self, job_id: str, most: int) -> int:
        """Count the jobs of other clients on a job's solve, looking at so many at most."""
        return self._connection.execute(_OTHERS, {"id": job_id, "most": most}).scalar_one()

    def active_of(self, solve_id: str) -> list[Job]:
        """Return the unfinished jobs of a solve, oldest first."""
        rows = self._connection.execute(_ACTIVE_OF, {"solve_id": solve_id}).all()
        return [read_job(row) for row in rows]

    def find_twin(self, solve_id: str, other: Job) -> Job | None:
        """Return an unfinished job of a solve that asks for the same as another."""
        values = {
            "solve_id": solve_id,
            "algorithm": other.options.algorithm,
            "heuristic": other.options.heuristic,
            "target": other.options.target,
            "gap": other.options.gap or 0.0,
        }
        row = self._connection.execute(_TWIN, values).first()
        return None if row is None else read_job(row)

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
        self._call_back(ending.job.id, self._connection.execute(_END, values).scalar(), now)

    def _call_back(self, job_id: str, url: str | None, now: float) -> None:
        if url is not None:
            TaskRepository(self._connection).add_call(job_id, url, now)

    def start(self, ids: Collection[str], now: float) -> None:
        """Turn queued jobs of a locked solve into running ones."""
        self._connection.execute(_START, {"ids": list(ids), "now": now})

    def move(self, ids: Collection[str], queue: Queue, started_at: float) -> None:
        """Note that unfinished jobs of a locked solve were started and go on in another queue."""
        values = {"ids": list(ids), "to": queue, "since": started_at}
        self._connection.execute(_MOVE, values)

    def count_unfinished_by(self, client_id: str) -> int:
        """Count a client's unfinished jobs."""
        return self._connection.execute(_UNFINISHED_OF, {"client_id": client_id}).scalar_one()

    def unfinished(self) -> int:
        """Count the unfinished jobs of the whole service."""
        return self._connection.execute(_UNFINISHED).scalar_one()


def _effort(effort: Effort | None) -> dict[str, object]:
    return dict.fromkeys(EFFORT) if effort is None else effort._asdict()


def _values(new: Job) -> dict[str, object]:
    options = new.options
    values = {
        "id": new.id,
        "client_id": new.client_id,
        "solve_id": new.solve_id,
        "batch_id": new.batch_id,
        "batch_index": new.batch_index,
        "width": new.width,
        "height": new.height,
        "metric": None if options.metric is Metric.MOVES else options.metric,
        "target": options.target,
        "gap": options.gap or 0.0,
        "algorithm": options.algorithm,
        "heuristic": options.heuristic,
        "time_limit_s": options.time_limit_s,
        "deadline": new.deadline,
        "queue": new.queue,
        "state": new.state,
        "cached": new.cached,
        "version": new.revision,
        "lower_bound": new.lower_bound,
        "upper_bound": new.upper_bound,
        "created_at": new.created_at,
        "started_at": new.started_at,
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
