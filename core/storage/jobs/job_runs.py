"""The ``job_run`` table: jobs that are answered by runs of the lab."""

from __future__ import annotations

from sqlalchemy import bindparam, insert, select, update

from tilework.core.model.jobs import Job
from tilework.core.model.states import ACTIVE_JOB_STATES, JobState
from tilework.core.storage.damage.checksums import JOB_COLUMNS
from tilework.core.storage.jobs.rows import read_job
from tilework.core.storage.models import job, job_run
from tilework.core.storage.repository import Repository

_active = job.c.state.in_(ACTIVE_JOB_STATES)
_of_run = job_run.c.run_id == bindparam("of_run")
_ADD = insert(job_run)
_UNFINISHED = (
    select(*JOB_COLUMNS)
    .join_from(job_run, job, job_run.c.job_id == job.c.id)
    .where(_of_run, _active)
    .order_by(job.c.id)
)
_START = (
    update(job)
    .where(
        job.c.id.in_(select(job_run.c.job_id).where(_of_run)),
        job.c.state == JobState.QUEUED,
    )
    .values(state=JobState.RUNNING, version=job.c.version + 1, started_at=bindparam("now"))
)
_DUE = (
    select(job_run.c.run_id)
    .join_from(job, job_run, job_run.c.job_id == job.c.id)
    .where(_active, job.c.deadline <= bindparam("now"))
    .limit(100)
)


class JobRunRepository(Repository):
    """Jobs that are answered by runs."""

    def add(self, job_id: str, run_id: str) -> None:
        """Assign a locked run to a job."""
        self._connection.execute(_ADD, {"job_id": job_id, "run_id": run_id})

    def unfinished(self, run_id: str) -> list[Job]:
        """Return the unfinished jobs of a locked run, oldest first."""
        return [read_job(row) for row in self._connection.execute(_UNFINISHED, {"of_run": run_id})]

    def start(self, run_id: str, now: float) -> None:
        """Change the queued jobs of a locked run to running."""
        self._connection.execute(_START, {"of_run": run_id, "now": now})

    def due(self, now: float) -> list[str]:
        """Return the ids of up to 100 runs with a job past its deadline."""
        return list(dict.fromkeys(self._connection.execute(_DUE, {"now": now}).scalars()))
