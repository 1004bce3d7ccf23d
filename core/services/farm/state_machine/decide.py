"""Decide what happens to a solve, its jobs and its slices; see docs/solve-states.md."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tilework.core.model.changes import Applied, Changes, SliceAction, Snapshot
from tilework.core.model.leases import Holder
from tilework.core.model.solves import Solve
from tilework.core.services.farm.state_machine import (
    client_events,
    events,
    failure_events,
    initial_search,
    threshold_search,
    trial_events,
)
from tilework.core.services.farm.state_machine.decision_builder import DecisionBuilder
from tilework.core.settings import Settings
from tilework.core.storage.session import Session

_HANDLERS: dict[type, Callable[[DecisionBuilder, Any], None]] = {
    events.Asked: client_events.asked,
    events.Learned: client_events.learned,
    events.SolutionInvalidated: client_events.solution_invalidated,
    events.WorkDamaged: client_events.work_damaged,
    events.Cancelled: client_events.cancelled,
    events.TimePassed: client_events.time_passed,
    events.Started: initial_search.started,
    events.Noted: initial_search.noted,
    events.Opened: initial_search.opened,
    events.Slid: initial_search.slid,
    events.Searched: threshold_search.searched,
    events.Checked: threshold_search.checked,
    events.Improved: trial_events.improved,
    events.WorkersIdle: trial_events.workers_idle,
    events.LeaseLost: failure_events.lease_lost,
    events.SliceFailed: failure_events.slice_failed,
    events.SliceSplit: failure_events.slice_split,
}


def decide(snapshot: Snapshot, event: events.Event, now: float, settings: Settings) -> Changes:
    """Decide what follows from an event: a pure function.

    ``snapshot``: where the solve stands, as it was read under its lock.
    ``now``: epoch seconds, by the database's clock.

    Raises BoundsError if a solution is shorter than what was proved.
    """
    draft = DecisionBuilder(snapshot, now, settings)
    if not isinstance(event, events.SliceEvent) or event.piece.epoch == draft.solve.epoch:
        _HANDLERS[type(event)](draft, event)
    elif not isinstance(event, events.Started | events.Noted | events.WorkersIdle):
        # Nothing rests on it any more; left alone, its lease would expire and be revoked for ever.
        draft.end_slice(event.piece, SliceAction.DELETE)
    draft.changes.solve = draft.solve
    return draft.changes


def advance(
    session: Session,
    solve: Solve,
    event: events.Event,
    now: float,
    settings: Settings,
    *,
    others: float | None = None,
    holder: Holder | None = None,
) -> Applied:
    """Decide what follows from an event for a locked solve, and apply it.

    ``others`` and ``holder`` are those of `ChangeRepository.apply`.
    """
    own = event.piece.id if isinstance(event, events.SliceEvent) else None
    changes = decide(session.changes.snapshot(solve, own), event, now, settings)
    return session.changes.apply(solve, changes, now, others=others, holder=holder)
