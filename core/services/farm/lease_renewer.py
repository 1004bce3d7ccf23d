"""Renews the leases of claimed slices, and checks whether they are still needed.

It runs in its own thread. A search that occupies its thread for seconds keeps its lease this way,
and soon learns that it is no longer needed or that other workers are idle: within half a second, or
a few seconds on a farm of hundreds of workers.
"""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager, suppress

from tilework.core.compiling import load_wait_s
from tilework.core.model.farm.solves import Claim, Slice
from tilework.core.model.farm.workload import (
    SLICE_S_PER_WORKER,
    SMALL_CELLS,
    WORKER_TIMEOUT_S,
    FarmState,
)
from tilework.core.model.leases import HeldLeases, Lease, LeaseThread
from tilework.core.model.states import Queue, SliceKind
from tilework.core.search.limits import Statistics, pausing, search_clock
from tilework.core.services.farm.state_machine.events import SliceRunning, WorkersIdle
from tilework.core.services.farm.state_machine.machine import report_event
from tilework.core.services.tickets import Tickets
from tilework.core.settings import Settings
from tilework.core.storage.database import Database

# Seconds between two checks, except for shared searches (see `FarmState.check_interval_s`).
TICK_S = 0.4
OPEN_TICK_S = 0.1

# Minimum seconds between two reports of the effort on a slice.
REPORT_INTERVAL_S = 1.6

# A job that ends earlier goes from queued straight to its final state.
FIRST_TICK_S = 0.15

# Loading kernels that are already compiled takes less than this (seconds).
MIN_WAIT_S = 0.2


class LeaseRenewer:
    """Renews the leases of one worker.

    ``short``: the queues of short work that the worker serves; long searches yield to them.
    """

    def __init__(
        self,
        storage: Database,
        tickets: Tickets,
        settings: Settings,
        short: Collection[Queue],
    ) -> None:
        self._storage = storage
        self._tickets = tickets
        self._lease_s = settings.lease_s
        self._clock = storage.clock
        self._short = short
        self._last_state = FarmState()
        self._extended_s = 0.0
        self._thread = LeaseThread()

    def farm_state(self, solve_id: str) -> FarmState:
        """Return the state of the farm as seen from a solve."""
        since = self._clock() - WORKER_TIMEOUT_S
        with self._storage.reading() as session:
            return session.workers.farm_state(solve_id, self._short, since)

    @contextmanager
    def hold(self, claims: Sequence[Claim], owner: str) -> Iterator[LeaseSet]:
        """Renew the leases of claims until the end of the block."""
        leases = LeaseSet(claims, owner, self._last_state)
        # The jobs of these claims have not waited for what was loaded earlier.
        self._extended_s = load_wait_s()
        reported_ids: set[str] = set()

        def check() -> float:
            self._check(leases, reported_ids)
            return _pause(leases)

        def renew() -> None:
            until = self._clock() + self._lease_s
            with self._storage.writing() as session:
                session.slices.renew(leases.all(), until)

        held = HeldLeases(check, renew, lease_s=self._lease_s, first_pause_s=FIRST_TICK_S)
        with self._thread.hold(held):
            yield leases

    def _check(self, leases: LeaseSet, reported_ids: set[str]) -> None:
        ids = [lease.id for lease in leases.all()]
        if not ids:
            return
        now = self._clock()
        current = leases.current_slice()
        with self._storage.reading() as session:
            leases.drop_unneeded(ids, session.slices.needed(ids, leases.owner))
            if leases.is_in_long_initial_search():
                leases.must_yield = leases.must_yield or any(
                    session.slices.has_ready(queue, SMALL_CELLS) for queue in self._short
                )
            elif current is not None and current.kind is not SliceKind.INITIAL:
                self._last_state = session.workers.farm_state(
                    current.solve_id, self._short, now - WORKER_TIMEOUT_S
                )
                leases.update_farm(self._last_state)
        if current is None:
            return
        self._extend_deadlines(current.solve_id)
        if current.kind is SliceKind.IMPROVE and leases.farm is not None and leases.farm.starving:
            self._request_trials(current, leases.farm)
        # A long search has started once, not with each of its slices.
        search_id = current.id if current.kind is SliceKind.INITIAL else current.solve_id
        if search_id not in reported_ids or leases.is_report_due():
            with leases.counting() as effort:
                # The effort is that of the slice being worked on now, which may be the next one.
                if (slice_ := leases.current_slice()) is not None:
                    started_at = self._clock() - leases.current_s()
                    event = SliceRunning(slice_, started_at, effort=effort)
                    report_event(self._storage, slice_.solve_id, event)
                    reported_ids.add(search_id)

    def _extend_deadlines(self, solve_id: str) -> None:
        """Extend the deadlines of jobs by the time that their search waited for code or tables."""
        waited_s = load_wait_s() - self._extended_s
        if waited_s > MIN_WAIT_S:
            with self._storage.writing() as session:
                # Locked first, as for any event that ends its jobs.
                session.solves.lock_unread(solve_id)
                session.jobs.extend_deadlines(solve_id, waited_s)
            self._extended_s += waited_s

    def _request_trials(self, slice_: Slice, farm: FarmState) -> None:
        """Add trials that idle workers can run."""
        event = WorkersIdle(slice_, farm.starving, farm)
        ready_queues = report_event(self._storage, slice_.solve_id, event).ready_queues
        if ready_queues:
            with suppress(Exception):  # the reconciler replaces lost tickets
                self._tickets.send(Queue.SEARCH, len(ready_queues))


