"""Cancelling a comparison: runs that nobody else asks for end with it."""

from __future__ import annotations

from core.errors import ForbiddenError
from core.services.lab.read import ReadLab
from core.services.lab.views import ComparisonView
from core.services.ports import Storage


class CancelComparison:
    """Ends a comparison at its owner's wish."""

    def __init__(self, storage: Storage) -> None:
        self._storage = storage
        self._clock = storage.clock
        self._read = ReadLab(storage)

    def __call__(self, comparison_id: str, client_id: str) -> ComparisonView:
        """End a comparison as cancelled; one whose runs have all ended stays as it is.

        Its runs that others ask for too go on. The others end at once; a worker that is at one of
        them sees it within half a second.

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
                f"the comparison {comparison_id!r} belongs to somebody else; you can look only"
            )
        if view.finished or view.cancelled:
            return view
        now = self._clock()
        with self._storage.writing() as session:
            session.comparisons.lock(comparison_id)
            session.comparisons.set_cancelled(comparison_id, now)
            session.runs.cancel_unwanted(comparison_id, now)
        return self._read.view(comparison_id)
