"""The main loop of a worker: claims slices, works on them and stores the results."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial

from tilework.core.errors import BoundsError, DamagedSolveError, UnavailableError
from tilework.core.model.farm.changes import Applied
from tilework.core.model.farm.solves import Claim
from tilework.core.model.farm.workload import RUN_S, SMALL_CELLS, FarmState, WorkReport
from tilework.core.model.leases import Holder
from tilework.core.model.states import Queue
from tilework.core.services.farm.lease_renewer import LeaseRenewer, LeaseSet
from tilework.core.services.farm.leasing import Leasing
from tilework.core.services.farm.searcher import Searcher, failure_message
from tilework.core.services.farm.solver_protocol import Solver
from tilework.core.services.farm.state_machine.events import SliceEvent, SliceFailed, SliceSplit
from tilework.core.services.farm.state_machine.failure_events import must_split
from tilework.core.services.farm.state_machine.machine import StateMachine, assigns_priorities
from tilework.core.services.tickets import Tickets
from tilework.core.settings import Settings
from tilework.core.storage.database import Database
from tilework.core.tracing import span

# Maximum time that finished slices wait to share a transaction (seconds).
FLUSH_S = 0.02

# How long a worker can continue a long search before it checks the other queues (seconds).
LONG_SEARCHES_S = 10.0

_log = logging.getLogger(__name__)


class SliceWorker:
    """Claims slices and works on them. Not thread-safe.

    ``queues``: those that the worker serves; long searches yield to short work in them.
    ``max_cells``: returns the size of the largest boards that the worker is ready for; None for
        any.
    """

    def __init__(
        self,
        storage: Database,
        tickets: Tickets,
        settings: Settings,
        solver: Solver,
        *,
        queues: Collection[Queue] = tuple(Queue),
        max_cells: Callable[[], int | None] | None = None,
    ) -> None:
        self._storage = storage
        self._tickets = tickets
        self._settings = settings
        self._clock = storage.clock
        self._max_cells = max_cells or (lambda: None)
        self._leasing = Leasing(storage, settings)
        self._quick = [queue for queue in queues if queue in (Queue.INTERACTIVE, Queue.BATCH)]
        machine = self._state_machine = StateMachine(storage, settings)
        self._renewer = LeaseRenewer(storage, tickets, settings, self._quick, machine)
        self._searcher = Searcher(
            storage, settings, solver, self._renewer.farm_state, self._state_machine
        )

    def run(self, queue: str, owner: str, should_stop: Callable[[], bool]) -> WorkReport:
        """Work for a few seconds, or until the queue is empty or another queue has priority.

        ``owner``: the holder of the leases, unique among all running workers.
        ``should_stop``: once it returns True, this method returns soon, and unfinished slices are
            stored with their cursors.
        """
        is_search = queue == Queue.SEARCH
        end = time.monotonic() + (LONG_SEARCHES_S if is_search else RUN_S)
        completed = 0
        while not should_stop():
            claims = self._leasing.lease(Queue(queue), owner, self._max_cells())
            if not claims:
                return WorkReport(completed, False)
            if not is_search:
                completed += self._work_on_all(claims, owner, should_stop)
            else:
                count, must_yield = self._search_while_next(claims[0], owner, should_stop, end)
                completed += count
                if must_yield:
                    break
            if time.monotonic() >= end:
                break
        return WorkReport(completed, True)

    def _search_while_next(
        self, claim: Claim, owner: str, should_stop: Callable[[], bool], end: float
    ) -> tuple[int, bool]:
        """Search a slice and continue with its remainder while that is first in the queue.

        Return the number of slices searched, and whether short work waits for this worker.
        """
        count = 0
        next_slice: Claim | None = claim
        with self._renewer.hold([claim], owner) as leases:
            leases.run_short_work = partial(self._run_short_work, owner, should_stop)
            while next_slice is not None:
                slice_ = next_slice.slice
                event = self._work_on(next_slice, leases, should_stop)
                count += 1
                can_continue = not (should_stop() or leases.must_yield or time.monotonic() >= end)
                now = self._clock()
                holder = Holder(owner, now + self._settings.lease_s) if can_continue else None
                try:
                    applied = self._apply_event(next_slice, event, now, holder)
                except BoundsError as error:
                    event = _reject(next_slice, event, error)
                    applied = self._apply_event(next_slice, event, now, None)
                except DamagedSolveError:
                    applied = Applied()  # the solve has started again
                leases.finish(next_slice)
                self._send_tickets(applied.ready_queues, leases.farm)
                next_slice = None
                if applied.next_slice is not None:
                    next_slice = replace(claim, slice=applied.next_slice)
                elif not applied.is_applied:
                    _log.warning(
                        "the lease of slice %s of %s was lost", slice_.id, claim.puzzle.key
                    )
            return count, leases.must_yield

    def _run_short_work(
        self, owner: str, should_stop: Callable[[], bool], max_cells: int | None = None
    ) -> None:
        """Run short work for a while, during a trial or a long initial search."""
        end = time.monotonic() + RUN_S
        for queue in self._quick:
            while not should_stop() and time.monotonic() < end:
                claims = self._leasing.lease(queue, owner, max_cells)
                if not claims:
                    break
                self._work_on_all(claims, owner, should_stop)

    def _send_tickets(self, ready_queues: Sequence[Queue], farm: FarmState | None) -> None:
        """Send tickets for new slices; for search slices only if a worker may be idle."""
        is_full = farm is not None and farm.workers and not farm.idle and farm.ready
        for queue in set(ready_queues):
            if queue is Queue.SEARCH and is_full:
                continue
            with suppress(Exception):  # the reconciler replaces lost tickets
                self._tickets.send(queue, ready_queues.count(queue))

    def _work_on_all(
        self, claims: Sequence[Claim], owner: str, should_stop: Callable[[], bool]
    ) -> int:
        count = 0
        events: list[tuple[Claim, SliceEvent]] = []
        flushed_at = time.monotonic()
        with self._renewer.hold(claims, owner) as leases:
            # Only small boards, so that initial searches are not nested without end.
            leases.run_short_work = partial(self._run_short_work, owner, should_stop, SMALL_CELLS)
            for index, claim in enumerate(claims):
                if should_stop():
                    self._leasing.give_back(claims[index:])
                    break
                events.append((claim, self._work_on(claim, leases, should_stop)))
                count += 1
                if time.monotonic() - flushed_at > FLUSH_S:
                    self._flush(events, leases)
                    flushed_at = time.monotonic()
            self._flush(events, leases)
        return count

    def _work_on(
        self, claim: Claim, leases: LeaseSet, should_stop: Callable[[], bool]
    ) -> SliceEvent:
        slice_ = claim.slice
        with span(
            f"slice {slice_.queue}",
            "consumer",
            traceparent=claim.traceparent,
            solve=slice_.solve_id,
            slice=slice_.id,
        ):
            return self._run_slice(claim, leases, should_stop)

    def _run_slice(
        self, claim: Claim, leases: LeaseSet, should_stop: Callable[[], bool]
    ) -> SliceEvent:
        if must_split(claim.slice):
            return SliceSplit(claim.slice, self._searcher.split(claim))
        leases.start(claim)
        try:
            return self._searcher.work_on(claim, leases, should_stop)
        except UnavailableError:
            # If the database stays unavailable, the lease expires.
            with suppress(UnavailableError):
                self._leasing.give_back([claim])
            raise

    def _flush(self, events: list[tuple[Claim, SliceEvent]], leases: LeaseSet) -> None:
        if not events:
            return
        now = self._clock()
        ready_queues: list[Queue] = []
        # In the order of their keys, so that two workers never deadlock.
        for group in _group_by_transaction(sorted(events, key=lambda pair: pair[0].puzzle.key)):
            ready_queues += self._store(group, now)
        for claim, _ in events:
            leases.finish(claim)
        events.clear()
        self._send_tickets(ready_queues, leases.farm)

    def _store(self, group: Sequence[tuple[Claim, SliceEvent]], now: float) -> list[Queue]:
        """Store events in one transaction, or each in its own if that fails."""
        try:
            return self._apply_events(group, now)
        except BoundsError as error:
            if len(group) == 1:
                [(claim, event)] = group
                rejected = [(claim, _reject(claim, event, error))]
                return self._apply_events(rejected, now)
        except DamagedSolveError:
            if len(group) == 1:
                return []  # the solve has started again
        return [queue for pair in group for queue in self._store([pair], now)]

    def _apply_event(
        self, claim: Claim, event: SliceEvent, now: float, holder: Holder | None
    ) -> Applied:
        with self._storage.writing() as session:
            return self._state_machine.apply_event(
                session, claim.slice.solve_id, event, now, holder
            )

    def _apply_events(self, events: Sequence[tuple[Claim, SliceEvent]], now: float) -> list[Queue]:
        ready_queues: list[Queue] = []
        with self._storage.writing() as session:
            for claim, event in events:
                ready_queues += self._state_machine.apply_event(
                    session, claim.slice.solve_id, event, now
                ).ready_queues
        return ready_queues


def _reject(claim: Claim, event: SliceEvent, error: BoundsError) -> SliceFailed:
    """Return the failure of a slice whose result contradicts proven bounds."""
    _log.error("slice %s of %s was rejected: %s", claim.slice.id, claim.puzzle.key, error)
    return SliceFailed(claim.slice, failure_message(error), effort=event.effort)


def _group_by_transaction(
    events: Sequence[tuple[Claim, SliceEvent]],
) -> Iterator[Sequence[tuple[Claim, SliceEvent]]]:
    """Yield the groups of events that can share a transaction.

    An event that assigns priorities locks a client besides its solve, so it gets its own
    transaction.
    """
    group = [pair for pair in events if not assigns_priorities(pair[1])]
    if group:
        yield group
    yield from ([pair] for pair in events if assigns_priorities(pair[1]))
