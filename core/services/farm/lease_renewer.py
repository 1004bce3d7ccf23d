"""Looking after claimed slices: leases, requests to stop, the state that users see.

A separate thread does it, so that a search that occupies its own thread for seconds keeps its
lease, and learns within half a second that nobody wants it any more, or that other workers are
idle.
"""

from __future__ import annotations

import random
import threading
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass

from tilework.core.compiling import compile_wait_seconds
from tilework.core.model.leases import Lease, kept
from tilework.core.model.solves import Claim, Slice
from tilework.core.model.states import Queue, SliceKind
from tilework.core.model.workload import SEEN_FOR_S, Farm
from tilework.core.puzzle.board import Board
from tilework.core.services.farm.leasing import SMALL_CELLS
from tilework.core.services.farm.state_machine.events import Share, Started, WorkersIdle
from tilework.core.services.farm.state_machine.machine import StateMachine
from tilework.core.services.ports import Tickets
from tilework.core.settings import Settings
from tilework.core.storage.database import Database

# Seconds between two looks at the database, but for those of shared searches (see `Farm`).
TICK_S = 0.4
OPEN_TICK_S = 0.1

# A job that ends by then goes from queued straight to its last state, without being running.
FIRST_TICK_S = 0.15

# Kernels that are compiled already are loaded in less (seconds).
LEAST_WAIT_S = 0.2


class LeaseRenewer:
    """Holds the claims of one worker.

    ``short``: the queues of short work that the worker serves: long searches make way for it.
    """

    def __init__(
        self,
        storage: Database,
        tickets: Tickets,
        settings: Settings,
        short: Collection[Queue],
        state_machine: StateMachine,
    ) -> None:
        self._storage = storage
        self._tickets = tickets
        self._lease_s = settings.lease_s
        self._state_machine = state_machine
        self._clock = storage.clock
        self._short = short
        self._seen = Farm()
        self._given_back_s = 0.0

    def look(self, solve_id: str) -> Farm:
        """Return the farm's state as seen from a solve."""
        since = self._clock() - SEEN_FOR_S
        with self._storage.reading() as session:
            return session.workers.look(solve_id, self._short, since)

    @contextmanager
    def holding(self, claims: Sequence[Claim], owner: str) -> Iterator[LeaseSet]:
        """Look after claims until the end of the block."""
        hold = LeaseSet(claims, owner, self._seen)
        # What was waited for before belongs to no job of these.
        self._given_back_s = compile_wait_seconds()
        shown: set[str] = set()

        def look() -> float:
            self._look_after(hold, shown)
            return _pause(hold)

        def renew() -> None:
            until = self._clock() + self._lease_s
            with self._storage.writing() as session:
                session.slices.renew(hold.leases(), until)

        with kept(look, renew, lease_s=self._lease_s, first_pause_s=FIRST_TICK_S):
            yield hold

    def _look_after(self, hold: LeaseSet, shown: set[str]) -> None:
        ids = [lease.id for lease in hold.leases()]
        if not ids:
            return
        now = self._clock()
        current = hold.at_work()
        with self._storage.reading() as session:
            hold.keep_only(ids, session.slices.wanted(ids, hold.owner))
            if hold.at_long_opening():
                hold.makes_way = hold.makes_way or any(
                    session.slices.some_ready(queue, SMALL_CELLS) for queue in self._short
                )
            elif current is not None and current.kind is not SliceKind.OPEN:
                self._seen = session.workers.look(current.solve_id, self._short, now - SEEN_FOR_S)
                hold.note(self._seen)
        if current is None:
            return
        self._postpone(current.solve_id)
        if current.kind is SliceKind.IMPROVE and hold.farm is not None and hold.farm.starving:
            self._employ(current, hold.farm)
        # Of a long search once, not for each of its slices.
        shows = current.id if current.kind is SliceKind.OPEN else current.solve_id
        if shows not in shown:
            self._state_machine.report(current.solve_id, Started(current))
            shown.add(shows)

    def _postpone(self, solve_id: str) -> None:
        """Give jobs the time back in which their search waited for a compiler."""
        waited_s = compile_wait_seconds() - self._given_back_s
        if waited_s > LEAST_WAIT_S:
            with self._storage.writing() as session:
                session.deadlines.postpone(solve_id, waited_s)
            self._given_back_s += waited_s

    def _employ(self, piece: Slice, farm: Farm) -> None:
        """Have more tries at a solve's solution made by workers that have nothing to do."""
        event = WorkersIdle(piece, farm.starving, Share(farm.pace(), farm.workers))
        fresh = self._state_machine.report(piece.solve_id, event).fresh
        if fresh:
            with suppress(Exception):  # the reconciler replaces lost tickets
                self._tickets.send(Queue.SEARCH, len(fresh))


