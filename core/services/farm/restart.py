"""Starts a solve again whose stored data is damaged or contradicts a solution."""

from __future__ import annotations

import logging

from tilework.core.errors import BoundsError, DamagedSolveError
from tilework.core.model.farm.solves import Puzzle
from tilework.core.model.states import CounterName
from tilework.core.puzzle.arrangement import manhattan
from tilework.core.puzzle.packing import unpack_board
from tilework.core.services.farm.state_machine.decide import advance
from tilework.core.services.farm.state_machine.events import SolutionInvalidated, WorkDamaged
from tilework.core.settings import Settings
from tilework.core.storage.database import Database
from tilework.core.storage.session import Session
from tilework.core.storage.solves import find_puzzle

_log = logging.getLogger(__name__)


def restart_solve(
    storage: Database, settings: Settings, error: DamagedSolveError | BoundsError
) -> None:
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
            advance(session, session.solves.lock(solve_id), WorkDamaged(), now, settings)
        else:
            _start_again(session, solve_id, now, settings)
        session.operation.add_to_counter(CounterName.DAMAGED_SOLVES, "", 1)
    _log.error("the solve %s was damaged and starts again: %s", solve_id, reason)


def _start_again(session: Session, solve_id: str, now: float, settings: Settings) -> None:
    puzzle = find_puzzle(session.solves.puzzle(solve_id))
    if puzzle is None:
        session.solves.bury(solve_id, now)
        return
    blank = session.solves.restore(solve_id, puzzle, now)
    advance(session, blank, SolutionInvalidated(_initial_bound(puzzle)), now, settings)


def _initial_bound(puzzle: Puzzle) -> int:
    """Return the lower bound that is proven without any search."""
    board, goal = unpack_board(puzzle.board_bytes), unpack_board(puzzle.goal_bytes)
    return puzzle.metric.bound(manhattan(board.cells, goal.cells, board.width), board.size)
