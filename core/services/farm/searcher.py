"""Works on a claimed slice with the solver, and returns the event that ends it."""

from __future__ import annotations

import logging
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TypeVar

from tilework.core.errors import DamagedSolveError, ReplayError, UnavailableError
from tilework.core.formats.certificate import ThresholdRecord
from tilework.core.logs import FailureLog
from tilework.core.messages import MAX_STORED_CHARACTERS, Message
from tilework.core.model.farm.solves import Claim, Slice
from tilework.core.model.farm.workload import TRIAL_MEMORY_BYTES, FarmState, max_parts
from tilework.core.model.states import Queue, SliceKind
from tilework.core.puzzle.board import Board
from tilework.core.puzzle.metric import Metric
from tilework.core.puzzle.packing import CHUNK_MOVES, CompressedMoves, unpack_board
from tilework.core.puzzle.replay import apply, replay
from tilework.core.search.limits import Limits, search_clock
from tilework.core.services.farm.lease_renewer import LeaseSet
from tilework.core.services.farm.local_solver import LocalSolver
from tilework.core.services.farm.proof_tree import ProofTree
from tilework.core.services.farm.state_machine.events import (
    BoundsImproved,
    InitialSearchEnded,
    ProofChecked,
    SearchSliceEnded,
    SliceEvent,
    SliceFailed,
    TrialEnded,
)
from tilework.core.services.farm.state_machine.machine import report_event
from tilework.core.settings import Settings
from tilework.core.solver.costs import HUGE_CELLS
from tilework.core.solver.result import SearchResult, SliceOutcome, WorkUnit
from tilework.core.solver.strategy import (
    LONG_INITIAL_SEARCH_S,
    SLIDES_CELLS,
    has_quick_initial_search,
    shows_bounds_early,
    uses_thresholds,
)
from tilework.core.solver.target import Algorithm, Heuristic
from tilework.core.solver.trial import Trial, TrialKind, TrialOutcome
from tilework.core.storage.database import Database

# A slice runs at least this long (seconds), even if other work waits, and at most this many times
# the planned time.
MIN_SEARCH_S = 0.15
MAX_OVERRUN = 2
MIN_MEASURED_S = 0.02

# Nodes per second: the initial estimate, and the lower and upper limit.
FIRST_SPEED = 4e6
SPEEDS = (2e4, 4e8)

# Larger records are not checked slice by slice, which would take hundreds of megabytes.
MAX_SLICES = 200_000

_NO_RESULT = TrialOutcome(None, 0, complete=False)

Result = TypeVar("Result", bound=SearchResult)

_log = logging.getLogger(__name__)
_storing_bounds = FailureLog("storing bounds")


@dataclass(frozen=True, slots=True)
class Assignment:
    """A claim to work on, with its boards; ``cancelled`` returns whether to stop."""

    claim: Claim
    board: Board
    goal: Board
    leases: LeaseSet
    cancelled: Callable[[], bool]
    started_at: float

    def limits(self, seconds: float | None = None, memory_bytes: int | None = None) -> Limits:
        """Return limits with which the search yields to short work, and reports its nodes."""
        return Limits(seconds, None, memory_bytes, self._yield_or_cancel, self.leases.report)

    def _yield_or_cancel(self) -> bool:
        self.leases.run_waiting_short_work()
        return self.cancelled()


