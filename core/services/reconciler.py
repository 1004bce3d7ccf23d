"""Recovers from lost leases, missed deadlines and missing tickets."""

from __future__ import annotations

import logging

from tilework.core.errors import DamagedSolveError
from tilework.core.model.farm.workload import WORKER_TIMEOUT_S
from tilework.core.model.states import TASK_QUEUES, Queue
from tilework.core.services.farm.heartbeat import CLOCK_STARTS, start_clocks
from tilework.core.services.farm.state_machine.events import LeaseLost, TimePassed
from tilework.core.services.farm.state_machine.machine import report_event
from tilework.core.services.tasks.state_machine import expire
from tilework.core.services.tickets import Tickets, replenish
from tilework.core.storage.database import Database

_log = logging.getLogger(__name__)


class Deadlines:
    """Ends jobs past their deadline, whether or not a worker is alive.

    Any number of instances, here and of `Reconciler`, can run in parallel.

    ``grace_s``: time after the deadline in which a worker may still end the job.
    """

    def __init__(self, storage: Database, grace_s: float = 0.0) -> None:
        self._storage = storage
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
            report_event(self._storage, solve_id, TimePassed())
        if preparing:
            self._clock_starts = CLOCK_STARTS
        elif self._clock_starts:
            # The last preparing worker is ready or has died, so the time limits start.
            start_clocks(self._storage, now)
            self._clock_starts -= 1


class Reconciler:
    """Repairs the state periodically."""

    def __init__(self, storage: Database, tickets: Tickets) -> None:
        self._storage = storage
        self._tickets = tickets
        self._deadlines = Deadlines(storage)
        self._clock = storage.clock

    def run_once(self) -> None:
        """Revoke expired leases, end jobs past their deadline, send missing tickets."""
        self._expire_leases()
        self._deadlines.run_once()
        self._adopt_orphans()
        self._send_missing_tickets()

    def _expire_leases(self) -> None:
        now = self._clock()
        with self._storage.reading() as session:
            slices, tasks = session.slices.expired(now), session.tasks.expired(now)
        for slice_ in slices:
            report_event(self._storage, slice_.solve_id, LeaseLost(slice_))
        for lease, kind in tasks:
            with self._storage.writing() as session:
                expire(session, kind, lease, now)

    def _adopt_orphans(self) -> None:
        """Add work to active solves without slices, which should not exist."""
        with self._storage.reading() as session:
            orphans = session.solves.orphans()
        for solve_id in orphans:
            # Nobody can claim its slices, if they are damaged.
            self._storage.on_damage(DamagedSolveError(solve_id))
            if report_event(self._storage, solve_id, TimePassed()).ready_queues:
                _log.warning("solve %s waited without work", solve_id)

    def _send_missing_tickets(self) -> None:
        """Look at every queue: what another program wrote delays the others' work as well."""
        for queue in Queue:
            with self._storage.reading() as session:
                work = session.tasks if queue in TASK_QUEUES else session.slices
                ready = work.count_ready(queue)
            replenish(self._tickets, queue, ready)
