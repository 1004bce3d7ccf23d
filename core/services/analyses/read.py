"""Reading analyses, and waiting for them."""

from __future__ import annotations

from functools import partial
from typing import Final, Generic

from tilework.core.errors import NotFoundError
from tilework.core.model.jobs import MOST_QUOTED
from tilework.core.model.questions import AnalysisView, Kind, S
from tilework.core.services.analyses.answers import check_document_of
from tilework.core.services.farm.trust.mending import Mending
from tilework.core.services.waiting import await_change
from tilework.core.settings import Settings
from tilework.core.storage.database import Database

MOST_ANALYSES: Final = 100


class ReadAnalyses(Generic[S]):
    """Read-only access to analyses of one kind.

    Parameters
    ----------
    storage : Database
    asked : type
        Of what is asked: ``GameSpec`` or ``WaysSpec``.
    """

    def __init__(self, storage: Database, asked: type[S], settings: Settings) -> None:
        self._storage = storage
        self._mending = Mending(storage, settings)
        self._kind = asked.kind

    def view(self, analysis_id: str) -> AnalysisView[S]:
        """Return an analysis as it stands.

        One whose result is not what was written waits to be made anew.

        Raises
        ------
        NotFoundError
            Here and below, if there is no such analysis of this kind.
        ReplayError
            If a stored way does not lead to the goal.
        """
        found = self._mending.run(partial(self._find, analysis_id))
        if found.result is not None:
            check_document_of(found.spec, found.result)
        return found

    def version(self, analysis_id: str) -> str:
        """Return only the version of an analysis's view, at a fraction of its cost."""
        with self._storage.reading() as session:
            version = session.analyses.version(self._kind, analysis_id)
        if version is None:
            raise no_analysis(self._kind, analysis_id)
        return version

    def wait(self, analysis_id: str, version: str, seconds: float) -> AnalysisView[S]:
        """Return the view as soon as its version differs, or after this many seconds."""
        await_change(partial(self.version, analysis_id), version, seconds)
        return self.view(analysis_id)

    def of_client(self, client_id: str, limit: int = 20) -> list[AnalysisView[S]]:
        """Return a client's analyses without their results, newest first, at most 100."""

        def look() -> list[AnalysisView[S]]:
            with self._storage.reading() as session:
                return session.analyses.of_client(self._kind, client_id, min(limit, MOST_ANALYSES))

        return self._mending.run(look)

    def _find(self, analysis_id: str) -> AnalysisView[S]:
        with self._storage.reading() as session:
            found: AnalysisView[S] | None = session.analyses.view(self._kind, analysis_id)
        if found is None:
            raise no_analysis(self._kind, analysis_id)
        return found


def no_analysis(kind: Kind, analysis_id: str) -> NotFoundError:
    """Return the error for an analysis that is not there."""
    quoted = analysis_id[:MOST_QUOTED]
    if kind is Kind.WAYS:
        return NotFoundError("no-ways", "there is no search for ways {id!r}", id=quoted)
    return NotFoundError("no-analysis", "there is no analysis {id!r}", id=quoted)
