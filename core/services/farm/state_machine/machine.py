"""Applies the events of solves: each is decided and stored in one transaction."""

from __future__ import annotations

import logging

from tilework.core.errors import BoundsError, DamagedSolveError
from tilework.core.model.farm.changes import Applied
from tilework.core.model.farm.solves import Puzzle, Solve
from tilework.core.model.leases import Holder
from tilework.core.model.states import CounterName, Queue
from tilework.core.puzzle.arrangement import manhattan
from tilework.core.puzzle.packing import unpack_board
from tilework.core.services.farm.state_machine.decide import decide
from tilework.core.services.farm.state_machine.events import (
    Event,
    InitialSearchEnded,
    SearchSliceEnded,
    SliceEvent,
    SolutionInvalidated,
    TrialEnded,
    WorkDamaged,
)
from tilework.core.storage.changes import apply_changes, take_snapshot
from tilework.core.storage.database import Database
from tilework.core.storage.session import Session
from tilework.core.storage.solves import find_puzzle

_log = logging.getLogger(__name__)


def report_event(storage: Database, solve_id: str, event: Event) -> Applied:
    """Apply an event in its own transaction; repeat it if the solve has to start again."""
    try:
        return _report_once(storage, solve_id, event)
    except (DamagedSolveError, BoundsError):
        return _report_once(storage, solve_id, event)


def _report_once(storage: Database, solve_id: str, event: Event) -> Applied:
    now = storage.clock()
    with storage.writing() as session:
        return apply_event(session, solve_id, event, now)


def apply_event(
    session: Session, solve_id: str, event: Event, now: float, holder: Holder | None = None
) -> Applied:
    """Lock a solve, and apply an event to it.

    ``session``: a writing transaction. If the event assigns priorities, no other solve may be
        locked in it.
    ``now``: epoch seconds by the storage's clock.
    ``holder``: the worker that would continue with the remainder of a slice.
    """
    others = None
    if assigns_priorities(event):
        # Read before locking: the shorter the lock is held, the more workers can share a solve.
        others = session.slices.first_priority(solve_id)
    solve = session.solves.lock(solve_id)
    return advance(session, solve, event, now, others=others, holder=holder)


def advance(
    session: Session,
    solve: Solve,
    event: Event,
    now: float,
    *,
    others: float | None = None,
    holder: Holder | None = None,
) -> Applied:
    """Decide what follows from an event for a locked solve, and apply it.

    ``others`` and ``holder`` are passed to `apply_changes`.
    """
    slice_id = event.slice.id if isinstance(event, SliceEvent) else None
    changes = decide(take_snapshot(session, solve, slice_id, now), event, now)
    return apply_changes(session, solve, changes, now, others=others, holder=holder)


def assigns_priorities(event: Event) -> bool:
    """Whether an event may charge a client."""
    if isinstance(event, InitialSearchEnded):
        return not event.result.optimal or event.slice.queue is Queue.SEARCH
    return isinstance(event, SearchSliceEnded | TrialEnded)


def restart_solve(storage: Database, error: DamagedSolveError | BoundsError) -> None:
    """Start the solve of an error again, unless it is sound.

    If only slices are damaged, the search restarts from the proven bounds. A solution was replayed,
    so a lower bound that it contradicts must be wrong even if the row is intact.
    """
    now, solve_id = storage.clock(), error.solve_id
    with storage.writing() as session:
        if not session.solves.lock_unread(solve_id):
            return
        faults, _ = session.solves.check(solve_id)
        reason = next((fault.reason for fault in faults), None)
        if not faults and isinstance(error, BoundsError):
            if session.solves.lock(solve_id).lower_bound <= error.length:
                return
            reason = str(error.message)
        if reason is None:
            return
        slices = [fault.row_id for fault in faults if fault.table == "slice"]
        if slices and len(slices) == len(faults):
            session.solves.drop_slices(slices)
            advance(session, session.solves.lock(solve_id), WorkDamaged(), now)
        else:
            _start_again(session, solve_id, now)
        session.operation.add_to_counter(CounterName.DAMAGED_SOLVES, "", 1)
    _log.error("the solve %s was damaged and starts again: %s", solve_id, reason)


def _start_again(session: Session, solve_id: str, now: float) -> None:
    puzzle = find_puzzle(session.solves.puzzle(solve_id))
    if puzzle is None:
        session.solves.bury(solve_id, now)
        return
    blank = session.solves.restore(solve_id, puzzle, now)
    advance(session, blank, SolutionInvalidated(_initial_bound(puzzle)), now)


def _initial_bound(puzzle: Puzzle) -> int:
    """Return the lower bound that is proven without any search."""
    board, goal = unpack_board(puzzle.board_bytes), unpack_board(puzzle.goal_bytes)
    return puzzle.metric.bound(manhattan(board.cells, goal.cells, board.width), board.size)
