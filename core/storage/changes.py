"""Reads what a decision about a solve needs, and applies the changes that follow."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import numpy as np

from tilework.core.errors import BoardError, DamagedSolveError, ReplayError
from tilework.core.model.farm.changes import (
    Applied,
    Changes,
    NewSlices,
    NewSolution,
    SliceAction,
    SliceChange,
    Snapshot,
)
from tilework.core.model.farm.solves import BoundEventView, Slice, SliceResult, Solve
from tilework.core.model.farm.workload import start_priorities
from tilework.core.model.ids import new_id
from tilework.core.model.leases import Holder
from tilework.core.model.states import Queue, SliceKind, SliceState
from tilework.core.puzzle.moves import MoveSequence
from tilework.core.puzzle.packing import unpack_board
from tilework.core.puzzle.replay import replay
from tilework.core.storage.session import Session
from tilework.core.storage.slices import SliceRepository
from tilework.core.storage.solves import SolveRepository


def take_snapshot(session: Session, solve: Solve, excluding: str | None, now: float) -> Snapshot:
    """Return the state of a locked solve, without the slice `excluding`."""
    return Snapshot(
        solve,
        partial(session.jobs.list_active, solve.id, now),
        partial(session.slices.groups, solve.id, excluding),
        partial(session.jobs.find_twin, solve.id),
    )


def apply_changes(
    session: Session,
    before: Solve,
    changes: Changes,
    now: float,
    *,
    others: float | None = None,
    holder: Holder | None = None,
) -> Applied:
    """Apply changes, or none if their lease is lost.

    ``before``: the solve as it was locked.
    ``others``: the first priority among the waiting slices of other solves; None if there are none.
    ``holder``: the worker that continues with the first new slice, unless another solve has
        priority.
    """
    after, slices = changes.solve, session.slices
    if changes == Changes(before) or (
        changes.slice_change is not None and not _end(slices, changes.slice_change, now)
    ):
        return Applied()
    _apply_to_jobs(session, changes, now)
    ready_queues = _apply_to_slices(slices, changes, now)
    if changes.charged_s and after.client_id is not None and others is not None:
        session.clients.charge(after.client_id, others, changes.charged_s)
    next_slice = None
    for added in changes.added:
        new_slices = added.slices
        if added.cost_s is not None:
            new_slices = _with_priorities(session, added, added.cost_s, after.client_id, others)
            if holder and next_slice is None and _is_next(slices, new_slices[0], others):
                next_slice = replace(
                    new_slices[0], state=SliceState.LEASED, attempts=1, owner=holder.owner
                )
                new_slices = (next_slice, *new_slices[1:])
        slices.add(new_slices, now, holder)
        ready_queues += [new.queue for new in new_slices if new.state is SliceState.READY]
    if others is not None and after.client_id is not None and Queue.SEARCH in ready_queues:
        session.jobs.promote_search(after.client_id, after.id)
    _save(session, before, changes, now)
    return Applied(True, tuple(ready_queues), next_slice)


def _apply_to_jobs(session: Session, changes: Changes, now: float) -> None:
    jobs = session.jobs
    if changes.added_job is not None:
        jobs.add([changes.added_job])
    for ending in changes.ended_jobs:
        jobs.end(ending, now)
    if changes.started_jobs:
        jobs.start(changes.started_jobs, changes.started_at)
    if changes.moved_jobs:
        jobs.move(changes.moved_jobs, Queue.SEARCH, changes.started_at)


def _apply_to_slices(slices: SliceRepository, changes: Changes, now: float) -> list[Queue]:
    """Change existing slices; return the queue of each slice that has become ready."""
    solve_id = changes.solve.id
    if changes.deleted_from is not None:
        slices.delete_from(solve_id, changes.deleted_from)
    if changes.drops_unfinished:
        slices.drop_all(solve_id)
    if changes.withdrawn:
        slices.withdraw(solve_id, changes.withdrawn)
    if changes.drops_trials:
        slices.drop_trials(solve_id)
    if changes.parks:
        slices.park(solve_id, now)
    ready_queues: list[Queue] = []
    for revival in changes.revivals:
        ready_queues += [revival.queue] * slices.revive(solve_id, revival, now)
    if changes.expedited is not None:
        moved = slices.expedite(solve_id, *changes.expedited, now)
        ready_queues += [Queue.INTERACTIVE] * moved
    if changes.split_roots:
        slices.add([replace(root, state=SliceState.DONE) for root in changes.split_roots], now)
    return ready_queues


def _with_priorities(
    session: Session, added: NewSlices, cost_s: float, payer: str | None, others: float | None
) -> tuple[Slice, ...]:
    priorities = start_priorities(
        added.slices[0].priority,
        None if payer is None else others,
        partial(session.clients.charge, payer or ""),
        cost_s=cost_s,
        wait_s=added.wait_s,
        count=len(added.slices),
    )
    return tuple(
        replace(slice_, priority=priority)
        for slice_, priority in zip(added.slices, priorities, strict=True)
    )


def _save(session: Session, before: Solve, changes: Changes, now: float) -> None:
    after, solution, solves = changes.solve, changes.solution, session.solves
    if solution is not None:
        moves = _complete_moves(solves, before, solution)
        solves.save_with_moves(after, now, moves, solution.algorithm)
    elif after != before:
        solves.save(after, now)
    if after.bounds != before.bounds:
        method = None if solution is None else solution.algorithm
        event = BoundEventView(
            time=now,
            lower_bound=after.lower_bound,
            upper_bound=after.upper_bound,
            nodes=after.nodes,
            method=method,
        )
        session.events.add(new_id(), after.id, event)


def _complete_moves(solves: SolveRepository, solve: Solve, new: NewSolution) -> MoveSequence | None:
    """Insert a shorter segment into the stored solution, and replay the result."""
    if new.moves is None or new.count is None:
        return new.moves
    stored_moves = solves.moves(solve.id)
    if stored_moves is None or len(stored_moves) != solve.upper_bound:
        raise DamagedSolveError(solve.id)
    tail = stored_moves[new.first + new.count :]
    moves = np.concatenate([stored_moves[: new.first], new.moves, tail])
    puzzle = solves.puzzle(solve.id)
    try:
        replay(unpack_board(puzzle.board_bytes), moves, unpack_board(puzzle.goal_bytes))
    except (BoardError, ReplayError):
        # The segment was replayed when it was found, so the stored solution is damaged.
        raise DamagedSolveError(solve.id) from None
    return moves


def _end(slices: SliceRepository, change: SliceChange, now: float) -> bool:
    """Change the slice of an event; return False if its lease is lost."""
    lease = change.slice.lease
    if change.expired and not slices.is_overdue(lease, now):
        return False
    match change.action:
        case SliceAction.KEEP if change.result is not None:
            return slices.add_nodes(lease, change.result.nodes)
        case SliceAction.KEEP:
            return slices.is_held(lease)
        case SliceAction.FINISH:
            return slices.finish(lease, change.result or SliceResult(), now)
        case SliceAction.DELETE:
            return slices.drop(lease)
        case SliceAction.RETURN:
            return slices.requeue(lease, change.state, change.expiries, now, change.message)


def _is_next(slices: SliceRepository, slice_: Slice, others: float | None) -> bool:
    """Whether a new slice comes next. A trial also waits for the other slices of its solve."""
    if slice_.state is not SliceState.READY:
        return False
    if not slices.is_open(slice_.queue):
        return False
    first = slices.first_priority(None) if slice_.kind is SliceKind.IMPROVE else others
    return first is None or first >= slice_.priority
