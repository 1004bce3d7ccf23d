"""Runs one claimed trial, which looks for a shorter solution."""

from __future__ import annotations

import math
from collections.abc import Callable

from tilework.core.errors import DamagedSolveError, ReplayError
from tilework.core.model.farm.solves import Claim
from tilework.core.model.farm.workload import TRIAL_MEMORY_BYTES, FarmState
from tilework.core.puzzle.board import Board
from tilework.core.puzzle.replay import apply, replay
from tilework.core.search.limits import Limits
from tilework.core.services.farm.lease_renewer import Assignment
from tilework.core.services.farm.solver_protocol import Solver
from tilework.core.services.farm.state_machine.events import Share, TrialEnded
from tilework.core.solver.trial import Trial, TrialKind, TrialOutcome
from tilework.core.storage.database import Database

_NO_RESULT = TrialOutcome(None, 0, complete=False)


class ImprovementTrials:
    """Runs trials, one at a time."""

    def __init__(
        self,
        storage: Database,
        solver: Solver,
        farm_state: Callable[[str], FarmState],
    ) -> None:
        self._storage = storage
        self._solver = solver
        self._farm_state = farm_state

    def work_on(self, work: Assignment) -> TrialEnded:
        """Run the trial of a claimed slice.

        Waiting short work runs during the trial instead of ending it, because an interrupted beam
        is lost.
        """
        trial = Trial.from_bytes(work.claim.slice.cursor)
        limits = work.limits(trial.seconds, TRIAL_MEMORY_BYTES)
        outcome = self._outcome(work, trial, limits)
        work.leases.report(outcome.nodes)
        seconds = work.leases.searched_s()
        slice_ = work.claim.slice
        farm = work.leases.farm or self._farm_state(slice_.solve_id)
        return TrialEnded(slice_, outcome, seconds, Share.of(farm))

    def _outcome(self, work: Assignment, trial: Trial, limits: Limits) -> TrialOutcome:
        claim, board, goal = work.claim, work.board, work.goal
        if trial.kind in (TrialKind.SUFFIX, TrialKind.WINDOWS):
            return self._shorten(claim, board, trial, limits)
        with self._storage.reading() as session:
            solve = session.solves.find(claim.puzzle.key)
        if solve is None:
            return _NO_RESULT
        if trial.kind is TrialKind.AIMED:
            length = claim.slice.threshold
            if not solve.lower_bound <= length < (solve.upper_bound or math.inf):
                # That length has been found or ruled out in the meantime.
                return _NO_RESULT
            outcome = self._solver.aim(board, goal, trial, length, limits)
        elif solve.upper_bound is None:
            # The solution has been withdrawn in the meantime.
            return _NO_RESULT
        else:
            outcome = self._solver.try_beam(board, goal, trial, solve.upper_bound, limits)
        if outcome.moves is not None:
            replay(board, outcome.moves, goal)
        return outcome

    def _shorten(self, claim: Claim, board: Board, trial: Trial, limits: Limits) -> TrialOutcome:
        with self._storage.reading() as session:
            match = session.solves.find_with_solution(claim.puzzle.key, self._storage.reading)
        solve, moves = match or (None, None)
        pending_trial = None if solve is None else solve.improvement.find(claim.slice.id)
        if moves is None or pending_trial is None:
            return _NO_RESULT
        first, end = 0, len(moves)
        if trial.kind is TrialKind.WINDOWS:
            first, end = pending_trial.first, pending_trial.end
        if first == end:
            # The best path has changed; the next trial will use the new one.
            return _NO_RESULT
        try:
            start = apply(board, moves[:first])
        except ReplayError:
            raise DamagedSolveError(claim.slice.solve_id) from None
        # A copy, so that the memory of a long path can be freed.
        path = moves[first:end].copy()
        del moves
        outcome = self._solver.shorten(start, path, trial, limits)
        if outcome.moves is not None:
            replay(start, outcome.moves, apply(start, path))
        return outcome
