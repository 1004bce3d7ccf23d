"""Reading analyses of games, and waiting for them."""

from __future__ import annotations

from functools import partial
from typing import Final

from tilework.core.errors import NotFoundError
from tilework.core.services.analyses.records import AnalysisView
from tilework.core.services.jobs.phrases import MOST_QUOTED
from tilework.core.services.ports import Storage
from tilework.core.services.waiting import await_change
from tilework.core.solver.analysis.document import check_ways
from tilework.core.solver.analysis.game import Game

MOST_ANALYSES: Final = 100


class ReadAnalyses:
    """Read-only access to analyses."""

    def __init__(self, storage: Storage) -> None:
        self._storage = storage

    def view(self, analysis_id: str) -> AnalysisView:
        """Return an analysis as it stands.

        Raises
        ------
        NotFoundError
            Here and below, if there is no such analysis.
        ReplayError
            If a stored way does not lead to the goal.
        """
        with self._storage.reading() as session:
            found = session.analyses.view(analysis_id)
        if found is None:
            raise _no_analysis(analysis_id)
        if found.result is not None:
            spec = found.spec
            check_ways(Game(spec.start, spec.goal, spec.moves), found.result)
        return found

    def version(self, analysis_id: str) -> str:
        """Return only the version of an analysis's view, at a fraction of its cost."""
        with self._storage.reading() as session:
            version = session.analyses.version(analysis_id)
        if version is None:
            raise _no_analysis(analysis_id)
        return version

    def wait(self, analysis_id: str, version: str, seconds: float) -> AnalysisView:
        """Return the view as soon as its version differs, or after this many seconds."""
        await_change(partial(self.version, analysis_id), version, seconds)
        return self.view(analysis_id)

    def of_client(self, client_id: str, limit: int = 20) -> list[AnalysisView]:
        """Return a client's analyses without their results, newest first, at most 100."""
        with self._storage.reading() as session:
            return session.analyses.of_client(client_id, min(limit, MOST_ANALYSES))


def _no_analysis(analysis_id: str) -> NotFoundError:
    return NotFoundError("no-analysis", "there is no analysis {id!r}", id=analysis_id[:MOST_QUOTED])
