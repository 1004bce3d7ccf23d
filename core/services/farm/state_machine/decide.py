"""Decides what happens to a solve, its jobs and its slices; see docs/solve-states.md."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tilework.core.model.farm.changes import Changes, SliceAction, Snapshot
from tilework.core.services.farm.state_machine import (
    client_events,
    events,
    slice_events,
    trial_events,
)
from tilework.core.services.farm.state_machine.decision_builder import DecisionBuilder

HANDLERS: dict[type, Callable[[DecisionBuilder, Any], None]] = {
    events.JobSubmitted: client_events.on_job_submitted,
    events.BoundsLearned: client_events.on_bounds_learned,
    events.SolutionInvalidated: client_events.on_solution_invalidated,
    events.WorkDamaged: client_events.on_work_damaged,
    events.JobCancelled: client_events.on_job_cancelled,
    events.TimePassed: client_events.on_time_passed,
    events.SliceRunning: slice_events.on_slice_running,
    events.BoundsImproved: slice_events.on_bounds_improved,
    events.InitialSearchEnded: slice_events.on_initial_search_ended,
    events.SearchSliceEnded: slice_events.on_search_slice_ended,
    events.ProofChecked: slice_events.on_proof_checked,
    events.TrialEnded: trial_events.on_trial_ended,
    events.WorkersIdle: trial_events.on_workers_idle,
    events.LeaseLost: slice_events.on_lease_lost,
    events.SliceFailed: slice_events.on_slice_failed,
    events.SliceSplit: slice_events.on_slice_split,
}


def decide(snapshot: Snapshot, event: events.Event, now: float) -> Changes:
    """Decide what follows from an event. This is a pure function.

    ``snapshot``: the state of the solve, read under its lock.
    ``now``: epoch seconds by the database's clock.

    Raises BoundsError if a solution is shorter than a proven bound.
    """
    builder = DecisionBuilder(snapshot, now)
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
