"""Cancelling a job."""

from __future__ import annotations

from tilework.core.model.ids import foreign_job
from tilework.core.model.jobs import JobView
from tilework.core.services.farm.state_machine.events import JobCancelled
from tilework.core.services.farm.state_machine.machine import report_event
from tilework.core.storage.database import Database


class CancelJob:
    """Cancels jobs for their owners."""

    def __init__(self, storage: Database) -> None:
        self._storage = storage

    def __call__(self, job_id: str, client_id: str | None, *, brief: bool = False) -> JobView:
        """Cancel a job, unless it has ended; return its view, without boards if it is brief.

        Without a client, an operator cancels it.

        If its solve has no other jobs, waiting slices are parked and running ones stop within half
        a second.

        Raises NotFoundError, and ForbiddenError if the job belongs to another client.
        """
        job = self._view(job_id, brief=True)
        if client_id not in (None, job.client_id):
            raise foreign_job(job_id)
        if job.solve_id is not None:
            report_event(self._storage, job.solve_id, JobCancelled(job_id))
        return self._view(job_id, brief=brief)

    def _view(self, job_id: str, *, brief: bool) -> JobView:
        with self._storage.reading() as session:
            return session.job_views.view(job_id, brief=brief)
