"""Settling an event: lock, decide, apply, in one transaction."""

from __future__ import annotations

from tilework.core.model.changes import Applied, Decision
from tilework.core.model.leases import Holder
from tilework.core.model.solves import Solve
from tilework.core.model.states import Queue
from tilework.core.services.farm.life.events import (
    Event,
    Improved,
    Opened,
    Searched,
    SliceEvent,
    Slid,
)
from tilework.core.services.farm.life.live import live
from tilework.core.services.farm.life.rules import Rules
from tilework.core.services.farm.trust.mending import Mending
from tilework.core.settings import Settings
from tilework.core.storage.database import Database
from tilework.core.storage.session import Session


class Lives:
    """Settles events of solves, by the storage's clock and the settings' rules."""

    def __init__(self, storage: Database, settings: Settings) -> None:
        self._storage = storage
        self._clock = storage.clock
        self._rules = Rules.of(settings)
        self._mending = Mending(storage, settings)

    def tell(self, solve_id: str, event: Event) -> Applied:
        """Settle an event in a transaction of its own; damaged rows that it meets are mended."""

        def settle() -> Applied:
            now = self._clock()
            with self._storage.writing() as session:
                return self.settle(session, solve_id, event, now)

        return self._mending.run(settle)

    def settle(
        self,
        session: Session,
        solve_id: str,
        event: Event,
        now: float,
        holder: Holder | None = None,
    ) -> Applied:
        """Settle an event.

        Parameters
        ----------
        session : Session
            Of a transaction that writes. One in which turns are given out holds no other solve.
        now : float
            Epoch seconds, by the storage's clock.
        holder : Holder, optional
            Who would go on with what remains of a slice.
        """
        others = None
        if gives_turns(event):
            # Before the lock: the shorter it is held, the more workers can share a solve.
            others = session.slices.first_turn(solve_id)
        solve = session.solves.lock(solve_id)
        decision = self.decide(session, solve, event, now)
        return session.lives.apply(solve, decision, now, others=others, holder=holder)

    def decide(self, session: Session, solve: Solve, event: Event, now: float) -> Decision:
        """Decide what follows from an event for a locked solve."""
        but = event.piece.id if isinstance(event, SliceEvent) else None
        return live(session.lives.situation(solve, but), event, now, self._rules)


def gives_turns(event: Event) -> bool:
    """Whether an event may lead to a client's being charged."""
    if isinstance(event, Opened | Slid):
        return not event.result.optimal or event.piece.queue is Queue.SEARCH
    return isinstance(event, Searched | Improved)