class Searcher:
    """Works on claims, one at a time."""

    def __init__(
        self,
        storage: Database,
        settings: Settings,
        solver: LocalSolver,
        farm_state: Callable[[str], FarmState],
    ) -> None:
        self._storage = storage
        self._settings = settings
        self._solver = solver
        self._farm_state = farm_state
        self._speed = FIRST_SPEED

    def work_on(
        self, claim: Claim, leases: LeaseSet, should_stop: Callable[[], bool]
    ) -> SliceEvent:
        """Work on a claim, and return the event that ends its slice, which may be an error.

        Raises UnavailableError if the input of the slice cannot be read.
        """

        def cancelled() -> bool:
            return should_stop() or not leases.is_needed(claim)

        event: SliceEvent
        try:
            board = unpack_board(claim.puzzle.board_bytes)
            goal = unpack_board(claim.puzzle.goal_bytes)
            event = self._run(
                Assignment(claim, board, goal, leases, cancelled, self._storage.clock())
            )
        except DamagedSolveError as error:
            # The damaged work is restarted, so that no job waits for this slice.
            self._storage.on_damage(error)
            event = SliceFailed(claim.slice, failure_message(error))
        except UnavailableError:
            raise
        except Exception as error:  # a solver may fail in any way; the worker continues
            _log.exception("slice %s of %s failed", claim.slice.id, claim.puzzle.key)
            event = SliceFailed(claim.slice, failure_message(error))
        with leases.counting() as effort:
            return replace(event, effort=effort)

    def split(self, claim: Claim) -> tuple[WorkUnit, WorkUnit] | None:
        """Split a claim's cursor; return None if that is impossible."""
        try:
            board = unpack_board(claim.puzzle.board_bytes)
            return self._solver.split(board, claim.slice.cursor)
        except Exception:  # the cursor may be unreadable
            _log.exception("slice %s of %s cannot be split", claim.slice.id, claim.puzzle.key)
            return None

    def _run(self, work: Assignment) -> SliceEvent:
        match work.claim.slice.kind:
            case SliceKind.INITIAL if work.claim.puzzle.metric is Metric.SLIDES:
                return self._run_slide_search(work)
            case SliceKind.INITIAL:
                return self._run_initial_search(work)
            case SliceKind.CHECK:
                return self._check(work)
            case SliceKind.IMPROVE:
                return self._run_trial(work)
            case SliceKind.SEARCH:
                return self._search(work)

    def _run_initial_search(self, work: Assignment) -> InitialSearchEnded:
        board, goal = work.board, work.goal
        slice_, size = work.claim.slice, board.size
        is_quick = has_quick_initial_search(slice_.config.algorithm, size)
        seconds = self._settings.open_slice_s if is_quick else LONG_INITIAL_SEARCH_S
        # The only search of a huge board lasts until it is solved or no longer needed, and its only
        # solution ends it.
        is_huge = size.cells > HUGE_CELLS
        is_single = is_huge and slice_.config.algorithm == Algorithm.AUTO
        reports = shows_bounds_early(size.cells) and not is_single
        result = self._solver.solve(
            board,
            goal,
            target=slice_.target,
            limits=work.limits(None if is_huge else seconds),
            algorithm=Algorithm(slice_.config.algorithm),
            heuristic=Heuristic(slice_.config.heuristic),
            on_solution=partial(self.report_bounds, work) if reports else None,
        )
        threshold = None
        if uses_thresholds(slice_.config.algorithm, size.cells) and not result.optimal:
            threshold = max(result.lower_bound, self._solver.first_threshold(board, goal))
        result, seconds = _finish(work, result)
        root = self._solver.root()
        return InitialSearchEnded(slice_, result, threshold, root, work.started_at, seconds)

    def _run_slide_search(self, work: Assignment) -> InitialSearchEnded:
        slice_ = work.claim.slice
        if slice_.queue is not Queue.SEARCH:
            limit_s: float | None = self._settings.open_slice_s
        else:
            limit_s = None if work.board.size.cells <= SLIDES_CELLS else LONG_INITIAL_SEARCH_S
        result = self._solver.slides(
            work.board,
            work.goal,
            target=slice_.target,
            limits=work.limits(limit_s),
            on_solution=partial(self.report_bounds, work),
        )
        result, seconds = _finish(work, result)
        root = self._solver.root()
        return InitialSearchEnded(slice_, result, None, root, work.started_at, seconds)

    def report_bounds(self, work: Assignment, result: SearchResult) -> None:
        """Store better bounds, with the effort so far, while an initial search runs.

        If the database is unavailable, only the final result has them.

        Raises ReplayError if the solution is wrong.
        """
        slice_ = work.claim.slice
        if result.moves is not None:
            replay(work.board, result.moves, work.goal)
        work.leases.report(result.statistics.generated)
        compressed = _with_compressed_moves(result)
        try:
            with work.leases.counting() as effort:
                event = BoundsImproved(slice_, compressed, work.started_at, effort=effort)
                report_event(self._storage, slice_.solve_id, event)
        except UnavailableError as error:
            _storing_bounds.fail(error)
        else:
            _storing_bounds.succeed()

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
        if outcome.moves is not None:
            replay(board, outcome.moves, goal)
        farm = leases.farm or self._farm_state(slice_.solve_id)
        missing = farm.missing_parts()
        count = 1 + missing
        if ordered is None:
            self._measure(outcome.nodes, seconds)
            count = min(count, self._max_parts(slice_, outcome, farm))
        remaining = split_work(split, board, outcome.remaining, count)
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

    def _max_parts(self, slice_: Slice, outcome: SliceOutcome, farm: FarmState) -> int:
        """Return how many parts of the remainder are worth a claim."""
        remaining = sum(unit.share for unit in outcome.remaining)
        done = slice_.share - remaining
        # The remainder is expected to take as long per share as the part that is done.
        seconds = outcome.nodes / self._speed * remaining / done if done > 0 else math.inf
        return max_parts(seconds, farm.workers)

    def _check(self, work: Assignment) -> ProofChecked:
        """Check whether the threshold's record proves the claimed bound before it is stored."""
        slice_, root = work.claim.slice, self._solver.root()
        bound = int(slice_.cursor)
        error = self._find_error(work, bound)
        if error is None and work.cancelled():
            return ProofChecked(slice_, None, None, root)
        if error is not None:
            _log.error(
                "the search of %s does not prove a bound of %d: %s; it is repeated",
                work.claim.puzzle.key,
                bound,
                error,
            )
        return ProofChecked(slice_, bound, error, root, work.leases.searched_s())

    def _find_error(self, work: Assignment, bound: int) -> Message | None:
        slice_ = work.claim.slice
        try:
            tree = ProofTree(self._storage, slice_.solve_id, slice_.epoch, slice_.threshold)
        except ValueError:  # an id of a damaged row
            tree = None
        if tree is None or not tree.complete or tree.header.next != bound:
            return Message(
                "record-has-holes",
                "the record of threshold {threshold} is incomplete",
                threshold=slice_.threshold,
            )
        if tree.slices > MAX_SLICES:
            _log.warning("only the totals of threshold %d were checked", slice_.threshold)
            return None
        record = ThresholdRecord(**dict(tree.header), slices=list(tree.read_slices()))
        limits = Limits(cancelled=work.cancelled, report=work.leases.report)
        return self._solver.check(work.board, work.goal, record, slice_.id, limits=limits)

    def _run_trial(self, work: Assignment) -> TrialEnded:
        """Run a trial, which looks for a shorter solution.

        Waiting short work runs during the trial instead of ending it, because an interrupted beam
        is lost.
        """
        slice_ = work.claim.slice
        trial = Trial.from_bytes(slice_.cursor)
        limits = work.limits(trial.seconds, TRIAL_MEMORY_BYTES)
        if trial.kind in (TrialKind.SUFFIX, TrialKind.WINDOWS):
            outcome = self._shorten(work, trial, limits)
        else:
            outcome = self._run_beam(work, trial, limits)
        work.leases.report(outcome.nodes)
        farm = work.leases.farm or self._farm_state(slice_.solve_id)
        return TrialEnded(slice_, outcome, work.leases.searched_s(), farm)

    def _run_beam(self, work: Assignment, trial: Trial, limits: Limits) -> TrialOutcome:
        claim, board, goal = work.claim, work.board, work.goal
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

    def _shorten(self, work: Assignment, trial: Trial, limits: Limits) -> TrialOutcome:
        claim = work.claim
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
            start = apply(work.board, moves[:first])
        except ReplayError:
            raise DamagedSolveError(claim.slice.solve_id) from None
        # A copy, so that the memory of a long path can be freed.
        path = moves[first:end].copy()
        del moves
        outcome = self._solver.shorten(start, path, trial, limits)
        if outcome.moves is not None:
            replay(start, outcome.moves, apply(start, path))
        return outcome


