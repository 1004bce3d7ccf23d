"""Decides what happens to a solve, its jobs and its slices; see docs/solve-states.md."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tilework.core.model.farm.changes import Applied, Changes, SliceAction, Snapshot
from tilework.core.model.farm.solves import Solve
from tilework.core.model.leases import Holder
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
from tilework.core.storage.changes import apply_changes, take_snapshot
from tilework.core.storage.session import Session

HANDLERS: dict[type, Callable[[DecisionBuilder, Any], None]] = {
    events.JobSubmitted: client_events.on_job_submitted,
    events.BoundsLearned: client_events.on_bounds_learned,
    events.SolutionInvalidated: client_events.on_solution_invalidated,
    events.WorkDamaged: client_events.on_work_damaged,
    events.JobCancelled: client_events.on_job_cancelled,
    events.TimePassed: client_events.on_time_passed,
    events.SliceRunning: initial_search.on_slice_running,
    events.BoundsImproved: initial_search.on_bounds_improved,
    events.InitialSearchEnded: initial_search.on_initial_search_ended,
    events.SlideSearchEnded: initial_search.on_slide_search_ended,
    events.SearchSliceEnded: threshold_search.on_search_slice_ended,
    events.ProofChecked: threshold_search.on_proof_checked,
    events.TrialEnded: trial_events.on_trial_ended,
    events.WorkersIdle: trial_events.on_workers_idle,
    events.LeaseLost: failure_events.on_lease_lost,
    events.SliceFailed: failure_events.on_slice_failed,
    events.SliceSplit: failure_events.on_slice_split,
}


def decide(snapshot: Snapshot, event: events.Event, now: float, settings: Settings) -> Changes:
    """Decide what follows from an event. This is a pure function.

    ``snapshot``: the state of the solve, read under its lock.
    ``now``: epoch seconds by the database's clock.

    Raises BoundsError if a solution is shorter than a proven bound.
    """
    builder = DecisionBuilder(snapshot, now, settings)
    if not isinstance(event, events.SliceEvent):
        HANDLERS[type(event)](builder, event)
    elif event.slice.epoch == builder.solve.epoch:
        builder.count(event.slice.kind, event.effort)
        HANDLERS[type(event)](builder, event)
    elif not isinstance(event, events.SliceRunning | events.BoundsImproved | events.WorkersIdle):
        # A slice of an earlier epoch is useless. If it were kept, its lease would expire again and
        # again.
        builder.end_slice(event.slice, SliceAction.DELETE)
    builder.changes.solve = builder.solve
    return builder.changes


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

    ``others`` and ``holder`` are passed to `apply_changes`.
    """
    slice_id = event.slice.id if isinstance(event, events.SliceEvent) else None
    changes = decide(take_snapshot(session, solve, slice_id, now), event, now, settings)
    return apply_changes(session, solve, changes, now, others=others, holder=holder)
