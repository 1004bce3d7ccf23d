"""Looking after claimed slices while they run: leases, wishes, the state people see.

A thread does it, so that a search that holds its own thread for seconds keeps its lease, and
hears within half a second that nobody wants it any more, or that others have nothing to do.
"""

from __future__ import annotations

import logging
import random
import threading
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager

from core.services.farm import SEEN_FOR_S, Farm
from core.services.ports import Storage
from core.services.records import Claim
from core.services.states import Queue, SliceKind

# Seconds between two looks at the database; the more workers look, the longer.
TICK_S = 0.4
SEARCH_TICK_S = 0.2
TICK_S_A_WORKER = 0.004

# A claim that is done by then goes from queued to its end without a stop at running.
FIRST_TICK_S = 0.15

_log = logging.getLogger(__name__)


class Keeper:
    """Holds the claims of one worker.

    Parameters
    ----------
    lease_s : float
        How long a lease lasts unless it is renewed, in seconds.
    short : collection of Queue
        The queues of short work that the worker serves: long searches make way for it.
    """

    def __init__(self, storage: Storage, lease_s: float, short: Collection[Queue]) -> None:
        self._storage = storage
        self._lease_s = lease_s
        self._clock = storage.clock
        self._short = short

    def look(self, solve_id: str) -> Farm:
        """Return what is going on, seen from a solve."""
        since = self._clock() - SEEN_FOR_S
        with self._storage.reading() as session:
            return session.workers.look(solve_id, self._short, since)

    @contextmanager
    def holding(self, claims: Sequence[Claim], owner: str) -> Iterator[Hold]:
        """Look after claims until the end of the block."""
        hold = Hold(claims, owner)
        thread = threading.Thread(target=self._keep, args=(hold,), name="keeper", daemon=True)
        thread.start()
        try:
            yield hold
        finally:
            hold.let_go()
            thread.join()

    def _keep(self, hold: Hold) -> None:
        started: set[str] = set()
        renewed = self._clock()
        pause = FIRST_TICK_S
        while not hold.over.wait(pause):
            pause = TICK_S if hold.farm is None else _pause(hold.farm)
            try:
                renewed = self._tick(hold, started, renewed)
            except Exception:  # whatever a driver may raise: the next tick tries again
                _log.warning("leases could not be looked after", exc_info=True)

    def _tick(self, hold: Hold, started: set[str], renewed: float) -> float:
        now = self._clock()
        ids = hold.ids()
        if not ids:
            return renewed
        running, searching = hold.running()
        with self._storage.reading() as session:
            hold.keep_only(ids, session.slices.wanted(ids, hold.owner))
            if searching is not None:
                hold.note(session.workers.look(searching, self._short, now - SEEN_FOR_S))
        if running is not None and running not in started:
            with self._storage.writing() as session:
                # Whoever changes jobs holds their solve: no two wait for each other's rows.
                session.solves.lock(running)
                session.jobs.start(running, now)
            started.add(running)
        if now - renewed <= self._lease_s / 3:
            return renewed
        with self._storage.writing() as session:
            session.slices.renew(ids, hold.owner, now + self._lease_s)
        return now


def _pause(farm: Farm) -> float:
    # Who is alone has nobody to share with.
    return TICK_S if farm.workers == 1 else max(SEARCH_TICK_S, TICK_S_A_WORKER * farm.workers)


class Hold:
    """Claims that are being looked after; shared by the worker's thread and the keeper's."""

    def __init__(self, claims: Sequence[Claim], owner: str) -> None:
        self.owner = owner
        self.over = threading.Event()
        self.farm: Farm | None = None
        self.makes_way = False
        self.shares = False
        self._lock = threading.Lock()
        self._held = {claim.slice.id for claim in claims}
        self._unwanted: set[str] = set()
        self._running: Claim | None = None

    def begin(self, claim: Claim) -> None:
        """Note which claim is running; it may be a new one."""
        with self._lock:
            self._held.add(claim.slice.id)
            self._running = claim
            self.shares = False

    def done(self, claim: Claim) -> None:
        """Stop looking after a claim."""
        with self._lock:
            self._held.discard(claim.slice.id)
            self._running = None

    def wanted(self, claim: Claim) -> bool:
        """Whether somebody still asks for this, as far as is known."""
        return claim.slice.id not in self._unwanted

    def ids(self) -> list[str]:
        """Return the ids of what is held."""
        with self._lock:
            return list(self._held)

    def running(self) -> tuple[str | None, str | None]:
        """Return the solve that is being worked on right now, and again if it is searched."""
        with self._lock:
            if self._running is None:
                return None, None
            piece = self._running.slice
            return piece.solve_id, None if piece.kind is SliceKind.OPEN else piece.solve_id

    def note(self, farm: Farm) -> None:
        """Note what is going on, and whether the running slice should end for the sake of it."""
        self.farm = farm
        self.makes_way = self.makes_way or random.random() < farm.chance_to_yield()
        self.shares = self.shares or random.random() < farm.chance_to_share()

    def keep_only(self, looked_up: Collection[str], wanted: Collection[str]) -> None:
        """Note which of some claims are still asked for; what was lost stays lost."""
        self._unwanted |= set(looked_up) - set(wanted)

    def let_go(self) -> None:
        """End the looking after."""
        self.over.set()
