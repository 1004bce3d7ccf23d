"""Working on analyses: claim a question, answer it, store what came of it."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from contextlib import AbstractContextManager
from functools import partial
from typing import Final, Protocol

from tilework.core.model.leases import Holder, Lease, kept
from tilework.core.model.questions import (
    AnalysisClaim,
    AnalysisEnd,
    AnalysisStanding,
    Answer,
    Spec,
)
from tilework.core.model.states import Queue, RunState
from tilework.core.search.limits import Limits
from tilework.core.services.analyses.answers import check
from tilework.core.services.analyses.setbacks import report_error
from tilework.core.services.working import WorkReport, work_in_turn
from tilework.core.settings import Settings
from tilework.core.storage.database import Database

TICK_S: Final = 0.4
"""Between two looks at the database; an analysis that is done by then costs none."""

_log = logging.getLogger(__name__)


class Analyst(Protocol):
    """Answers questions."""

    def answer(
        self, spec: Spec, limits: Limits, tell: Callable[[AnalysisStanding], object]
    ) -> Answer | None:
        """Answer one, within limits, and tell how far that is; None where it was cancelled."""


class AnalysisWork:
    """One worker's work on the analyses of one queue; not to be shared by threads."""

    def __init__(
        self, storage: Database, settings: Settings, analyst: Analyst, queue: Queue
    ) -> None:
        self._storage = storage
        self._settings = settings
        self._queue = queue
        self._analyst = analyst
        self._clock = storage.clock

    def serve(self, owner: str, stopping: Callable[[], bool]) -> WorkReport:
        """Answer what waits, one after the other, until nothing waits or a second is over.

        Parameters
        ----------
        owner : str
            Who holds the leases: a name that no other worker has at the same time.
        stopping : callable
            Once it is True, this returns soon, and what was under way waits again.
        """
        return work_in_turn(
            partial(self._claim, owner),
            lambda claim: self._work_on(claim, stopping),
            stopping,
            self._settings.run_s,
        )

    def _claim(self, owner: str) -> AnalysisClaim | None:
        with self._storage.reading() as session:
            if not session.analyses.ready(self._queue):
                return None
        now = self._clock()
        with self._storage.writing() as session:
            holder = Holder(owner, now + self._settings.lease_s)
            return session.analyses.claim(self._queue, holder, now)

    def _work_on(self, claim: AnalysisClaim, stopping: Callable[[], bool]) -> None:
        hold = _Hold(self._storage, self._settings, claim.lease)

        def cancelled() -> bool:
            return stopping() or hold.lost.is_set()

        spec, lease = claim.spec, claim.lease
        try:
            with hold.kept():
                limits = Limits(seconds=spec.seconds, cancelled=cancelled)
                answer = self._analyst.answer(spec, limits, hold.told)
                if answer is not None:
                    check(spec, answer)
        except Exception as error:  # a search may fail in any way; the worker goes on
            _log.exception("analysis %s failed", lease.id)
            with self._storage.writing() as session:
                report_error(session, lease, error, self._clock())
            return
        with self._storage.writing() as session:
            if answer is None:
                session.analyses.release(lease, self._clock())
            else:
                end = AnalysisEnd(RunState.DONE, answer)
                session.analyses.finish(lease, end, self._clock())


class _Hold:
    """The lease of an analysis under way, and how far it has come."""

    def __init__(self, storage: Database, settings: Settings, lease: Lease) -> None:
        self.lost = threading.Event()
        self._storage = storage
        self._lease_s = settings.lease_s
        self._lease = lease
        self._standing: AnalysisStanding | None = None
        self._stored: AnalysisStanding | None = None

    def told(self, standing: AnalysisStanding) -> None:
        """Note how far the analysis has come; the keeper's thread stores it."""
        self._standing = standing

    def kept(self) -> AbstractContextManager[None]:
        """Keep the lease until the end of the block; it is lost once the analysis is cancelled."""
        return kept(self._look, self._renew, lease_s=self._lease_s, first_pause_s=TICK_S)

    def _look(self) -> float:
        with self._storage.reading() as session:
            if not session.analyses.held(self._lease):
                self.lost.set()
        standing = self._standing
        if standing not in (None, self._stored) and not self.lost.is_set():
            with self._storage.writing() as session:
                session.analyses.tell(self._lease, standing, self._storage.clock())
            self._stored = standing
        return TICK_S

    def _renew(self) -> None:
        until = self._storage.clock() + self._lease_s
        with self._storage.writing() as session:
            session.analyses.renew(self._lease, until)