def _pause(hold: LeaseSet) -> float:
    if hold.at_long_opening():
        return OPEN_TICK_S
    farm = hold.farm
    if farm is None or farm.workers == 1:  # a lone worker has nobody to share with
        return TICK_S
    return farm.check_interval_s()


@dataclass(frozen=True, slots=True)
class Assignment:
    """A claim to be worked on, with its boards; ``cancelled`` says whether nobody wants it now."""

    claim: Claim
    board: Board
    goal: Board
    leases: LeaseSet
    cancelled: Callable[[], bool]

    def enough(self) -> bool:
        """Do the short work that waits; whether nobody wants the claim any more."""
        self.leases.make_way()
        return self.cancelled()


class LeaseSet:
    """Claims that are being looked after; shared by the worker's thread and the renewer's."""

    def __init__(self, claims: Sequence[Claim], owner: str, before: Farm) -> None:
        self.owner = owner
        self.farm: Farm | None = None
        self._before = before
        self.makes_way = False
        self.shares = False
        self.interlude: Callable[[], object] | None = None
        self._lock = threading.Lock()
        self._held = {claim.slice.id: claim.slice.lease for claim in claims}
        self._unwanted: set[str] = set()
        self._current: Claim | None = None

    def slice_s(self, settings: Settings) -> float:
        """Return how long a slice should take; until the first look, as at the last of all."""
        return (self.farm or self._before).slice_s(settings)

    def start(self, claim: Claim) -> None:
        """Note which claim is being worked on; it may be a new one."""
        with self._lock:
            self._held[claim.slice.id] = claim.slice.lease
            self._current = claim
            self.shares = False

    def make_way(self) -> None:
        """Do the short work that waits, within what is too dear to be ended for it."""
        if self.makes_way and self.interlude is not None:
            self.makes_way = False
            self.interlude()

    def done(self, claim: Claim) -> None:
        """Stop looking after a claim."""
        with self._lock:
            self._held.pop(claim.slice.id, None)
            self._current = None

    def wanted(self, claim: Claim) -> bool:
        """Whether somebody still asks for this, as far as known."""
        return claim.slice.id not in self._unwanted

    def leases(self) -> list[Lease]:
        """Return what is held."""
        with self._lock:
            # In one order, so that two transactions never wait for each other's rows.
            return [lease for _, lease in sorted(self._held.items())]

    def at_work(self) -> Slice | None:
        """Return the slice that is being worked on right now."""
        with self._lock:
            return None if self._current is None else self._current.slice

    def at_long_opening(self) -> bool:
        """Whether what is being worked on may take seconds, and does short work in between."""
        with self._lock:
            current = self._current
        if current is None or current.slice.kind is not SliceKind.OPEN:
            return False
        # Few slides of small boards are looked for there as long as it takes.
        return current.puzzle.cells > SMALL_CELLS or current.slice.queue is Queue.SEARCH

    def note(self, farm: Farm) -> None:
        """Note the farm's state, and whether the current slice should end early because of it."""
        self.farm = farm
        self.makes_way = self.makes_way or random.random() < farm.chance_to_yield()
        self.shares = self.shares or random.random() < farm.chance_to_share()

    def keep_only(self, looked_up: Collection[str], wanted: Collection[str]) -> None:
        """Note which of these claims are still asked for; a lost one stays lost."""
        self._unwanted |= set(looked_up) - set(wanted)