def _pause(leases: LeaseSet) -> float:
    if leases.is_in_long_initial_search():
        return OPEN_TICK_S
    farm = leases.farm
    if farm is None or farm.workers == 1:  # there is no other worker to share with
        return TICK_S
    return farm.check_interval_s()


class LeaseSet:
    """The claims of a worker, shared by its own thread and the renewer's."""

    def __init__(self, claims: Sequence[Claim], owner: str, previous: FarmState) -> None:
        self.owner = owner
        self.farm: FarmState | None = None
        self._previous = previous
        self.must_yield = False
        self.must_share = False
        self.run_short_work: Callable[[], object] | None = None
        self._lock = threading.Lock()
        self._held = {claim.slice.id: claim.slice.lease for claim in claims}
        self._unneeded: set[str] = set()
        self._current: Claim | None = None
        self._counting = threading.Lock()
        self._reset()

    def _reset(self) -> None:
        self._nodes, self._counted = 0, Statistics()
        self._start = search_clock()
        self._started_at = self._reported_at = time.monotonic()

    def slice_s(self, settings: Settings) -> float:
        """Return how long a slice should take, by the most recent state of the farm."""
        return (self.farm or self._previous).slice_s(settings)

    def start(self, claim: Claim) -> None:
        """Set the claim being worked on; it may be a new one."""
        with self._counting, self._lock:
            self._held[claim.slice.id] = claim.slice.lease
            self._current = claim
            self.must_share = False
            self._reset()

    def current_s(self) -> float:
        """Return the seconds since work on the current slice began."""
        return time.monotonic() - self._started_at

    def searched_s(self) -> float:
        """Return the seconds of search for the current slice."""
        return search_clock() - self._start

    def report(self, nodes: int) -> None:
        """Set how many nodes the current slice has generated.

        The total of a parallel search may lack nodes that were reported while it ran.
        """
        self._nodes = max(self._nodes, nodes)

    def is_report_due(self) -> bool:
        """Whether it is time to report the nodes of the current slice, if it has new ones."""
        # With many workers, each reports less often, which limits the commits per solve.
        interval_s = SLICE_S_PER_WORKER * (0 if self.farm is None else self.farm.held)
        elapsed_s = time.monotonic() - self._reported_at
        is_new = self._nodes > self._counted.generated
        return is_new and elapsed_s >= max(REPORT_INTERVAL_S, interval_s)

    @contextmanager
    def counting(self) -> Iterator[Statistics]:
        """Yield the effort on the current slice that no earlier block counted.

        It counts unless the block fails. One block follows another, so nothing counts twice, and
        nothing is lost because the slice ends in the middle of a report.
        """
        with self._counting:
            effort = Statistics(
                generated=self._nodes - self._counted.generated,
                seconds=max(0.0, self.searched_s() - self._counted.seconds),
            )
            yield effort
            self._counted += effort
            self._reported_at = time.monotonic()

    def run_waiting_short_work(self) -> None:
        """Run waiting short work from within a slice that is too expensive to interrupt."""
        if self.must_yield and self.run_short_work is not None:
            self.must_yield = False
            with pausing():
                self.run_short_work()

    def finish(self, claim: Claim) -> None:
        with self._lock:
            self._held.pop(claim.slice.id, None)
            self._current = None

    def is_needed(self, claim: Claim) -> bool:
        """Whether a claim was needed at the last check."""
        return claim.slice.id not in self._unneeded

    def all(self) -> list[Lease]:
        with self._lock:
            # Always in the same order, so that two transactions never deadlock.
            return [lease for _, lease in sorted(self._held.items())]

    def current_slice(self) -> Slice | None:
        """Return the slice being worked on."""
        with self._lock:
            return None if self._current is None else self._current.slice

    def is_in_long_initial_search(self) -> bool:
        """Whether the current slice is an initial search that may take seconds."""
        with self._lock:
            current = self._current
        if current is None or current.slice.kind is not SliceKind.INITIAL:
            return False
        # In this queue, a search for few slides on a small board has no time limit.
        return current.puzzle.cells > SMALL_CELLS or current.slice.queue is Queue.SEARCH

    def update_farm(self, farm: FarmState) -> None:
        """Take a new state of the farm, and decide whether the current slice should end early."""
        self.farm = farm
        self.must_yield = self.must_yield or random.random() < farm.chance_to_yield()
        self.must_share = self.must_share or random.random() < farm.chance_to_share()

    def drop_unneeded(self, checked_ids: Collection[str], needed_ids: Collection[str]) -> None:
        """Mark the checked claims that are no longer needed; the mark is permanent."""
        self._unneeded |= set(checked_ids) - set(needed_ids)
