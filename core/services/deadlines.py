"""Ends jobs past their deadline, whether or not a worker is alive."""

from __future__ import annotations

from tilework.core.model.farm.workload import WORKER_TIMEOUT_S
from tilework.core.services.farm.heartbeat import CLOCK_STARTS, start_clocks
from tilework.core.services.farm.state_machine.events import TimePassed
from tilework.core.services.farm.state_machine.machine import StateMachine
from tilework.core.settings import Settings
from tilework.core.storage.database import Database


class Deadlines:
    """Ends jobs past their deadline. Any number of instances can run in parallel.

    ``grace_s``: time after the deadline in which a worker may still end the job.
    """

    def __init__(self, storage: Database, settings: Settings, grace_s: float = 0.0) -> None:
        self._storage = storage
        self._state_machine = StateMachine(storage, settings)
        self._grace_s = grace_s
        self._clock_starts = 0

    def run_once(self) -> None:
        """End the jobs that are due."""
        now = self._storage.clock()
        before = now - self._grace_s
        with self._storage.reading() as session:
            due = session.jobs.list_due(before)
            preparing = session.workers.ready_at(now - WORKER_TIMEOUT_S) is not None
        for solve_id in due:
            self._state_machine.report(solve_id, TimePassed())
        if preparing:
            self._clock_starts = CLOCK_STARTS
        elif self._clock_starts:
            # The last preparing worker is ready or has died, so the time limits start.
            start_clocks(self._storage, now)
            self._clock_starts -= 1
