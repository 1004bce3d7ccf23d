"""How jobs end that a run of the lab answers.

They end with their run, but for those that are cancelled or have waited too long before; then the
run ends, too, unless somebody else asks for it. Unless the search is one that ends with a shortest
solution only, such a job's lower bound is what is proved without any search.
"""

from __future__ import annotations

from tilework.core.messages import Message
from tilework.core.model.jobs import TIME_OVER, Effort, Ending, Job
from tilework.core.model.states import JobState
from tilework.core.storage.session import Session


def cancel_job(session: Session, run_id: str, job_id: str, now: float) -> None:
    """End a job because its client asks for it; one that has ended stays as it is."""
    session.tasks.lock(run_id)
    for job in session.job_runs.unfinished(run_id):
        if job.id == job_id:
            session.job_runs.end(_ending(session, run_id, job, JobState.CANCELLED), now)
    session.comparisons.cancel_unwanted([run_id], now)


def expire_jobs(session: Session, run_id: str, now: float) -> None:
    """End the jobs of a run that have waited for as long as any job may take."""
    session.tasks.lock(run_id)
    for job in session.job_runs.unfinished(run_id):
        if job.deadline <= now:
            late = _ending(session, run_id, job, JobState.EXPIRED, TIME_OVER)
            session.job_runs.end(late, now)
    session.comparisons.cancel_unwanted([run_id], now)


def _ending(
    session: Session, run_id: str, job: Job, state: JobState, message: Message | None = None
) -> Ending:
    nothing = Effort(0, 0.0, None, 0.0, None)
    return Ending(job, state, run_lower_bound(session, run_id), None, message, None, nothing)


def run_lower_bound(session: Session, run_id: str) -> int:
    """Return what is proved of a run's board without any search.

    Raises
    ------
    DamagedRowError
        If the run cannot be read.
    """
    spec = session.comparisons.spec(run_id)
    return spec.start.manhattan(spec.goal)
