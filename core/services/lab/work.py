"""Working in the lab: claim a run, run it, store the result."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from contextlib import AbstractContextManager
from functools import partial
from typing import Protocol

from tilework.core.errors import InputError
from tilework.core.lab.method import Method
from tilework.core.lab.result import RunResult
from tilework.core.lab.trace import TraceWindow
from tilework.core.model.leases import Holder, Lease, kept
from tilework.core.model.runs import RunClaim, RunEnd
from tilework.core.model.states import RunState
from tilework.core.puzzle.board import Board
from tilework.core.puzzle.replay import replay
from tilework.core.search.limits import Limits, StopReason
from tilework.core.services.farm.trust.mending import Mending
from tilework.core.services.lab.endings import finish
from tilework.core.services.lab.setbacks import report_error
from tilework.core.services.working import WorkReport, work_in_turn
from tilework.core.settings import Settings
from tilework.core.storage.database import Database

# Seconds between two looks at the database; a run that is done by then costs none.
TICK_S = 0.4

_log = logging.getLogger(__name__)


class LabRunner(Protocol):
    """Runs textbook searches."""

    def run(
        self, start: Board, goal: Board, method: Method, limits: Limits, window: TraceWindow | None
    ) -> RunResult:
        """Run a method on a board, be it solvable or not.

        Raises
        ------
        OptionError
            If the method is not offered for boards of this size.
        """


class LabWork:
    """One worker's work in the lab; not to be shared by threads."""

    def __init__(self, storage: Database, settings: Settings, runner: LabRunner) -> None:
        self._storage = storage
        self._settings = settings
        self._runner = runner
        self._clock = storage.clock
        self._mending = Mending(storage, settings)

    def serve(self, owner: str, stopping: Callable[[], bool]) -> WorkReport:
        """Run what waits, one run after the other, until nothing waits or a second is over.

        Parameters
        ----------
        owner : str
            Who holds the leases: a name that no other worker has at the same time.
        stopping : callable
            Once it is True, this returns soon, and the run that was under way waits again.
        """
        return work_in_turn(
            partial(self._claim, owner),
            lambda claim: self._run(claim, stopping),
            stopping,
            self._settings.run_s,
        )

    def _claim(self, owner: str) -> RunClaim | None:
        with self._storage.reading() as session:
            if not session.runs.some_ready():
                return None
        now = self._clock()
        with self._storage.writing() as session:
            claim = session.runs.claim(Holder(owner, now + self._settings.lease_s), now)
            if claim is not None:
                session.job_runs.start(claim.lease.id, now)
            return claim

    def _keeping(self, lease: Lease, lost: threading.Event) -> AbstractContextManager[None]:
        """Keep a run's lease; it is also lost once nobody asks for the run any more."""

        def look() -> float:
            with self._storage.reading() as session:
                if not session.runs.held(lease):
                    lost.set()
            return TICK_S

        def renew() -> None:
            until = self._clock() + self._settings.lease_s
            with self._storage.writing() as session:
                session.runs.renew(lease, until)

        return kept(look, renew, lease_s=self._settings.lease_s, first_pause_s=TICK_S)

    def _run(self, claim: RunClaim, stopping: Callable[[], bool]) -> None:
        lost = threading.Event()

        def cancelled() -> bool:
            return stopping() or lost.is_set()

        try:
            with self._keeping(claim.lease, lost):
                result = self._search(claim, cancelled)
        except InputError as error:
            end = RunEnd(RunState.FAILED, message=error.message)
            self._mending.run(partial(self._finish, claim.lease, end))
        except Exception as error:  # a search may fail in any way; the worker goes on
            _log.exception("run %s failed", claim.lease.id)
            self._mending.run(partial(self._report, claim.lease, error))
        else:
            # A finished search may still have been stopped while its trace was recorded.
            if result.stopped_by is StopReason.CANCELLED or (result.trace and cancelled()):
                with self._storage.writing() as session:
                    session.runs.release(claim.lease, self._clock())
            else:
                self._mending.run(partial(self._finish, claim.lease, _end(result)))

    def _search(self, claim: RunClaim, cancelled: Callable[[], bool]) -> RunResult:
        spec = claim.spec
        limits = Limits(
            seconds=spec.limits.seconds,
            nodes=spec.limits.nodes,
            memory_bytes=spec.limits.memory_bytes,
            cancelled=cancelled,
        )
        result = self._runner.run(spec.start, spec.goal, spec.method, limits, spec.window)
        if result.moves is not None:
            replay(spec.start, result.moves, spec.goal)
        return result

    def _finish(self, lease: Lease, end: RunEnd) -> None:
        now = self._clock()
        with self._storage.writing() as session:
            finish(session, lease, end, now)

    def _report(self, lease: Lease, error: Exception) -> None:
        now = self._clock()
        with self._storage.writing() as session:
            report_error(session, lease, error, now)


def _end(result: RunResult) -> RunEnd:
    return RunEnd(
        state=RunState.DONE,
        statistics=result.statistics,
        moves=result.moves,
        stopped_by=result.stopped_by,
        message=result.message,
        trace=None if result.trace is None else result.trace.document(),
    )
