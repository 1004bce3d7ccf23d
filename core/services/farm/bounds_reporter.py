"""Stores the bounds that an initial search finds while it runs."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import replace
from typing import TypeVar

from tilework.core.errors import UnavailableError
from tilework.core.puzzle.packing import CHUNK_MOVES, CompressedMoves
from tilework.core.puzzle.replay import replay
from tilework.core.search.limits import Statistics, search_clock
from tilework.core.services.farm.lease_renewer import Assignment
from tilework.core.services.farm.state_machine.events import BoundsImproved
from tilework.core.services.farm.state_machine.machine import StateMachine
from tilework.core.solver.result import SearchResult

Result = TypeVar("Result", bound=SearchResult)

_log = logging.getLogger(__name__)


class BoundsReporter:
    """Reports better bounds to the state machine, with the effort since the previous event.

    So a job that ends before its search does shows the effort that led to its solution.
    """

    def __init__(
        self, work: Assignment, state_machine: StateMachine, clock: Callable[[], float]
    ) -> None:
        self._work = work
        self._state_machine = state_machine
        self.started_at = clock()
        self._start = search_clock()
        self._reported = Statistics()

    def seconds(self) -> float:
        """Return the seconds since the start of the search."""
        return search_clock() - self._start

    def report(self, result: SearchResult) -> None:
        """Store better bounds. If the database is unavailable, only the final result has them.

        Raises ReplayError if the solution is wrong.
        """
        work, slice_ = self._work, self._work.claim.slice
        if result.moves is not None:
            replay(work.board, result.moves, work.goal)
        event = BoundsImproved(slice_, self.since_last_event(result), self.started_at)
        try:
            self._state_machine.report(slice_.solve_id, event)
        except UnavailableError:
            key = work.claim.puzzle.key
            _log.warning("bounds of %s could not be stored", key, exc_info=True)
        else:
            self._reported += event.result.statistics
            work.leases.count(self._reported.generated)

    def since_last_event(self, result: Result) -> Result:
        """Return a copy of a result with only the effort since the previous event."""
        statistics = Statistics(
            # The total of a parallel search may lack nodes that were reported while it ran.
            generated=max(0, result.statistics.generated - self._reported.generated),
            seconds=self.seconds() - self._reported.seconds,
        )
        moves = result.moves
        if moves is not None and len(moves) > CHUNK_MOVES:
            # Compressed before the transaction, which can block other writers.
            moves = CompressedMoves(moves)
        return replace(result, moves=moves, statistics=statistics)