def _finish(work: Assignment, result: Result) -> tuple[Result, float]:
    """Replay and count the result of an initial search; return also the seconds of the search."""
    work.leases.report(result.statistics.generated)
    seconds, compressed = work.leases.searched_s(), _with_compressed_moves(result)
    if compressed.moves is not None:
        replay(work.board, compressed.moves, work.goal)
    return compressed, seconds


def _with_compressed_moves(result: Result) -> Result:
    """Compress the moves of a long solution before the transaction, which can block others."""
    moves = result.moves
    if moves is None or len(moves) <= CHUNK_MOVES:
        return result
    return replace(result, moves=CompressedMoves(moves))


def split_work(
    split: Callable[[Board, bytes], tuple[WorkUnit, WorkUnit] | None],
    board: Board,
    units: Sequence[WorkUnit],
    count: int,
) -> tuple[WorkUnit, ...]:
    """Split the largest units until there are this many, or the largest cannot be split.

    The first unit remains the one to search next.
    """
    parts = list(units)
    while 0 < len(parts) < count:
        largest = max(range(len(parts)), key=lambda index: parts[index].share)
        halves = split(board, parts[largest].cursor)
        if halves is None:
            break
        parts[largest] = halves[0]
        parts.append(halves[1])
    return tuple(parts)


def failure_message(error: Exception) -> Message:
    """Return the message of a failed search."""
    return Message(
        "search-failed",
        "The search failed: {error}",
        error=f"{type(error).__name__}: {error}"[:MAX_STORED_CHARACTERS],
    )
