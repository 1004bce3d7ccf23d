"""The main loop of a worker: claims slices, works on them and stores the results."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial

from tilework.core.errors import BoundsError, DamagedSolveError, UnavailableError
from tilework.core.model.farm.changes import Applied
from tilework.core.model.farm.solves import Claim
from tilework.core.model.farm.workload import (
    CLAIM_SIZE,
    RUN_S,
    SMALL_CELLS,
    FarmState,
    WorkReport,
    claim_weight,
)
from tilework.core.model.leases import Holder
from tilework.core.model.states import Queue, SliceState
from tilework.core.services.farm.lease_renewer import LeaseRenewer, LeaseSet
from tilework.core.services.farm.local_solver import LocalSolver
from tilework.core.services.farm.searcher import Searcher, failure_message
from tilework.core.services.farm.state_machine.events import SliceEvent, SliceFailed, SliceSplit
from tilework.core.services.farm.state_machine.machine import apply_event, assigns_priorities
from tilework.core.services.farm.state_machine.slice_events import must_split
from tilework.core.services.tickets import Tickets
from tilework.core.settings import Settings
from tilework.core.storage.database import Database
from tilework.core.storage.solves import find_puzzle
from tilework.core.tracing import span

# Maximum time that finished slices wait to share a transaction (seconds).
FLUSH_S = 0.02

# How long a worker can continue a long search before it checks the other queues (seconds).
LONG_SEARCHES_S = 10.0

_Ended = tuple[Claim, SliceEvent]

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
        solver: LocalSolver,
        *,
        queues: Collection[Queue] = tuple(Queue),
        max_cells: Callable[[], int | None] | None = None,
    ) -> None:
        self._storage = storage
        self._tickets = tickets
        self._settings = settings
        self._clock = storage.clock
        self._max_cells = max_cells or (lambda: None)
        self._quick = [queue for queue in queues if queue in (Queue.INTERACTIVE, Queue.BATCH)]
        self._renewer = LeaseRenewer(storage, tickets, settings, self._quick)
        self._searcher = Searcher(storage, settings, solver, self._renewer.farm_state)

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
            claims = self.lease(Queue(queue), owner, self._max_cells())
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
                applied = self._store(next_slice, event, now, holder)
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
                claims = self.lease(queue, owner, max_cells)
                if not claims:
                    break
                self._work_on_all(claims, owner, should_stop)

    def lease(self, queue: Queue, owner: str, max_cells: int | None = None) -> list[Claim]:
        """Claim slices of a queue under a lease; return none if nothing is ready.

        ``max_cells``: larger boards are left to other workers.

        Raises DamagedSolveError if a solve has to start again instead of being claimed.
        """
        with self._storage.reading() as session:
            if not session.slices.has_ready(queue, max_cells):
                return []
        now = self._clock()
        limit = 1 if queue is Queue.SEARCH else CLAIM_SIZE
        with self._storage.writing() as session:
            claims = _limit_claims(session.slices.next(queue, limit, max_cells))
            for claim in claims:
                if find_puzzle(claim.puzzle) != claim.puzzle:
                    raise DamagedSolveError(claim.slice.solve_id)
            if claims:
                ids = [claim.slice.id for claim in claims]
                session.slices.lease(ids, Holder(owner, now + self._settings.lease_s), now)
        return [
            replace(
                claim,
                slice=replace(
                    claim.slice,
                    state=SliceState.LEASED,
                    owner=owner,
                    attempts=claim.slice.attempts + 1,
                ),
            )
            for claim in claims
        ]

    def give_back(self, claims: Sequence[Claim]) -> None:
        """Return claims that were not started."""
        now = self._clock()
        with self._storage.writing() as session:
            session.slices.release([claim.slice.lease for claim in claims], now)

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
        events: list[_Ended] = []
        flushed_at = time.monotonic()
        with self._renewer.hold(claims, owner) as leases:
            # Only small boards, so that initial searches are not nested without end.
            leases.run_short_work = partial(self._run_short_work, owner, should_stop, SMALL_CELLS)
            for index, claim in enumerate(claims):
                if should_stop():
                    self.give_back(claims[index:])
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
            if must_split(slice_):
                return SliceSplit(slice_, self._searcher.split(claim))
            leases.start(claim)
            try:
                return self._searcher.work_on(claim, leases, should_stop)
            except UnavailableError:
                # If the database stays unavailable, the lease expires.
                with suppress(UnavailableError):
                    self.give_back([claim])
                raise

    def _flush(self, events: list[_Ended], leases: LeaseSet) -> None:
        """Store events, most of them in one transaction."""
        now = self._clock()
        applied: list[Applied] = []
        # In the order of their keys, so that two workers never deadlock.
        events.sort(key=lambda pair: pair[0].puzzle.key)
        # An event that assigns priorities locks a client besides its solve, so it gets its own
        # transaction.
        alone = [pair for pair in events if assigns_priorities(pair[1])]
        together = [pair for pair in events if not assigns_priorities(pair[1])]
        try:
            if together:
                applied += self._apply(together, now)
        except (BoundsError, DamagedSolveError):
            alone = together + alone
        applied += [self._store(claim, event, now) for claim, event in alone]
        for claim, _ in events:
            leases.finish(claim)
        events.clear()
        ready_queues = [queue for result in applied for queue in result.ready_queues]
        self._send_tickets(ready_queues, leases.farm)

    def _store(
        self, claim: Claim, event: SliceEvent, now: float, holder: Holder | None = None
    ) -> Applied:
        """Store an event; one that contradicts proven bounds is a failure of its slice."""
        try:
            [applied] = self._apply([(claim, event)], now, holder)
        except BoundsError as error:
            _log.error("slice %s of %s was rejected: %s", claim.slice.id, claim.puzzle.key, error)
            failure = SliceFailed(claim.slice, failure_message(error), effort=event.effort)
            [applied] = self._apply([(claim, failure)], now)
        except DamagedSolveError:
            return Applied()  # the solve has started again
        return applied

    def _apply(
        self, events: Sequence[_Ended], now: float, holder: Holder | None = None
    ) -> list[Applied]:
        with self._storage.writing() as session:
            return [
                apply_event(session, claim.slice.solve_id, event, now, holder)
                for claim, event in events
            ]


def _limit_claims(claims: Sequence[Claim]) -> list[Claim]:
    chosen: list[Claim] = []
    capacity = CLAIM_SIZE
    for claim in claims:
        if claim.slice.expiries or claim.slice.kind.proves:
            # A slice that may crash its worker is claimed alone, so that other leases are not
            # lost.
            return chosen or [claim]
        capacity -= claim_weight(claim.puzzle.cells)
        if capacity < 0 and chosen:
            break
        chosen.append(claim)
    return chosen
