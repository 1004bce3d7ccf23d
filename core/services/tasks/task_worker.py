"""Works on tasks: claims one, runs it in an engine, stores the result."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from typing import Any, Final

from tilework.core.model.farm.workload import RUN_S, WorkReport
from tilework.core.model.leases import HeldLeases, Holder, Lease, LeaseThread
from tilework.core.model.states import Queue
from tilework.core.model.tasks import Progress, TaskClaim, TaskEnd
from tilework.core.search.limits import Limits
from tilework.core.services.tasks import state_machine
from tilework.core.services.tasks.questions import check
from tilework.core.settings import Settings
from tilework.core.storage.database import Database

TICK_S: Final = 0.4
"""Seconds between two checks; a shorter task causes none."""

Engine = Callable[[Any, Limits, Callable[[Progress], object]], TaskEnd | None]
"""Runs a spec within limits and reports progress; returns None if cancelled."""

_log = logging.getLogger(__name__)


class TaskWorker:
    """Works on the tasks of one queue. Not thread-safe."""

    def __init__(self, storage: Database, settings: Settings, queue: Queue, engine: Engine) -> None:
        self._storage = storage
        self._settings = settings
        self._queue = queue
        self._engine = engine
        self._clock = storage.clock
        self._lease_thread = LeaseThread()

    def run(self, owner: str, should_stop: Callable[[], bool]) -> WorkReport:
        """Work on tasks until the queue is empty or a second has passed.

        ``owner``: the holder of the leases, unique among all running workers.
        ``should_stop``: once it returns True, this method returns soon, and the current task is
            queued again.
        """
        end = time.monotonic() + RUN_S
        count = 0
        while not should_stop():
            claim = self._claim(owner)
            if claim is None:
                return WorkReport(count, False)
            self._work_on(claim, should_stop)
            count += 1
            if time.monotonic() >= end:
                break
        return WorkReport(count, True)

    def _claim(self, owner: str) -> TaskClaim[Any] | None:
        with self._storage.reading() as session:
            if not session.tasks.has_due(self._queue):
                return None
        now = self._clock()
        with self._storage.writing() as session:
            holder = Holder(owner, now + self._settings.lease_s)
            return next(iter(session.tasks.claim(self._queue, holder, now)), None)

    def _work_on(self, claim: TaskClaim[Any], should_stop: Callable[[], bool]) -> None:
        lease = _TaskLease(self._storage, self._settings, claim.lease)
        spec, kind = claim.spec, claim.spec.kind

        def cancelled() -> bool:
            return should_stop() or lease.lost.is_set()

        try:
            with self._lease_thread.hold(lease.held):
                limits = Limits(seconds=spec.seconds, cancelled=cancelled)
                end = self._engine(spec, limits, lease.report_progress)
                if end is not None and end.result is not None:
                    check(spec, end.result)
        except Exception as error:  # a search may fail in any way; the worker continues
            _log.exception("%s %s failed", kind, claim.lease.id)
            self._store(state_machine.report_error, kind, claim.lease, error)
        else:
            self._store(state_machine.finish, claim.lease, end)

    def _store(self, change: Callable[..., object], *arguments: object) -> None:
        """Apply a change in a transaction."""
        with self._storage.writing() as session:
            change(session, *arguments, self._clock())


class _TaskLease:
    """The lease of the current task, and its progress."""

    def __init__(self, storage: Database, settings: Settings, lease: Lease) -> None:
        self.lost = threading.Event()
        self._storage = storage
        self._lease_s = settings.lease_s
        self._lease = lease
        self._progress: Progress | None = None
        self._stored_progress: Progress | None = None
        self.held = HeldLeases(
            self._check, self._renew, lease_s=settings.lease_s, first_pause_s=TICK_S
        )

    def report_progress(self, progress: Progress) -> None:
        """Store the progress; the renewer's thread writes it to the database."""
        self._progress = progress

    def _check(self) -> float:
        """Write the progress to the database; the lease is lost once the task is cancelled."""
        with self._storage.reading() as session:
            if not session.tasks.is_held(self._lease):
                self.lost.set()
        progress = self._progress
        if progress not in (None, self._stored_progress) and not self.lost.is_set():
            with self._storage.writing() as session:
                session.tasks.store_progress(self._lease, progress, self._storage.clock())
            self._stored_progress = progress
        return TICK_S

    def _renew(self) -> None:
        until = self._storage.clock() + self._lease_s
        with self._storage.writing() as session:
            session.tasks.renew([self._lease], until)
