"""The storage's port for analyses."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, Protocol

from tilework.core.model.leases import Holder, Lease
from tilework.core.model.questions import (
    AnalysisClaim,
    AnalysisEnd,
    AnalysisStanding,
    AnalysisView,
    Answer,
    Kind,
    KnownAnalysis,
    NewAnalysis,
)
from tilework.core.model.states import Queue


class Analyses(Protocol):
    """One row an analysis."""

    def obtain(self, new: NewAnalysis, now: float) -> KnownAnalysis:
        """Return the one analysis of a client and a key, locked; a new one waits."""

    def queue(self, analysis_id: str, turn: float, now: float) -> None:
        """Let a locked analysis that failed or was cancelled wait for its turn again."""

    def lock(self, analysis_id: str) -> KnownAnalysis | None:
        """Return an analysis, locked until the transaction ends."""

    def claim(self, queue: Queue, holder: Holder, now: float) -> AnalysisClaim | None:
        """Lease the analysis whose turn it is in a queue, past those that others have locked."""

    def renew(self, lease: Lease, until: float) -> None:
        """Renew a lease that is still held."""

    def held(self, lease: Lease) -> bool:
        """Whether a lease is still held: not so once the analysis was cancelled."""

    def overdue(self, lease: Lease, now: float) -> bool:
        """Whether a lease has run out, and stays so until the transaction ends."""

    def release(self, lease: Lease, now: float) -> None:
        """Give an analysis back; the attempt is not counted."""

    def retry(self, lease: Lease, now: float) -> None:
        """Let an analysis wait again after an attempt that came to nothing."""

    def tell(self, lease: Lease, standing: AnalysisStanding, now: float) -> None:
        """Store how far an analysis has come, where the lease is held."""

    def finish(self, lease: Lease, end: AnalysisEnd, now: float) -> bool:
        """Store how an analysis ended; False where the lease is lost."""

    def cancel(self, analysis_id: str, now: float) -> None:
        """End a locked analysis that has not ended."""

    def expired(self, now: float) -> list[Lease]:
        """Return leases that ran out, at most 100."""

    def unfinished_of(self, client_id: str) -> int:
        """Count a client's unfinished analyses."""

    def unfinished(self) -> int:
        """Count the unfinished analyses of the whole service."""

    def ready(self, queue: Queue) -> int:
        """Count the analyses that wait in a queue."""

    def view(self, kind: Kind, analysis_id: str) -> AnalysisView[Any] | None:
        """Return an analysis of a kind.

        Raises
        ------
        DamagedRowError
            Here and in `answer`, if its result is not what was written.
        """

    def version(self, kind: Kind, analysis_id: str) -> str | None:
        """Return only the version of an analysis's view."""

    def answer(self, analysis_id: str) -> Answer | None:
        """Return the whole answer of an analysis; None where there is none."""

    def of_client(self, kind: Kind, client_id: str, most: int) -> list[AnalysisView[Any]]:
        """Return a client's analyses of a kind, newest first, without their results."""

    def among(self, ids: Collection[str]) -> list[AnalysisView[Any]]:
        """Return analyses of any kind by their ids, without their results."""
