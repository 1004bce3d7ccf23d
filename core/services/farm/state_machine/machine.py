"""The state machine of solves: decides and applies each event in one transaction."""

from __future__ import annotations

from tilework.core.errors import BoundsError, DamagedSolveError
from tilework.core.model.farm.changes import Applied
from tilework.core.model.leases import Holder
from tilework.core.model.states import Queue
from tilework.core.services.farm.state_machine.decide import advance
from tilework.core.services.farm.state_machine.events import (
    Event,
    InitialSearchEnded,
    SearchSliceEnded,
    SlideSearchEnded,
    TrialEnded,
)
from tilework.core.settings import Settings
from tilework.core.storage.database import Database
from tilework.core.storage.session import Session


class StateMachine:
    """Applies events to solves."""

    def __init__(self, storage: Database, settings: Settings) -> None:
        self._storage = storage
        self._clock = storage.clock
        self._settings = settings

    def report(self, solve_id: str, event: Event) -> Applied:
        """Apply an event in its own transaction; repeat it if the solve has to start again."""
        try:
            return self._apply(solve_id, event)
        except (DamagedSolveError, BoundsError):
            return self._apply(solve_id, event)

    def _apply(self, solve_id: str, event: Event) -> Applied:
        now = self._clock()
        with self._storage.writing() as session:
            return self.apply_event(session, solve_id, event, now)

    def apply_event(
        self,
        session: Session,
        solve_id: str,
        event: Event,
        now: float,
        holder: Holder | None = None,
    ) -> Applied:
        """Lock a solve, and apply an event to it.

        ``session``: a writing transaction. If the event assigns priorities, no other solve may be
            locked in it.
        ``now``: epoch seconds by the storage's clock.
        ``holder``: the worker that would continue with the remainder of a slice.
        """
        others = None
        if assigns_priorities(event):
            # Read before locking: the shorter the lock is held, the more workers can share a
            # solve.
            others = session.slices.first_priority(solve_id)
        solve = session.solves.lock(solve_id)
        return advance(session, solve, event, now, self._settings, others=others, holder=holder)


def assigns_priorities(event: Event) -> bool:
    """Whether an event may charge a client."""
    if isinstance(event, InitialSearchEnded | SlideSearchEnded):
        return not event.result.optimal or event.slice.queue is Queue.SEARCH
    return isinstance(event, SearchSliceEnded | TrialEnded)
