"""Working in the lab: claim a run, run it, store the result."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Protocol

from core.errors import InputError
from core.lab.method import Method
from core.lab.result import RunResult
from core.lab.trace import TraceWindow
from core.puzzle.board import Board
from core.puzzle.replay import replay
from core.search.limits import Limits, StopReason
from core.services.farm.work import WorkReport
from core.services.lab.records import RunClaim, RunEnd
from core.services.lab.setbacks import report_error
from core.services.leases import Holder, Lease, kept
from core.services.ports import Storage
from core.services.states import RunState
from core.settings import Settings

# Seconds between two looks at the database; a run that is done by then costs none.
TICK_S = 0.4

_log = logging.getLogger(__name__)


class LabRunner(Protocol):
    """Runs textbook searches."""

    def run(
        self, start: Board, goal: Board, method: Method, limits: Limits, window: TraceWindow | None
    ) -> RunResult:
        """Run a method on a solvable board.

        Raises
        ------
        OptionError
            If the method is not offered for boards of this size.
        """


class LabWork:
    """One worker's work in the lab; not to be shared by threads."""

    def __init__(self, storage: Storage, settings: Settings, runner: LabRunner) -> None:
        self._storage = storage
        self._settings = settings
        self._runner = runner
        self._clock = storage.clock

    def serve(self, owner: str, stopping: Callable[[], bool]) -> WorkReport:
        """Run what waits, one run after the other, until nothing waits or a second is over.

        Parameters
        ----------
        owner : str
            Who holds the leases: a name that no other worker has at the same time.
        stopping : callable
            Once it is True, this returns soon, and the run that was under way waits again.
        """
        end = time.monotonic() + self._settings.run_s
        done = 0
        while not stopping():
            claim = self._claim(owner)
            if claim is None:
                return WorkReport(done, False)
            self._run(claim, stopping)
            done += 1
            if time.monotonic() >= end:
                break
        return WorkReport(done, True)

    def _claim(self, owner: str) -> RunClaim | None:
        with self._storage.reading() as session:
            if not session.runs.some_ready():
                return None
        now = self._clock()
        with self._storage.writing() as session:
            return session.runs.claim(Holder(owner, now + self._settings.lease_s), now)

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
            self._finish(claim, RunEnd(RunState.FAILED, message=error.message))
        except Exception as error:  # a search may fail in any way; the worker goes on
            _log.exception("run %s failed", claim.lease.id)
            with self._storage.writing() as session:
                report_error(session, claim.lease, error, self._clock())
        else:
            # A finished search may still have been stopped while its trace was recorded.
            if result.stopped_by is StopReason.CANCELLED or (result.trace and cancelled()):
                with self._storage.writing() as session:
                    session.runs.release(claim.lease, self._clock())
            else:
                self._finish(claim, _end(result))

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

    def _finish(self, claim: RunClaim, end: RunEnd) -> None:
        with self._storage.writing() as session:
            session.runs.finish(claim.lease, end, self._clock())


def _end(result: RunResult) -> RunEnd:
    return RunEnd(
        state=RunState.DONE,
        statistics=result.statistics,
        moves=result.moves,
        stopped_by=result.stopped_by,
        message=result.message,
        trace=None if result.trace is None else result.trace.document(),
    )
