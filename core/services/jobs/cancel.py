"""Cancelling a job: a state in the database that slices check."""

from __future__ import annotations

from core.errors import ForbiddenError, NotFoundError
from core.services.farm.life.events import Cancelled
from core.services.farm.life.settle import Lives
from core.services.jobs.phrases import no_job
from core.services.jobs.views import JobView
from core.services.ports import Storage
from core.settings import Settings


class CancelJob:
    """Ends a job at its owner's request."""

    def __init__(self, storage: Storage, settings: Settings) -> None:
        self._storage = storage
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
        with self._storage.reading() as session:
            owner = _owner(session.jobs.view(job_id, now, brief=True), job_id)
            solve_id = session.jobs.solve_of(job_id)
        if owner != client_id:
            raise ForbiddenError(
                "foreign-job",
                "the job {id!r} belongs to somebody else; you can only view it",
                id=job_id,
            )
        if solve_id is not None:
            self._lives.tell(solve_id, Cancelled(job_id))
        with self._storage.reading() as session:
            view = session.jobs.view(job_id, now, brief=brief)
        if view is None:
            raise NotFoundError(no_job(job_id))
        return view


def _owner(view: JobView | None, job_id: str) -> str:
    if view is None:
        raise NotFoundError(no_job(job_id))
    return view.client_id
