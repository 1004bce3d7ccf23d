"""Repairs damaged rows: copies each for the operator and rebuilds its contents.

Reading a damaged row raises an error that names it. `Repair.run` repairs the row and reads again,
so that users see a restarted search instead of an error.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import TypeVar

from tilework.core.errors import BoundsError, DamagedRowError
from tilework.core.model.farm.solves import Puzzle, Solve
from tilework.core.model.states import SliceState, SolveState
from tilework.core.puzzle.arrangement import manhattan
from tilework.core.puzzle.packing import unpack_board
from tilework.core.services.farm.state_machine.decide import advance
from tilework.core.services.farm.state_machine.events import SolutionInvalidated, WorkDamaged
from tilework.core.settings import Settings
from tilework.core.storage.database import Database
from tilework.core.storage.session import Session

# A read may encounter many damaged rows. Each round repairs at least one.
MAX_ROUNDS = 1_000

_log = logging.getLogger(__name__)

Read = TypeVar("Read")


class Repair:
    """Repairs the rows of a database."""

    def __init__(self, storage: Database, settings: Settings) -> None:
        self._storage = storage
        self._clock = storage.clock
        self._settings = settings

    def run(self, action: Callable[[], Read]) -> Read:
        """Run an action, and repeat it until all damaged rows that it reads are repaired.

        Raises DamagedRowError if a row reported as damaged turns out to be sound, and BoundsError
        if the result of the action is wrong and the stored bounds are right.
        """
        for _ in range(MAX_ROUNDS):
            try:
                return action()
            except DamagedRowError as error:
                if not self.repair(error):
                    break
            except BoundsError as error:
                if not self.invalidate(error):
                    break
        return action()

    def repair(self, error: DamagedRowError) -> bool:
        """Repair the first damaged row named by an error; return False if none is damaged."""
        return any(self.repair_row(table, row_id) for table, row_id in error.suspects)

    def invalidate(self, error: BoundsError) -> bool:
        """Restart a solve that a solution contradicts; return False if there is no contradiction.

        The solution was replayed, so the stored lower bound must be wrong even if the row is
        intact.
        """

        def repair() -> bool:
            now = self._clock()
            with self._storage.writing() as session:
                solve_id = error.solve_id
                if self._repair_solve(session, solve_id, now):
                    return True
                if session.solves.lock(solve_id).lower_bound <= error.length:
                    return False
                return self._reset(session, solve_id, str(error.message), now)

        return self.run(repair)

    def repair_row(self, table: str, row_id: str) -> bool:
        """Set a row aside and rebuild its contents; return False if the row is sound."""

        def repair() -> bool:
            now = self._clock()
            with self._storage.writing() as session:
                if table in _REPAIRS:
                    return _REPAIRS[table](self, session, row_id, now)
                is_damaged = self._set_aside_if_damaged(session, table, row_id, now)
                if is_damaged:
                    session.damage.repair(table, row_id, now)
                return is_damaged

        # The jobs of the solve may be damaged as well.
        return self.run(repair)

    def _repair_solve(self, session: Session, solve_id: str, now: float) -> bool:
        damage = session.damage
        reason = damage.find_damage("solve", solve_id) if damage.lock(solve_id) else None
        return reason is not None and self._reset(session, solve_id, reason, now)

    def _reset(self, session: Session, solve_id: str, reason: str, now: float) -> bool:
        """Set a locked solve aside and restart it."""
        self._set_aside(session, "solve", solve_id, reason, now)
        puzzle = session.damage.puzzle(solve_id)
        if puzzle is None or session.damage.is_key_taken(puzzle.key, solve_id):
            session.damage.abandon_solve(solve_id, now)
            return True
        session.solves.restore(solve_id, puzzle, now)
        blank = _empty_solve(session, solve_id, puzzle)
        advance(session, blank, SolutionInvalidated(_initial_bound(puzzle)), now, self._settings)
        return True

    def _repair_job(self, session: Session, job_id: str, now: float) -> bool:
        solve_id = session.damage.find_solve_id("job", job_id)
        if solve_id is not None:
            # Locked first, as for any event that ends a job.
            session.damage.lock(solve_id)
        if not self._set_aside_if_damaged(session, "job", job_id, now):
            return False
        session.damage.abandon_job(job_id, now)
        # Until its next event, the solve may do work that no job needs.
        return True

    def _repair_slice(self, session: Session, slice_id: str, now: float) -> bool:
        values = session.damage.read_slice(slice_id)
        if values is None:
            # It has been deleted together with all work of its solve.
            return True
        solve_id, state, threshold = values
        session.damage.lock(solve_id)
        if not self._set_aside_if_damaged(session, "slice", slice_id, now):
            return False
        session.damage.drop_slice(slice_id)
        if session.damage.find_damage("solve", solve_id) is not None:
            return True
        solve = session.solves.lock(solve_id)
        # Without a finished slice of a lower threshold, only the record of a proof has a gap.
        is_harmless = state == SliceState.DONE and type(threshold) is int
        if not is_harmless or (solve.threshold or 0) <= threshold:
            advance(session, solve, WorkDamaged(), now, self._settings)
        return True

    def _repair_work(self, session: Session, solve_id: str, now: float) -> bool:
        session.damage.lock(solve_id)
        damaged = [
            slice_id
            for slice_id in session.damage.unfinished_slices(solve_id)
            if self._set_aside_if_damaged(session, "slice", slice_id, now)
        ]
        if not (damaged or self._set_aside_if_damaged(session, "work", solve_id, now)):
            return False
        for slice_id in damaged:
            session.damage.drop_slice(slice_id)
        if session.damage.find_damage("solve", solve_id) is None:
            advance(session, session.solves.lock(solve_id), WorkDamaged(), now, self._settings)
        return True

    def _set_aside_if_damaged(self, session: Session, table: str, row_id: str, now: float) -> bool:
        """Copy a row for the operator if it is damaged."""
        reason = session.damage.find_damage(table, row_id)
        if reason is not None:
            self._set_aside(session, table, row_id, reason, now)
        return reason is not None

    def _set_aside(
        self, session: Session, table: str, row_id: str, reason: str, now: float
    ) -> None:
        session.damage.set_aside(table, row_id, reason, now)
        _log.error("%s %s was found damaged (%s) and set aside", table, row_id, reason)


_REPAIRS: dict[str, Callable[[Repair, Session, str, float], bool]] = {
    "solve": Repair._repair_solve,
    "job": Repair._repair_job,
    "slice": Repair._repair_slice,
    "work": Repair._repair_work,
}


def _empty_solve(session: Session, solve_id: str, puzzle: Puzzle) -> Solve:
    """Return a solve without results, active if it has unfinished jobs."""
    state = SolveState.ACTIVE if session.damage.has_unfinished_jobs(solve_id) else SolveState.IDLE
    epoch = session.damage.last_epoch(solve_id)
    return Solve.unknown(solve_id, puzzle, state=state, epoch=epoch)


def _initial_bound(puzzle: Puzzle) -> int:
    """Return the lower bound that is proven without any search."""
    board, goal = unpack_board(puzzle.board_bytes), unpack_board(puzzle.goal_bytes)
    return puzzle.metric.bound(manhattan(board.cells, goal.cells, board.width), board.size)
