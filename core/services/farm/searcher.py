"""Works on a claimed slice with the solver, and returns the event that ends it."""

from __future__ import annotations

import logging
import math
from collections.abc import Callable
from dataclasses import replace

from tilework.core.errors import DamagedSolveError, UnavailableError
from tilework.core.messages import MAX_STORED_CHARACTERS, Message
from tilework.core.model.farm.solves import Claim, Slice
from tilework.core.model.farm.workload import FarmState
from tilework.core.model.states import Queue, SliceKind
from tilework.core.puzzle.board import Board
from tilework.core.puzzle.metric import Metric
from tilework.core.puzzle.packing import unpack_board
from tilework.core.puzzle.replay import replay
from tilework.core.search.limits import search_clock
from tilework.core.services.farm.bounds_reporter import BoundsReporter, with_compressed_moves
from tilework.core.services.farm.improvement_trials import ImprovementTrials
from tilework.core.services.farm.lease_renewer import Assignment, LeaseSet
from tilework.core.services.farm.solver_protocol import Solver
from tilework.core.services.farm.splitting import max_parts, split_work
from tilework.core.services.farm.state_machine.events import (
    InitialSearchEnded,
    ProofChecked,
    SearchSliceEnded,
    SliceEvent,
    SliceFailed,
    SlideSearchEnded,
    TrialEnded,
)
from tilework.core.services.farm.state_machine.machine import StateMachine
from tilework.core.services.farm.verification import Verification
from tilework.core.settings import Settings
from tilework.core.solver.costs import HUGE_CELLS
from tilework.core.solver.options import SLIDES_CELLS
from tilework.core.solver.strategy import (
    LONG_INITIAL_SEARCH_S,
    has_quick_initial_search,
    shows_bounds_early,
    uses_thresholds,
)
from tilework.core.solver.target import Algorithm, Heuristic
from tilework.core.solver.work_unit import SliceOutcome, WorkUnit
from tilework.core.storage.database import Database

# Cursors are split if fewer slices than this are ready; with many workers, an eighth of their
# number.
SPARE_SLICES = 4

# A slice runs at least this long (seconds), even if other work waits, and at most this many times
# the planned time.
MIN_SEARCH_S = 0.15
MAX_OVERRUN = 2
MIN_MEASURED_S = 0.02

# Nodes per second: the initial estimate, and the lower and upper limit.
FIRST_SPEED = 4e6
SPEEDS = (2e4, 4e8)

_log = logging.getLogger(__name__)


