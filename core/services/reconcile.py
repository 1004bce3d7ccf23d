"""Repairing what was lost: leases of dead workers, missed deadlines, missing tickets."""

from __future__ import annotations

import logging

from core.services.farm.life.events import LeaseLost, TimePassed
from core.services.farm.life.settle import Lives
from core.services.farm.trust.mending import Mending
from core.services.lab.setbacks import expire as expire_run
from core.services.ports import Storage, Tickets
from core.services.states import Queue
from core.services.tickets import replenish
from core.settings import Settings

_log = logging.getLogger(__name__)


class Reconcile:
    """Compares the actual state with the desired one; any number of instances may run at once."""

    def __init__(self, storage: Storage, tickets: Tickets, settings: Settings) -> None:
        self._storage = storage
        self._tickets = tickets
        self._settings = settings
        self._lives = Lives(storage, settings)
        self._mending = Mending(storage, settings)
        self._clock = storage.clock

    def run_once(self) -> None:
        """Revoke expired leases, end jobs past their deadline, send missing tickets."""
        self._expire_leases()
        self._end_due_jobs()
        self._adopt_orphans()
        self._mint_tickets()

    def _expire_leases(self) -> None:
        now = self._clock()
        with self._storage.reading() as session:
            expired, expired_runs = session.slices.expired(now), session.runs.expired(now)
        for piece in expired:
            self._lives.tell(piece.solve_id, LeaseLost(piece))
        for lease in expired_runs:
            with self._storage.writing() as session:
                expire_run(session, lease, now)

    def _end_due_jobs(self) -> None:
        now = self._clock()
        with self._storage.reading() as session:
            due = session.jobs.due(now)
        for solve_id in due:
            self._lives.tell(solve_id, TimePassed())

    def _adopt_orphans(self) -> None:
        """Add work to active solves without a slice, which should not exist."""
        with self._storage.reading() as session:
            orphans = session.solves.orphans()
        for solve_id in orphans:
            if self._mending.mend_row("work", solve_id):
                continue
            if self._lives.tell(solve_id, TimePassed()).fresh:
                _log.warning("solve %s waited without work", solve_id)

    def _mint_tickets(self) -> None:
        for queue in Queue:
            with self._storage.reading() as session:
                lab = queue is Queue.LAB
                ready = session.runs.ready() if lab else session.slices.ready(queue)
            if ready:
                replenish(self._tickets, queue, ready)
