"""Recovers from lost leases, missed deadlines and missing tickets."""

from __future__ import annotations

import logging

from tilework.core.errors import DamagedSolveError
from tilework.core.model.farm.solves import Slice
from tilework.core.model.leases import Lease
from tilework.core.model.states import TASK_QUEUES, Queue
from tilework.core.model.tasks import TaskKind
from tilework.core.services.deadlines import Deadlines
from tilework.core.services.farm.state_machine.events import LeaseLost, TimePassed
from tilework.core.services.farm.state_machine.machine import StateMachine
from tilework.core.services.tasks.state_machine import expire
from tilework.core.services.tickets import Tickets, replenish
from tilework.core.settings import Settings
from tilework.core.storage.database import Database
from tilework.core.storage.session import Session

_log = logging.getLogger(__name__)


class Reconciler:
    """Repairs the state periodically. Any number of instances can run in parallel."""

    def __init__(self, storage: Database, tickets: Tickets, settings: Settings) -> None:
        self._storage = storage
        self._tickets = tickets
        self._settings = settings
        self._state_machine = StateMachine(storage, settings)
        self._deadlines = Deadlines(storage, settings)
        self._clock = storage.clock

    def run_once(self) -> None:
        """Revoke expired leases, end jobs past their deadline, send missing tickets."""
        self._expire_leases()
        self._deadlines.run_once()
        self._adopt_orphans()
        self._send_missing_tickets()

    def _expire_leases(self) -> None:
        now = self._clock()
        expired, expired_tasks = self._list_expired(now)
        for slice_ in expired:
            self._state_machine.report(slice_.solve_id, LeaseLost(slice_))
        for lease, kind in expired_tasks:
            self._expire_task(kind, lease, now)

    def _list_expired(self, now: float) -> tuple[list[Slice], list[tuple[Lease, TaskKind]]]:
        with self._storage.reading() as session:
            return session.slices.expired(now), session.tasks.expired(now)

    def _expire_task(self, kind: TaskKind, lease: Lease, now: float) -> None:
        with self._storage.writing() as session:
            expire(session, kind, lease, now)

    def _adopt_orphans(self) -> None:
        """Add work to active solves without slices, which should not exist."""
        with self._storage.reading() as session:
            orphans = session.solves.orphans()
        for solve_id in orphans:
            # Nobody can claim its slices, if they are damaged.
            self._storage.on_damage(DamagedSolveError(solve_id))
            if self._state_machine.report(solve_id, TimePassed()).ready_queues:
                _log.warning("solve %s waited without work", solve_id)

    def _send_missing_tickets(self) -> None:
        """Look at every queue: what another program wrote delays the others' work as well."""
        for queue in Queue:
            with self._storage.reading() as session:
                ready = _count_ready(session, queue)
            replenish(self._tickets, queue, ready)


def _count_ready(session: Session, queue: Queue) -> int:
    """Count the waiting work of a queue."""
    return (session.tasks if queue in TASK_QUEUES else session.slices).count_ready(queue)