class Searcher:
    """Works on claims, one at a time."""

    def __init__(
        self,
        storage: Database,
        settings: Settings,
        solver: Solver,
        farm_state: Callable[[str], FarmState],
        state_machine: StateMachine,
    ) -> None:
        self._farm_state = farm_state
        self._settings = settings
        self._solver = solver
        self._state_machine = state_machine
        self._storage = storage
        self._clock = storage.clock
        self._speed = FIRST_SPEED
        self._trials = ImprovementTrials(storage, solver, farm_state)
        self._verification = Verification(storage, solver)

    def work_on(
        self, claim: Claim, leases: LeaseSet, should_stop: Callable[[], bool]
    ) -> SliceEvent:
        """Work on a claim, and return the event that ends its slice, which may be an error.

        Raises UnavailableError if the input of the slice cannot be read.
        """
        event = self._work_on(claim, leases, should_stop)
        with leases.counting() as effort:
            return replace(event, effort=effort)

    def _work_on(
        self, claim: Claim, leases: LeaseSet, should_stop: Callable[[], bool]
    ) -> SliceEvent:
        slice_ = claim.slice

        def cancelled() -> bool:
            return should_stop() or not leases.is_needed(claim)

        try:
            board = unpack_board(claim.puzzle.board_bytes)
            goal = unpack_board(claim.puzzle.goal_bytes)
            event = self._run(Assignment(claim, board, goal, leases, cancelled))
            if isinstance(event, InitialSearchEnded | SlideSearchEnded | SearchSliceEnded):
                result = event.outcome if isinstance(event, SearchSliceEnded) else event.result
                if result.moves is not None:
                    replay(board, result.moves, goal)
            return event
        except DamagedSolveError as error:
            # The damaged work is restarted, so that no job waits for this slice.
            self._storage.on_damage(error)
            return SliceFailed(slice_, failure_message(error))
        except UnavailableError:
            raise
        except Exception as error:  # a solver may fail in any way; the worker continues
            _log.exception("slice %s of %s failed", slice_.id, claim.puzzle.key)
            return SliceFailed(slice_, failure_message(error))

    def split(self, claim: Claim) -> tuple[WorkUnit, WorkUnit] | None:
        """Split a claim's cursor; return None if that is impossible."""
        try:
            board = unpack_board(claim.puzzle.board_bytes)
            return self._solver.split(board, claim.slice.cursor)
        except Exception:  # the cursor may be unreadable
            _log.exception("slice %s of %s cannot be split", claim.slice.id, claim.puzzle.key)
            return None

    def _run(
        self, work: Assignment
    ) -> InitialSearchEnded | SlideSearchEnded | SearchSliceEnded | ProofChecked | TrialEnded:
        match work.claim.slice.kind:
            case SliceKind.INITIAL if work.claim.puzzle.metric is Metric.SLIDES:
                return self._run_slide_search(work)
            case SliceKind.INITIAL:
                return self._run_initial_search(work)
            case SliceKind.CHECK:
                return self._verification.work_on(work)
            case SliceKind.IMPROVE:
                return self._trials.work_on(work)
            case SliceKind.SEARCH:
                return self._search(work)

    def _run_initial_search(self, work: Assignment) -> InitialSearchEnded:
        board, goal = work.board, work.goal
        slice_, size = work.claim.slice, board.size
        reporter = BoundsReporter(work, self._state_machine, self._clock)
        is_quick = has_quick_initial_search(slice_.config.algorithm, size)
        seconds = self._settings.open_slice_s if is_quick else LONG_INITIAL_SEARCH_S
        # The only search of a huge board lasts until it is solved or no longer needed, and its only
        # solution ends it.
        is_huge = size.cells > HUGE_CELLS
        is_single = is_huge and slice_.config.algorithm == Algorithm.AUTO
        limits = work.limits(None if is_huge else seconds)
        result = self._solver.solve(
            board,
            goal,
            target=slice_.target,
            limits=limits,
            algorithm=Algorithm(slice_.config.algorithm),
            heuristic=Heuristic(slice_.config.heuristic),
            on_solution=reporter.report
            if shows_bounds_early(size.cells) and not is_single
            else None,
        )
        threshold = None
        if uses_thresholds(slice_.config.algorithm, size.cells) and not result.optimal:
            threshold = max(result.lower_bound, self._solver.first_threshold(board, goal))
        work.leases.report(result.statistics.generated)
        return InitialSearchEnded(
            slice_,
            with_compressed_moves(result),
            threshold,
            self._solver.root(),
            reporter.started_at,
            work.leases.searched_s(),
        )

    def _run_slide_search(self, work: Assignment) -> SlideSearchEnded:
        slice_ = work.claim.slice
        reporter = BoundsReporter(work, self._state_machine, self._clock)
        if slice_.queue is not Queue.SEARCH:
            seconds: float | None = self._settings.open_slice_s
        else:
            seconds = None if work.board.size.cells <= SLIDES_CELLS else LONG_INITIAL_SEARCH_S
        result = self._solver.slides(
            work.board,
            work.goal,
            target=slice_.target,
            limits=work.limits(seconds),
            on_solution=reporter.report,
        )
        work.leases.report(result.statistics.generated)
        return SlideSearchEnded(
            slice_,
            with_compressed_moves(result),
            reporter.started_at,
            work.leases.searched_s(),
        )

    def _search(self, work: Assignment) -> SearchSliceEnded:
        board, goal, slice_, leases = work.board, work.goal, work.claim.slice, work.leases
        planned_s = leases.slice_s(self._settings)
        start = search_clock()

        def should_end() -> bool:
            elapsed = search_clock() - start
            early = elapsed > MIN_SEARCH_S and (leases.must_share or leases.must_yield)
            return early or elapsed > MAX_OVERRUN * planned_s or work.cancelled()

        root, split = self._solver.root(), self._solver.split
        ordered = None
        if slice_.cursor == root.cursor:
            workers = self._farm_state(slice_.solve_id).workers
            ordered = self._solver.order(
                board, goal, slice_.threshold, workers=workers, cancelled=work.cancelled
            )
            if workers > 1:
                # Nothing else of this threshold can be searched until the tree is split.
                planned_s = MIN_SEARCH_S
        outcome = ordered or self._solver.search(
            board,
            goal,
            slice_.threshold,
            slice_.cursor,
            nodes=int(self._speed * planned_s),
            cancelled=should_end,
        )
        seconds = search_clock() - start
        leases.report(outcome.nodes)
        farm = leases.farm or self._farm_state(slice_.solve_id)
        missing = farm.missing_parts(SPARE_SLICES)
        if ordered is None:
            self._measure(outcome.nodes, seconds)
            remaining = self._split_remainder(board, slice_, outcome, missing, farm)
        else:
            remaining = split_work(split, board, outcome.remaining, 1 + missing)
        return SearchSliceEnded(
            slice_,
            replace(outcome, remaining=remaining),
            seconds,
            missing,
            lambda count: split_work(split, board, [root], count),
            farm.workers,
        )

    def _measure(self, nodes: int, seconds: float) -> None:
        # Very short slices consist mostly of overhead, so they do not show the speed.
        if seconds > MIN_MEASURED_S:
            speed = (self._speed + nodes / seconds) / 2
            self._speed = min(max(speed, SPEEDS[0]), SPEEDS[1])

    def _split_remainder(
        self, board: Board, slice_: Slice, outcome: SliceOutcome, missing: int, farm: FarmState
    ) -> tuple[WorkUnit, ...]:
        """Split the remainder for other workers into parts that are worth a claim."""
        remaining = sum(unit.share for unit in outcome.remaining)
        done = slice_.share - remaining
        # The remainder is expected to take as long per share as the part that is done.
        seconds = outcome.nodes / self._speed * remaining / done if done > 0 else math.inf
        count = min(1 + missing, max_parts(seconds, farm.workers))
        return split_work(self._solver.split, board, outcome.remaining, count)


def failure_message(error: Exception) -> Message:
    """Return the message of a failed search."""
    return Message(
        "search-failed",
        "The search failed: {error}",
        error=f"{type(error).__name__}: {error}"[:MAX_STORED_CHARACTERS],
    )
