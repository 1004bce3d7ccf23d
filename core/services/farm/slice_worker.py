"""Working: claim slices under lease, work on them, store what was found."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial

from tilework.core.errors import BoundsError, UnavailableError
from tilework.core.model.changes import Applied
from tilework.core.model.leases import Holder
from tilework.core.model.solves import Claim
from tilework.core.model.states import Queue
from tilework.core.model.workload import FarmState, WorkReport
from tilework.core.services.farm.lease_renewer import LeaseRenewer, LeaseSet
from tilework.core.services.farm.leasing import SMALL_CELLS, Leasing
from tilework.core.services.farm.repair import Repair
from tilework.core.services.farm.searcher import Searcher, failure_of
from tilework.core.services.farm.state_machine.events import Event, SliceFailed, SliceSplit
from tilework.core.services.farm.state_machine.failure_events import must_split
from tilework.core.services.farm.state_machine.machine import StateMachine, assigns_priorities
from tilework.core.services.ports import Solver, Tickets
from tilework.core.settings import Settings
from tilework.core.storage.database import Database

# Longest time that finished slices wait for others to share their transaction (seconds).
FLUSH_S = 0.02

# A worker goes on with a long search for this long before it checks the other queues again.
LONG_SEARCHES_S = 10.0

_log = logging.getLogger(__name__)


class SliceWorker:
    """One worker's work; not to be shared by threads.

    ``serves``: what the worker takes tickets of: where short work waits, long searches make way for
        it.
    ``most_cells``: returns of how many cells the largest boards are that it is ready for; None for
        any.
    """

    def __init__(
        self,
        storage: Database,
        tickets: Tickets,
        settings: Settings,
        solver: Solver,
        *,
        serves: Collection[Queue] = tuple(Queue),
        most_cells: Callable[[], int | None] | None = None,
    ) -> None:
        self._storage = storage
        self._tickets = tickets
        self._settings = settings
        self._clock = storage.clock
        self._most_cells = most_cells or (lambda: None)
        self._leasing = Leasing(storage, settings)
        self._quick = [queue for queue in serves if queue in (Queue.INTERACTIVE, Queue.BATCH)]
        machine = self._state_machine = StateMachine(storage, settings)
        self._repair = Repair(storage, settings)
        self._renewer = LeaseRenewer(storage, tickets, settings, self._quick, machine)
        self._searcher = Searcher(
            storage, settings, solver, self._renewer.farm_state, self._state_machine
        )

    def run(self, queue: str, owner: str, should_stop: Callable[[], bool]) -> WorkReport:
        """Work for some seconds, or until nothing is ready or other queues come first.

        ``queue``: where to claim.
        ``owner``: who holds the leases: a name that no other worker has at the same time.
        ``stopping``: once it is True, this returns soon; what is unfinished keeps its cursor.
        """
        searching = queue == Queue.SEARCH
        end = time.monotonic() + (LONG_SEARCHES_S if searching else self._settings.run_s)
        done = 0
        while not should_stop():
            claims = self._leasing.lease(Queue(queue), owner, self._most_cells())
            if not claims:
                return WorkReport(done, False)
            if not searching:
                done += self._short(claims, owner, should_stop)
            else:
                count, makes_way = self._long(claims[0], owner, should_stop, end)
                done += count
                if makes_way:
                    break
            if time.monotonic() >= end:
                break
        return WorkReport(done, True)

    def _long(
        self, claim: Claim, owner: str, should_stop: Callable[[], bool], end: float
    ) -> tuple[int, bool]:
        """Search a slice and go on with what remains, slice after slice, while it is its turn.

        Return how many were searched, and whether short work waits for this worker.
        """
        done = 0
        onward: Claim | None = claim
        with self._renewer.hold([claim], owner) as leases:
            leases.run_short_work = partial(self._serve_quick, owner, should_stop)
            while onward is not None:
                slice_ = onward.slice
                event = self._work_on(onward, leases, should_stop)
                done += 1
                goes_on = not (should_stop() or leases.must_yield or time.monotonic() >= end)
                now = self._clock()
                holder = Holder(owner, now + self._settings.lease_s) if goes_on else None
                try:
                    applied = self._repair.run(partial(self._end, onward, event, now, holder))
                except BoundsError as error:
                    event = _refused(onward, error)
                    applied = self._repair.run(partial(self._end, onward, event, now, None))
                leases.done(onward)
                self._tell(applied.fresh, leases.farm)
                onward = None
                if applied.onward is not None:
                    onward = replace(claim, slice=applied.onward)
                elif not applied.done:
                    _log.warning(
                        "the lease of slice %s of %s was lost", slice_.id, claim.puzzle.key
                    )
            return done, leases.must_yield

    def _serve_quick(
        self, owner: str, should_stop: Callable[[], bool], most_cells: int | None = None
    ) -> None:
        """Do short work for a while, in the middle of a try or of a large board's opening."""
        end = time.monotonic() + self._settings.run_s
        for queue in self._quick:
            while not should_stop() and time.monotonic() < end:
                claims = self._leasing.lease(queue, owner, most_cells)
                if not claims:
                    break
                self._short(claims, owner, should_stop)

    def _tell(self, fresh: Sequence[Queue], farm: FarmState | None) -> None:
        """Send tickets for new slices; for those of search where a worker may be idle."""
        full = farm is not None and farm.workers and not farm.idle and farm.ready
        for queue in set(fresh):
            if queue is Queue.SEARCH and full:
                continue
            with suppress(Exception):  # the reconciler replaces lost tickets
                self._tickets.send(queue, fresh.count(queue))

    def _short(self, claims: Sequence[Claim], owner: str, should_stop: Callable[[], bool]) -> int:
        done = 0
        ended: list[tuple[Claim, Event]] = []
        flushed = time.monotonic()
        with self._renewer.hold(claims, owner) as leases:
            # Of small boards alone: openings within openings would have no end.
            leases.run_short_work = partial(self._serve_quick, owner, should_stop, SMALL_CELLS)
            for place, claim in enumerate(claims):
                if should_stop():
                    self._leasing.give_back(claims[place:])
                    break
                ended.append((claim, self._work_on(claim, leases, should_stop)))
                done += 1
                if time.monotonic() - flushed > FLUSH_S:
                    self._flush(ended, leases)
                    flushed = time.monotonic()
            self._flush(ended, leases)
        return done

    def _work_on(self, claim: Claim, leases: LeaseSet, should_stop: Callable[[], bool]) -> Event:
        if must_split(claim.slice):
            return SliceSplit(claim.slice, self._searcher.halves(claim))
        leases.start(claim)
        try:
            return self._searcher.work_on(claim, leases, should_stop)
        except UnavailableError:
            # If nobody can be told yet, the lease runs out.
            with suppress(UnavailableError):
                self._leasing.give_back([claim])
            raise

    def _flush(self, ended: list[tuple[Claim, Event]], leases: LeaseSet) -> None:
        if not ended:
            return
        now = self._clock()
        fresh: list[Queue] = []
        # In the order of their keys, so that two workers never wait for each other's rows.
        for together in _transactions(sorted(ended, key=lambda one: one[0].puzzle.key)):
            fresh += self._stored(together, now)
        for claim, _ in ended:
            leases.done(claim)
        ended.clear()
        self._tell(fresh, leases.farm)

    def _stored(self, together: Sequence[tuple[Claim, Event]], now: float) -> list[Queue]:
        """Store events in one transaction, or each in its own where one of them cannot be."""
        try:
            return self._repair.run(partial(self._end_all, together, now))
        except BoundsError as error:
            if len(together) == 1:
                [(claim, _)] = together
                refused = [(claim, _refused(claim, error))]
                return self._repair.run(partial(self._end_all, refused, now))
        return [queue for one in together for queue in self._stored([one], now)]

    def _end(self, claim: Claim, event: Event, now: float, holder: Holder | None) -> Applied:
        with self._storage.writing() as session:
            return self._state_machine.apply_event(
                session, claim.slice.solve_id, event, now, holder
            )

    def _end_all(self, ended: Sequence[tuple[Claim, Event]], now: float) -> list[Queue]:
        fresh: list[Queue] = []
        with self._storage.writing() as session:
            for claim, event in ended:
                fresh += self._state_machine.apply_event(
                    session, claim.slice.solve_id, event, now
                ).fresh
        return fresh


def _refused(claim: Claim, error: BoundsError) -> SliceFailed:
    """Return the event of a slice whose outcome contradicts what is known, which is sound."""
    _log.error("slice %s of %s is not believed: %s", claim.slice.id, claim.puzzle.key, error)
    return SliceFailed(claim.slice, failure_of(error))


def _transactions(
    ended: Sequence[tuple[Claim, Event]],
) -> Iterator[Sequence[tuple[Claim, Event]]]:
    """Yield the events that may be stored in one transaction.

    One that gives out turns locks a client besides its solve, and so gets a transaction of its own.
    """
    together = [one for one in ended if not assigns_priorities(one[1])]
    if together:
        yield together
    yield from ([one] for one in ended if assigns_priorities(one[1]))
