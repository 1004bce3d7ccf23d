"""Cancelling a job: a flag in the database that slices look at."""

from __future__ import annotations

from core.errors import ForbiddenError, NotFoundError
from core.services.closing import close_jobs
from core.services.ports import Storage
from core.services.records import Ending
from core.services.repositories import Session
from core.services.states import JobState
from core.services.views import JobView


class CancelJob:
    """Ends a job at its owner's wish."""

    def __init__(self, storage: Storage) -> None:
        self._storage = storage
        self._clock = storage.clock

    def __call__(self, job_id: str, client_id: str) -> JobView:
        """End a job as cancelled; one that has ended stays as it is.

        Once nobody asks for its solve any more, slices that wait are parked, and those that run
        see it within half a second.

        Raises
        ------
        NotFoundError
            If there is no such job.
        ForbiddenError
            If it belongs to another client.
        """
        with self._storage.reading() as session:
            owner = _owner(session.jobs.view(job_id, self._clock()), job_id)
            solve_id = session.jobs.solve_of(job_id)
        if owner != client_id:
            raise ForbiddenError(f"the job {job_id!r} belongs to somebody else; you can look only")
        if solve_id is not None:
            with self._storage.writing() as session:
                self._cancel(session, solve_id, job_id)
        with self._storage.reading() as session:
            view = session.jobs.view(job_id, self._clock())
        if view is None:
            raise NotFoundError(f"there is no job {job_id!r}")
        return view

    def _cancel(self, session: Session, solve_id: str, job_id: str) -> None:
        now = self._clock()
        solve = session.solves.lock(solve_id)
        for job in session.jobs.active_of(solve_id):
            if job.id == job_id:
                end = Ending(
                    job, JobState.CANCELLED, solve.lower_bound, solve.upper_bound, None, None
                )
                session.jobs.end(end, now)
                session.solves.save(close_jobs(session, solve, now), now)


def _owner(view: JobView | None, job_id: str) -> str:
    if view is None:
        raise NotFoundError(f"there is no job {job_id!r}")
    return view.client_id
