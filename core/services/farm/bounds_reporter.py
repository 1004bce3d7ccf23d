"""Stores the bounds that an initial search finds while it runs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TypeVar

from tilework.core.errors import UnavailableError
from tilework.core.failure_log import FailureLog
from tilework.core.puzzle.packing import CHUNK_MOVES, CompressedMoves
from tilework.core.puzzle.replay import replay
from tilework.core.services.farm.lease_renewer import Assignment
from tilework.core.services.farm.state_machine.events import BoundsImproved
from tilework.core.services.farm.state_machine.machine import StateMachine
from tilework.core.solver.result import SearchResult

Result = TypeVar("Result", bound=SearchResult)

_failures = FailureLog("storing bounds")


class BoundsReporter:
    """Reports better bounds to the state machine, with the effort so far."""

    def __init__(
        self, work: Assignment, state_machine: StateMachine, clock: Callable[[], float]
    ) -> None:
        self._work = work
        self._state_machine = state_machine
        self.started_at = clock()

    def report(self, result: SearchResult) -> None:
        """Store better bounds. If the database is unavailable, only the final result has them.

        Raises ReplayError if the solution is wrong.
        """
        work, slice_ = self._work, self._work.claim.slice
        if result.moves is not None:
            replay(work.board, result.moves, work.goal)
        work.leases.report(result.statistics.generated)
        compressed = with_compressed_moves(result)
        try:
            with work.leases.counting() as effort:
                event = BoundsImproved(slice_, compressed, self.started_at, effort=effort)
                self._state_machine.report(slice_.solve_id, event)
        except UnavailableError as error:
            _failures.fail(error)
        else:
            _failures.succeed()


def with_compressed_moves(result: Result) -> Result:
    """Compress the moves of a long solution before the transaction, which can block others."""
    moves = result.moves
    if moves is None or len(moves) <= CHUNK_MOVES:
        return result
    return replace(result, moves=CompressedMoves(moves))
