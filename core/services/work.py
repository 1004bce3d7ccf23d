"""Working: claim slices under lease, run them, store what they found."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass

from core.services.claiming import Claims
from core.services.keeper import Hold, Keeper
from core.services.ports import Clock, Engine, Storage, Tickets, system_clock
from core.services.records import Claim
from core.services.running import Finished, Runner
from core.services.setbacks import is_poison, split
from core.services.states import Queue
from core.settings import Settings

# Finished slices wait no longer than this for others to share their transaction (seconds).
FLUSH_S = 0.02

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class WorkReport:
    """Slices run, and whether there may be more to do: then mint a new ticket."""

    ran: int
    more: bool


class Work:
    """One worker's work; not to be shared by threads."""

    def __init__(
        self,
        storage: Storage,
        tickets: Tickets,
        settings: Settings,
        engine: Engine,
        clock: Clock = system_clock,
    ) -> None:
        self._storage = storage
        self._tickets = tickets
        self._settings = settings
        self._clock = clock
        self._claims = Claims(storage, settings, clock)
        self._keeper = Keeper(storage, settings.lease_s, clock)
        self._runner = Runner(storage, settings, engine, clock)

    def run(self, queue: str, owner: str, stopping: Callable[[], bool]) -> WorkReport:
        """Work for about a second, or until nothing is ready.

        Parameters
        ----------
        queue : str
            Where to claim.
        owner : str
            Who holds the leases: a name that no other worker has at the same time.
        stopping : callable
            Once it is True, this returns soon; what is unfinished keeps its cursor.
        """
        end = time.monotonic() + self._settings.run_s
        ran = 0
        while not stopping():
            claims = self._claims.take(Queue(queue), owner)
            if not claims:
                return WorkReport(ran, False)
            ran += self._run(claims, owner, stopping)
            if time.monotonic() >= end:
                break
        return WorkReport(ran, True)

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
        return self._runner.run(claim, lambda: stopping() or not hold.wanted(claim))

    def _flush(self, finished: list[Finished], hold: Hold) -> None:
        if not finished:
            return
        now = self._clock()
        ready = 0
        # In the order of their keys, so that two workers never wait for each other's rows.
        with self._storage.writing() as session:
            for outcome in sorted(finished, key=lambda one: one.claim.puzzle.key):
                ready += outcome.store(session, now)
        for outcome in finished:
            hold.done(outcome.claim)
        finished.clear()
        if ready:
            with suppress(Exception):  # the reconciler mints what a silent broker loses
                self._tickets.send(Queue.SEARCH, ready)
