"""Cancelling a comparison: runs that nobody else asks for end with it."""

from __future__ import annotations

from tilework.core.errors import ForbiddenError
from tilework.core.model.comparisons import ComparisonView
from tilework.core.services.lab.read import ReadLab
from tilework.core.settings import Settings
from tilework.core.storage.database import Database
from tilework.core.storage.session import Session


class CancelComparison:
    """Ends a comparison at its owner's request."""

    def __init__(self, storage: Database, settings: Settings) -> None:
        self._storage = storage
        self._clock = storage.clock
        self._read = ReadLab(storage, settings)

    def __call__(self, comparison_id: str, client_id: str) -> ComparisonView:
        """End a comparison as cancelled; one whose runs have all ended stays as it is.

        Its runs that others ask for too go on. The others end at once; a worker on one of them
        notices within half a second.

        Raises
        ------
        NotFoundError
            If there is no such comparison.
        ForbiddenError
            If it belongs to another client.
        """
        view = self._read.view(comparison_id)
        if view.client_id != client_id:
            raise ForbiddenError(
                "foreign-comparison",
                "the comparison {id!r} belongs to somebody else; you can only view it",
                id=comparison_id,
            )
        if view.finished or view.cancelled:
            return view
        with self._storage.writing() as session:
            self._cancel(session, comparison_id)
        return self._read.view(comparison_id)

    def _cancel(self, session: Session, comparison_id: str) -> None:
        """Decide anew under lock: the last run may have ended since the comparison was read."""
        comparison = session.comparisons.lock(comparison_id)
        unfinished = session.runs.lock_unfinished(comparison_id)
        if comparison is None or comparison.cancelled_at is not None or not unfinished:
            return
        now = self._clock()
        session.comparisons.set_cancelled(comparison_id, now)
        session.runs.cancel_unwanted(unfinished, now)
