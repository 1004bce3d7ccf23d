"""The heartbeat of a worker. Workers count each other to decide how finely to split their work."""

from __future__ import annotations

import time
from collections.abc import Callable

from tilework.core.model.farm.workload import HEARTBEAT_INTERVAL_S, WORKER_TIMEOUT_S
from tilework.core.model.states import SuspensionKind
from tilework.core.storage.database import Database

# How long the row of a worker that exited without notice is stored (seconds).
FORGET_AFTER_S = 6 * WORKER_TIMEOUT_S

CLOCK_STARTS = 2
"""How many times clocks are started, a few seconds apart: the first time can miss a job that
another transaction is changing or has not committed yet.
"""

# Jobs whose clocks one transaction starts, so that workers that end them do not wait long.
_CHUNK = 200


class Heartbeat:
    """Reports that a worker for long searches is present.

    ``name``: the name under which it holds leases.
    ``monotonic``: the host's monotonic clock, in seconds.
    ``version``: of Tilework.
    """

    def __init__(
        self,
        storage: Database,
        name: str,
        monotonic: Callable[[], float] = time.monotonic,
        version: str = "",
    ) -> None:
        self._storage = storage
        self._name = name
        self._monotonic = monotonic
        self._version = version
        self._clock = storage.clock
        self.is_suspended = False
        """Whether an operator has suspended the worker."""
        self._reported_at: float | None = None
        self._ready_by: float | None = None
        self._clock_starts = 0

    def report_preparing(self, seconds: float) -> None:
        """Report that the worker will be ready in about this many seconds."""
        self._ready_by = self._monotonic() + seconds
        self.beat()

    def report_ready(self) -> None:
        """Report that the worker is ready, and start the clocks of waiting jobs."""
        self._clock_starts = CLOCK_STARTS
        self._ready_by = self._reported_at = None
        self.beat()

    def beat(self) -> None:
        """Report the worker as present, unless it did so a moment ago."""
        last = self._reported_at
        if last is not None and self._monotonic() - last < HEARTBEAT_INTERVAL_S:
            return
        now = self._clock()
        with self._storage.writing() as session:
            skew_s, ready_at = time.time() - now, self._ready_at(now)
            session.workers.record_heartbeat(self._name, now, skew_s, self._version, ready_at)
            session.workers.forget(now - FORGET_AFTER_S)
            session.operation.forget_workers()
            suspensions = session.operation.suspensions()
        self.is_suspended = (SuspensionKind.WORKER, self._name) in [
            (suspension.kind, suspension.name) for suspension in suspensions
        ]
        if self._clock_starts:
            start_clocks(self._storage, now)
            self._clock_starts -= 1
        self._reported_at = self._monotonic()

    def _ready_at(self, now: float) -> float | None:
        if self._ready_by is None:
            return None
        return now + max(1.0, self._ready_by - self._monotonic())

    def leave(self) -> None:
        """Report that the worker accepts no more work."""
        with self._storage.writing() as session:
            session.workers.leave(self._name)


def start_clocks(storage: Database, now: float) -> None:
    """Start the time limits of jobs that were waiting for workers to get ready."""
    with storage.reading() as session:
        waiting = session.jobs.list_waiting(now)
    for first in range(0, len(waiting), _CHUNK):
        with storage.writing() as session:
            session.jobs.start_clocks(waiting[first : first + _CHUNK], now)
