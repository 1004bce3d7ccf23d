"""The results of the runs that answer jobs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from sqlalchemy import Connection, bindparam, func, literal, select

from tilework.core.model.endings import TIMED_OUT
from tilework.core.model.jobs import JobView
from tilework.core.model.lab.runs import NO_FIGURES, MethodRunView, Run
from tilework.core.model.states import JobState, Queue, RunState
from tilework.core.storage.models import job_run, task
from tilework.core.storage.tasks.rows import RUN, read_run

MAX_AHEAD = 1_000

_FIGURES = (
    select(job_run.c.job_id, *RUN)
    .join_from(job_run, task, job_run.c.run_id == task.c.id)
    .where(job_run.c.job_id.in_(bindparam("job_ids", expanding=True)))
)
_MOVES = (
    select(task.c.solutions)
    .join_from(job_run, task, job_run.c.run_id == task.c.id)
    .where(job_run.c.job_id == bindparam("job_id"))
)
_own_turn = (
    select(task.c.turn)
    .join_from(job_run, task, job_run.c.run_id == task.c.id)
    .where(job_run.c.job_id == bindparam("job_id"))
    .scalar_subquery()
)
_ahead = (
    select(literal(1).label("one"))
    .where(task.c.state == RunState.QUEUED, task.c.queue == Queue.LAB, task.c.turn < _own_turn)
    .limit(MAX_AHEAD)
    .subquery()
)
_AHEAD = select(func.count()).select_from(_ahead)


def add_run_results(connection: Connection, views: Sequence[JobView]) -> list[JobView]:
    """Return the views with the results of their runs, if any."""
    job_ids = [view.id for view in views if view.queue is Queue.LAB]
    if not job_ids:
        return list(views)
    runs = {}
    for job_id, *values in connection.execute(_FIGURES, {"job_ids": job_ids}):
        runs[job_id] = read_run(values)
    return [_add_run(view, runs[view.id]) if view.id in runs else view for view in views]


def add_queue_position(connection: Connection, view: JobView) -> JobView:
    """Return the view with the queue position of its run, if the job is queued."""
    if view.state is not JobState.QUEUED:
        return view
    ahead = connection.execute(_AHEAD, {"job_id": view.id}).scalar_one()
    return replace(view, queue_position=ahead)


def packed_moves(connection: Connection, job_id: str) -> bytes | None:
    """Return the packed solution of a job's run, for the given board."""
    return connection.execute(_MOVES, {"job_id": job_id}).scalar()


def _add_run(view: JobView, run: Run) -> JobView:
    # The run of a job that ended early may continue for another one.
    ended_early = view.state is JobState.CANCELLED or view.message == TIMED_OUT
    figures = NO_FIGURES if ended_early else run.figures
    method_run = MethodRunView(
        run.id, run.method, figures.length, figures.stopped_by, figures.statistics
    )
    return replace(view, run=method_run)
