"""Working: claim slices under lease, run them, store what they found."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass

from core.services.claiming import Claims
from core.services.farm import Farm
from core.services.keeper import Hold, Keeper
from core.services.ports import Engine, Storage, Tickets
from core.services.records import Claim, Lease
from core.services.running import Finished, Runner
from core.services.setbacks import is_poison, split
from core.services.states import Queue
from core.settings import Settings

# Finished slices wait no longer than this for others to share their transaction (seconds).
FLUSH_S = 0.02

# A worker goes on with a long search for so long before it looks into the other queues again.
SEARCH_RUN_S = 10.0

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class WorkReport:
    """Slices run, and whether there may be more to do: then mint a new ticket."""

    ran: int
    more: bool


class Work:
    """One worker's work; not to be shared by threads.

    Parameters
    ----------
    serves : collection of Queue
        What the worker takes tickets of: where short work waits, long searches make way for it.
    """

    def __init__(
        self,
        storage: Storage,
        tickets: Tickets,
        settings: Settings,
        engine: Engine,
        *,
        serves: Collection[Queue] = tuple(Queue),
    ) -> None:
        self._storage = storage
        self._tickets = tickets
        self._settings = settings
        self._clock = storage.clock
        self._claims = Claims(storage, settings)
        short = [queue for queue in serves if queue in (Queue.INTERACTIVE, Queue.BATCH)]
        self._keeper = Keeper(storage, settings.lease_s, short)
        self._runner = Runner(storage, settings, engine, self._keeper.look)

    def run(self, queue: str, owner: str, stopping: Callable[[], bool]) -> WorkReport:
        """Work for some seconds, or until nothing is ready or other queues come first.

        Parameters
        ----------
        queue : str
            Where to claim.
        owner : str
            Who holds the leases: a name that no other worker has at the same time.
        stopping : callable
            Once it is True, this returns soon; what is unfinished keeps its cursor.
        """
        searching = queue == Queue.SEARCH
        end = time.monotonic() + (SEARCH_RUN_S if searching else self._settings.run_s)
        ran = 0
        while not stopping():
            claims = self._claims.take(Queue(queue), owner)
            if not claims:
                return WorkReport(ran, False)
            if not searching:
                ran += self._run(claims, owner, stopping)
            else:
                count, makes_way = self._search(claims[0], owner, stopping, end)
                ran += count
                if makes_way:
                    break
            if time.monotonic() >= end:
                break
        return WorkReport(ran, True)

    def _search(
        self, claim: Claim, owner: str, stopping: Callable[[], bool], end: float
    ) -> tuple[int, bool]:
        """Run a slice and go on with what remains, slice after slice, while it is its turn.

        Returns
        -------
        tuple of int and bool
            Slices run, and whether short work waits for this worker.
        """
        ran = 0
        onward: Claim | None = claim
        with self._keeper.holding([claim], owner) as hold:
            while onward is not None:
                finished = self._run_one(onward, hold, stopping)
                ran += 1
                onward = None
                if finished is not None:
                    goes_on = not (stopping() or hold.makes_way or time.monotonic() >= end)
                    now = self._clock()
                    lease = Lease(owner, now + self._settings.lease_s) if goes_on else None
                    with self._storage.writing() as session:
                        ended = finished.store(session, now, lease)
                    hold.done(finished.claim)
                    self._tell(ended.ready, hold.farm)
                    onward = ended.onward
            return ran, hold.makes_way

    def _tell(self, ready: int, farm: Farm | None) -> None:
        """Send tickets for new search slices, where a worker may have nothing to do."""
        if ready and (farm is None or not farm.workers or farm.idle or not farm.ready):
            with suppress(Exception):  # the reconciler mints what a silent broker loses
                self._tickets.send(Queue.SEARCH, ready)

    def _run(self, claims: Sequence[Claim], owner: str, stopping: Callable[[], bool]) -> int:
        ran = 0
        finished: list[Finished] = []
        flushed = time.monotonic()
        with self._keeper.holding(claims, owner) as hold:
            for place, claim in enumerate(claims):
                if stopping():
                    self._claims.give_back(claims[place:], owner)
                    break
                outcome = self._run_one(claim, hold, stopping)
                ran += 1
                if outcome is not None:
                    finished.append(outcome)
                if time.monotonic() - flushed > FLUSH_S:
                    self._flush(finished, hold)
                    flushed = time.monotonic()
            self._flush(finished, hold)
        return ran

    def _run_one(self, claim: Claim, hold: Hold, stopping: Callable[[], bool]) -> Finished | None:
        if is_poison(claim.slice):
            halves = self._runner.halves(claim)
            with self._storage.writing() as session:
                split(session, claim.slice, halves, self._clock())
            hold.done(claim)
            return None
        hold.begin(claim)
        return self._runner.run(claim, hold, stopping)

    def _flush(self, finished: list[Finished], hold: Hold) -> None:
        if not finished:
            return
        now = self._clock()
        ready = 0
        # In the order of their keys, so that two workers never wait for each other's rows.
        together = sorted(finished, key=lambda one: one.claim.puzzle.key)
        for outcomes in _transactions(together):
            with self._storage.writing() as session:
                ready += sum(outcome.store(session, now, None).ready for outcome in outcomes)
        for outcome in finished:
            hold.done(outcome.claim)
        finished.clear()
        self._tell(ready, hold.farm)


def _transactions(finished: Sequence[Finished]) -> Iterator[Sequence[Finished]]:
    """Yield what may be stored in one transaction."""
    together = [one for one in finished if not one.alone]
    if together:
        yield together
    yield from ([one] for one in finished if one.alone)
