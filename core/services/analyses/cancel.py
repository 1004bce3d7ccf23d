"""Cancelling an analysis at its owner's request."""

from __future__ import annotations

from typing import Generic

from tilework.core.errors import ForbiddenError
from tilework.core.model.questions import AnalysisView, S
from tilework.core.services.analyses.read import ReadAnalyses
from tilework.core.storage.database import Database


class CancelAnalysis(Generic[S]):
    """Ends analyses of one kind: those that are read so."""

    def __init__(self, storage: Database, read: ReadAnalyses[S]) -> None:
        self._storage = storage
        self._clock = storage.clock
        self._read: ReadAnalyses[S] = read

    def __call__(self, analysis_id: str, client_id: str) -> AnalysisView[S]:
        """End an analysis as cancelled; one that has ended stays as it is.

        A worker on it notices within half a second.

        Raises
        ------
        NotFoundError
            If there is no such analysis.
        ForbiddenError
            If it belongs to another client.
        """
        view = self._read.view(analysis_id)
        if view.client_id != client_id:
            raise ForbiddenError(
                "foreign-analysis",
                "the analysis {id!r} belongs to somebody else; you can only view it",
                id=analysis_id,
            )
        if view.finished:
            return view
        with self._storage.writing() as session:
            # It may have ended since it was read.
            found = session.analyses.lock(analysis_id)
            if found is not None and not found.state.ended:
                session.analyses.cancel(analysis_id, self._clock())
        return self._read.view(analysis_id)
