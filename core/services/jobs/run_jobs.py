"""How jobs end that a run of the lab answers.

They end with their run, but for those that are cancelled or have waited too long before; then the
run ends, too, unless somebody else asks for it. Unless the search is one that ends with a shortest
solution only, such a job's lower bound is what is proved without any search.
"""

from __future__ import annotations

from dataclasses import dataclass

from tilework.core.messages import Message
from tilework.core.model.jobs import TIME_OVER, Effort, Ending, Job
from tilework.core.model.states import JobState
from tilework.core.storage.session import Session


@dataclass(frozen=True, slots=True)
class RunJobEnd:
    """How jobs end.

    Attributes
    ----------
    lower_bound, upper_bound : int, int or None
        The second is the length of the run's solution.
    """

    state: JobState
    lower_bound: int
    upper_bound: int | None = None
    message: Message | None = None
    nodes: int = 0
    seconds: float = 0.0

    @property
    def effort(self) -> Effort:
        """What the run has taken."""
        return Effort(self.nodes, self.seconds, None, 0.0, None)


def end_all(session: Session, run_id: str, end: RunJobEnd, now: float) -> None:
    """End the unfinished jobs of a locked run."""
    for job in session.job_runs.unfinished(run_id):
        _end(session, job, end, now)


def cancel_one(session: Session, run_id: str, job_id: str, now: float) -> None:
    """End a job because its client asks for it; one that has ended stays as it is."""
    session.tasks.lock(run_id)
    end = RunJobEnd(JobState.CANCELLED, manhattan_of(session, run_id))
    for job in session.job_runs.unfinished(run_id):
        if job.id == job_id:
            _end(session, job, end, now)
    session.comparisons.cancel_unwanted([run_id], now)


def end_due(session: Session, run_id: str, now: float) -> None:
    """End the jobs of a run that have waited for as long as any job may take."""
    session.tasks.lock(run_id)
    end = RunJobEnd(JobState.EXPIRED, manhattan_of(session, run_id), message=TIME_OVER)
    for job in session.job_runs.unfinished(run_id):
        if job.deadline <= now:
            _end(session, job, end, now)
    session.comparisons.cancel_unwanted([run_id], now)


def _end(session: Session, job: Job, end: RunJobEnd, now: float) -> None:
    bounds = (end.lower_bound, end.upper_bound)
    session.job_runs.end(Ending(job, end.state, *bounds, end.message, None, end.effort), now)


def manhattan_of(session: Session, run_id: str) -> int:
    """Return what is proved of a run's board without any search.

    Raises
    ------
    DamagedRowError
        If the run cannot be read.
    """
    spec = session.comparisons.spec(run_id)
    return spec.start.manhattan(spec.goal)
