"""Handlers of failed slices: errors, expired leases, quarantine.

An attempt is counted before it starts; an expired lease means that a worker died or hung. A slice
that keeps failing is split once, to isolate the part that fails, and then quarantined.
"""

from __future__ import annotations

from dataclasses import replace

from tilework.core.messages import Message
from tilework.core.model.farm.changes import SliceAction, WorkGroup
from tilework.core.model.farm.solves import Slice, SliceResult
from tilework.core.model.ids import new_id
from tilework.core.model.states import SliceKind, SliceState
from tilework.core.services.farm.state_machine.decision_builder import DecisionBuilder
from tilework.core.services.farm.state_machine.events import LeaseLost, SliceFailed, SliceSplit
from tilework.core.services.farm.state_machine.trial_events import (
    CRASH_WEIGHT,
    ERROR_WEIGHT,
    on_trial_failed,
)
from tilework.core.solver.work_unit import WorkUnit

# Leases that may expire before a slice is split; each half gets one attempt.
MAX_EXPIRIES = 3

# A slice that reports an error is tried again only if this was its first attempt.
MAX_ATTEMPTS_WITH_ERRORS = 2


def must_split(slice_: Slice) -> bool:
    """Whether a slice must be split before the next attempt."""
    return slice_.kind is SliceKind.SEARCH and slice_.expiries == MAX_EXPIRIES


def on_lease_lost(builder: DecisionBuilder, event: LeaseLost) -> None:
    """Requeue a slice whose lease expired, or quarantine it."""
    slice_ = event.slice
    if slice_.kind is SliceKind.IMPROVE:
        on_trial_failed(builder, slice_, CRASH_WEIGHT, expired=True)
        return
    max_expiries = MAX_EXPIRIES if slice_.kind is SliceKind.SEARCH else MAX_EXPIRIES - 1
    if slice_.expiries + 1 > max_expiries:
        _quarantine(builder, slice_, builder.quarantine_message, expired=True)
    else:
        _requeue(builder, slice_, expired=True)


def on_slice_failed(builder: DecisionBuilder, event: SliceFailed) -> None:
    """Requeue a slice whose work raised an exception, or quarantine it."""
    slice_ = event.slice
    if slice_.kind is SliceKind.IMPROVE:
        on_trial_failed(builder, slice_, ERROR_WEIGHT)
    elif slice_.attempts < MAX_ATTEMPTS_WITH_ERRORS:
        _requeue(builder, slice_, event.message)
    else:
        _quarantine(builder, slice_, event.message)


def on_slice_split(builder: DecisionBuilder, event: SliceSplit) -> None:
    """Replace a slice with its halves, or quarantine it if it cannot be split."""
    slice_, halves = event.slice, event.halves
    if halves is None:
        _quarantine(builder, slice_, builder.quarantine_message)
        return
    builder.end_slice(slice_, SliceAction.FINISH, result=SliceResult())
    state = _waiting_state(builder, slice_)
    builder.add_slices([_half_slice(slice_, half, state) for half in halves])
    solve = builder.solve
    covered = solve.covered + max(0.0, slice_.share - sum(half.share for half in halves))
    builder.solve = replace(solve, covered=covered)


def _requeue(
    builder: DecisionBuilder,
    slice_: Slice,
    message: Message | None = None,
    *,
    expired: bool = False,
) -> None:
    if _is_useless(builder, slice_):
        builder.end_slice(slice_, SliceAction.DELETE, expired=expired)
        return
    builder.end_slice(
        slice_,
        SliceAction.RETURN,
        state=_waiting_state(builder, slice_),
        expired=expired,
        message=message,
    )


def _quarantine(
    builder: DecisionBuilder, slice_: Slice, message: Message, *, expired: bool = False
) -> None:
    if _is_useless(builder, slice_):
        builder.end_slice(slice_, SliceAction.DELETE, expired=expired)
        return
    state = SliceState.QUARANTINED
    builder.end_slice(slice_, SliceAction.RETURN, state=state, expired=expired, message=message)
    builder.work.append(WorkGroup(slice_.kind, state, slice_.config, 1, message, builder.now))
    builder.end_jobs(quarantined=True)


def _is_useless(builder: DecisionBuilder, slice_: Slice) -> bool:
    """Whether no job needs the slice, so that it is deleted instead of retried."""
    return slice_.kind is SliceKind.INITIAL and all(
        job.config != slice_.config for job in builder.jobs
    )


def _waiting_state(builder: DecisionBuilder, slice_: Slice) -> SliceState:
    if slice_.kind is SliceKind.INITIAL or any(map(builder.uses_thresholds, builder.jobs)):
        return SliceState.READY
    return SliceState.PARKED


def _half_slice(slice_: Slice, half: WorkUnit, state: SliceState) -> Slice:
    return replace(
        slice_,
        id=new_id(),
        parent_id=slice_.id,
        state=state,
        cursor=half.cursor,
        share=half.share,
        attempts=0,
        # Another expired lease exceeds the limit.
        expiries=MAX_EXPIRIES + 1,
        owner=None,
    )
