"""Cancelling a job: a state in the database that slices check."""

from __future__ import annotations

from functools import partial

from tilework.core.errors import ForbiddenError, NotFoundError
from tilework.core.model.job_views import JobView
from tilework.core.model.jobs import no_job
from tilework.core.services.farm.life.events import Cancelled
from tilework.core.services.farm.life.settle import Lives
from tilework.core.services.farm.trust.mending import Mending
from tilework.core.services.jobs.run_jobs import cancel_one
from tilework.core.settings import Settings
from tilework.core.storage.database import Database


class CancelJob:
    """Ends a job at its owner's request."""

    def __init__(self, storage: Database, settings: Settings) -> None:
        self._storage = storage
        self._mending = Mending(storage, settings)
        self._lives = Lives(storage, settings)
        self._clock = storage.clock

    def __call__(self, job_id: str, client_id: str, *, brief: bool = False) -> JobView:
        """End a job as cancelled; one that has ended stays as it is.

        Once nobody asks for its solve any more, waiting slices are parked, and those under way stop
        within half a second.

        Parameters
        ----------
        brief : bool
            Whether the view is to be without the boards.

        Raises
        ------
        NotFoundError
            If there is no such job.
        ForbiddenError
            If it belongs to another client.
        """
        now = self._clock()

        def view(*, brief: bool) -> JobView:
            with self._storage.reading() as session:
                found = session.jobs.view(job_id, now, brief=brief)
            if found is None:
                raise NotFoundError(no_job(job_id))
            return found

        owner = self._mending.run(lambda: view(brief=True)).client_id
        with self._storage.reading() as session:
            solve_id, run_id = session.jobs.solve_of(job_id), session.job_runs.run_of(job_id)
        if owner != client_id:
            raise ForbiddenError(
                "foreign-job",
                "the job {id!r} belongs to somebody else; you can only view it",
                id=job_id,
            )
        if solve_id is not None:
            self._lives.tell(solve_id, Cancelled(job_id))
        elif run_id is not None:
            self._mending.run(partial(self._cancel_one, run_id, job_id))
        return self._mending.run(lambda: view(brief=brief))

    def _cancel_one(self, run_id: str, job_id: str) -> None:
        now = self._clock()
        with self._storage.writing() as session:
            cancel_one(session, run_id, job_id, now)
