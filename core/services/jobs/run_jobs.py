"""Ending jobs that are answered by runs of the lab.

They end with their run, or earlier if they are cancelled or expire. Their run is then cancelled
too, unless another job or comparison needs it.
"""

from __future__ import annotations

from tilework.core.messages import Message
from tilework.core.model.endings import TIMED_OUT, Ending
from tilework.core.model.farm.solves import Bounds
from tilework.core.model.jobs import Effort, Job
from tilework.core.model.states import JobState
from tilework.core.storage.session import Session


def cancel_job(session: Session, run_id: str, job_id: str, now: float) -> None:
    """Cancel a job, unless it has already ended."""
    session.tasks.lock(run_id)
    for job in session.job_runs.unfinished(run_id):
        if job.id == job_id:
            session.jobs.end(_ending(session, run_id, job, JobState.CANCELLED), now)
    session.comparisons.cancel_unwanted([run_id], now)


def expire_jobs(session: Session, run_id: str, now: float) -> None:
    """End the jobs of a run that are past their deadline."""
    session.tasks.lock(run_id)
    for job in session.job_runs.unfinished(run_id):
        if job.deadline <= now:
            session.jobs.end(_ending(session, run_id, job, JobState.EXPIRED, TIMED_OUT), now)
    session.comparisons.cancel_unwanted([run_id], now)


def _ending(
    session: Session, run_id: str, job: Job, state: JobState, message: Message | None = None
) -> Ending:
    no_effort = Effort(0, 0.0, None, 0.0, None)
    bounds = Bounds(run_lower_bound(session, run_id))
    return Ending(job, state, bounds, message, None, no_effort)


def run_lower_bound(session: Session, run_id: str) -> int:
    """Return the lower bound of a run's board without any search."""
    spec = session.comparisons.spec(run_id)
    return spec.start.manhattan(spec.goal)
