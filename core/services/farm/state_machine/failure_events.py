"""Slices that failed: errors, leases that ran out, quarantine.

An attempt is counted before it starts, and a lease that runs out means a worker that died or hung.
A slice that does so again and again is split once, so that the part that can be searched is, and
then quarantined.
"""

from __future__ import annotations

from dataclasses import replace

from tilework.core.messages import Message
from tilework.core.model.changes import SliceAction, WorkGroup
from tilework.core.model.solves import Slice, SliceResult
from tilework.core.model.states import SliceKind, SliceState, new_id
from tilework.core.services.farm.state_machine.decision_builder import DecisionBuilder
from tilework.core.services.farm.state_machine.events import LeaseLost, SliceFailed, SliceSplit
from tilework.core.services.farm.state_machine.trial_events import (
    LOST_TROUBLE,
    RAISED_TROUBLE,
    trial_failed,
)
from tilework.core.solver.work_unit import WorkUnit

# Leases that may run out before a slice is split; its halves get one try each.
MOST_EXPIRIES = 3

# Errors that a slice may report: the second may be another cause, the third is not.
MOST_ATTEMPTS_WITH_ERRORS = 2


def is_poison(piece: Slice) -> bool:
    """Whether a slice is to be split before it is tried again."""
    return piece.kind is SliceKind.SEARCH and piece.expiries == MOST_EXPIRIES


def lease_lost(draft: DecisionBuilder, event: LeaseLost) -> None:
    """Take back a slice whose lease ran out."""
    piece = event.piece
    if piece.kind is SliceKind.IMPROVE:
        trial_failed(draft, piece, LOST_TROUBLE, expired=True)
        return
    most = MOST_EXPIRIES if piece.kind is SliceKind.SEARCH else MOST_EXPIRIES - 1
    if piece.expiries + 1 > most:
        _quarantine(draft, piece, draft.quarantine_message, expired=True)
    else:
        _wait_again(draft, piece, expired=True)


def slice_failed(draft: DecisionBuilder, event: SliceFailed) -> None:
    """Take back a slice whose work raised; after the second time it is quarantined."""
    piece = event.piece
    if piece.kind is SliceKind.IMPROVE:
        trial_failed(draft, piece, RAISED_TROUBLE)
    elif piece.attempts < MOST_ATTEMPTS_WITH_ERRORS:
        _wait_again(draft, piece, event.message)
    else:
        _quarantine(draft, piece, event.message)


def slice_split(draft: DecisionBuilder, event: SliceSplit) -> None:
    """Replace a slice by its two halves, or quarantine it where it cannot be split."""
    piece, halves = event.piece, event.halves
    if halves is None:
        _quarantine(draft, piece, draft.quarantine_message)
        return
    draft.end_slice(piece, SliceAction.FINISH, found=SliceResult())
    state = _waiting(draft, piece)
    draft.add_slices([_half(piece, half, state) for half in halves])
    solve = draft.solve
    covered = solve.covered + piece.share - sum(half.share for half in halves)
    draft.solve = replace(solve, covered=covered)


def _wait_again(
    draft: DecisionBuilder, piece: Slice, message: Message | None = None, *, expired: bool = False
) -> None:
    if _is_useless(draft, piece):
        draft.end_slice(piece, SliceAction.DELETE, expired=expired)
        return
    draft.end_slice(
        piece, SliceAction.RETURN, state=_waiting(draft, piece), expired=expired, message=message
    )


def _quarantine(
    draft: DecisionBuilder, piece: Slice, message: Message, *, expired: bool = False
) -> None:
    if _is_useless(draft, piece):
        draft.end_slice(piece, SliceAction.DELETE, expired=expired)
        return
    state = SliceState.QUARANTINED
    draft.end_slice(piece, SliceAction.RETURN, state=state, expired=expired, message=message)
    draft.work.append(WorkGroup(piece.kind, state, piece.config, 1, message, draft.now))
    draft.end_jobs(quarantined=True)


def _is_useless(draft: DecisionBuilder, piece: Slice) -> bool:
    """Whether a slice is dropped rather than tried again: nothing depends on it."""
    return piece.kind is SliceKind.OPEN and all(job.config != piece.config for job in draft.jobs)


def _waiting(draft: DecisionBuilder, piece: Slice) -> SliceState:
    if piece.kind is SliceKind.OPEN or any(map(draft.is_deepened, draft.jobs)):
        return SliceState.READY
    return SliceState.PARKED


def _half(piece: Slice, half: WorkUnit, state: SliceState) -> Slice:
    return replace(
        piece,
        id=new_id(),
        parent_id=piece.id,
        state=state,
        cursor=half.cursor,
        share=half.share,
        attempts=0,
        # One expiry more is one too many.
        expiries=MOST_EXPIRIES + 1,
        owner=None,
    )
