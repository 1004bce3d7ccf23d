"""An anytime portfolio: trials on several threads shorten the solution until a limit is reached."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from tilework.core.puzzle.board import Board
from tilework.core.puzzle.moves import Moves
from tilework.core.puzzle.replay import apply
from tilework.core.search.limits import Limits, StopReason, search_clock, searching_on_threads
from tilework.core.solver.costs import beam_costs
from tilework.core.solver.large.trials import (
    run_beam_trial,
    run_suffix_trial,
    run_window_trial,
)
from tilework.core.solver.target import Algorithm
from tilework.core.solver.trial import NO_TRIALS, PendingTrial, TrialKind, TrialOutcome
from tilework.core.solver.trial_schedule import (
    Context,
    after_trial,
    next_trial,
    nominal_seconds,
)

DEFAULT_MEMORY_BYTES = 1_000_000_000
_TICK_S, _SHORT_TICK_S = 0.05, 0.002  # between two checks of the limits, and of counted nodes
# Windows take this share of the remaining time, at most a second
_WINDOW_SHARE, _WINDOW_MAX_S = 0.02, 1.0
_UNLIMITED_S = 1e5  # planned for if neither time nor nodes are limited
_SEED = 1
_ANY_LENGTH = 1 << 40  # a bound below which every solution is


class Solution(NamedTuple):
    moves: Moves
    algorithm: str


@dataclass(frozen=True, slots=True)
class Listener:
    """Callbacks; all are called in the thread that called `run`."""

    is_enough: Callable[[int], bool]  # whether a solution of this length ends the search
    on_solution: Callable[[Solution, int], object]  # called with each shorter one, and the nodes
    tick: Callable[[int], object]  # called several times a second with the number of nodes so far


@dataclass(frozen=True, slots=True)
class PortfolioResult:
    best: Solution | None
    nodes: int  # number of nodes generated
    stopped_by: StopReason | None  # None if a solution was good enough


@dataclass(slots=True)
class _Thread:
    """What a thread does: one trial after another."""

    number: int
    nodes: int = 0  # of its earlier trials, which are its clock if only nodes are limited
    reported: int = 0  # nodes of its trial so far
    trial: Future[tuple[TrialOutcome, float]] | None = None

    @property
    def id(self) -> str:
        """The name of its pending trial."""
        return str(self.number)


class Portfolio:
    """The trials of one board.

    A trial depends only on the board, the number of threads, and the outcomes of earlier trials. If
    nodes are limited but time is not, trials count in the order in which threads of equal speed
    would end them, whatever their real speed, so that the result is reproducible.

    ``lower``: a lower bound on the moves.
    """

    def __init__(self, board: Board, goal: Board, lower: int, threads: int) -> None:
        self._board = board
        self._goal = goal
        self._lower = lower
        self._threads = [_Thread(number) for number in range(threads)]
        self._state = NO_TRIALS
        self._stopping = threading.Event()

    def run(self, best: Solution | None, limits: Limits, listener: Listener) -> PortfolioResult:
        """Run trials until a solution is good enough, a limit is reached, or nothing is left."""
        self._started = search_clock()
        self._best = best
        self._listener = listener
        memory_bytes = limits.memory_bytes or DEFAULT_MEMORY_BYTES
        self._limits = replace(limits, memory_bytes=memory_bytes)
        pool = ThreadPoolExecutor(len(self._threads), thread_name_prefix="search")
        try:
            with searching_on_threads():
                while (reason := self._stopped_by()) is None and not self._is_enough():
                    self._start_trials(pool)
                    if not any(thread.trial for thread in self._threads):
                        reason = StopReason.TIME if limits.nodes is None else StopReason.NODES
                        break
                    self._wait()
        finally:
            self._stopping.set()
            pool.shutdown(cancel_futures=True)
        return PortfolioResult(self._best, self._nodes, None if self._is_enough() else reason)

    def _start_trials(self, pool: ThreadPoolExecutor) -> None:
        """Start the next trial of each thread that has none, in the order of their clocks."""
        for thread in sorted(self._threads, key=lambda thread: thread.nodes):
            left = self._limits_left(thread)
            if thread.trial is None and 0 not in (left.nodes, left.seconds):
                self._start_trial(pool, thread, left)

    def _start_trial(self, pool: ThreadPoolExecutor, thread: _Thread, left: Limits) -> None:
        size, best = self._board.size, self._best
        seconds_left = _UNLIMITED_S if left.seconds is None else left.seconds
        if left.nodes is not None:
            node_s = beam_costs(size, 0).node_seconds / self._state.pace
            seconds_left = min(seconds_left, left.nodes * node_s)
        context = Context(
            size=size,
            lower=self._lower,
            moves=0 if best is None else len(best.moves),
            seconds_left=seconds_left,
            window_s=min(_WINDOW_SHARE * seconds_left, _WINDOW_MAX_S),
            memory_bytes=left.memory_bytes or 0,
            workers=len(self._threads),
            seed=_SEED,
        )
        choice = next_trial(self._state, context, thread.id)
        if choice is None:
            return
        self._state, trial = choice
        pending = self._state.pending_trials[-1]
        seconds = trial.seconds if left.seconds is not None else None
        limits = replace(left, seconds=seconds)
        path = None if best is None else best.moves
        thread.trial = pool.submit(self._run_trial, pending, path, limits)

    def _run_trial(
        self, pending: PendingTrial, path: Moves | None, limits: Limits
    ) -> tuple[TrialOutcome, float]:
        started, trial, board = search_clock(), pending.trial, self._board
        if path is None or trial.kind not in (TrialKind.SUFFIX, TrialKind.WINDOWS):
            bound = _ANY_LENGTH if path is None else len(path)
            outcome = run_beam_trial(board, self._goal, trial, bound, limits)
        elif trial.kind is TrialKind.SUFFIX:
            outcome = run_suffix_trial(board, path, trial, limits)
        else:
            start = apply(board, path[: pending.first])
            outcome = run_window_trial(start, path[pending.first : pending.end], trial, limits)
        return outcome, search_clock() - started

    def _wait(self) -> None:
        """Wait for the next trial to end, and take its outcome."""
        running = [thread for thread in self._threads if thread.trial is not None]
        trials = [thread.trial for thread in running if thread.trial and not thread.trial.done()]
        is_blocked = len(trials) < len(running)
        if trials:
            wait(trials, _SHORT_TICK_S if is_blocked else _TICK_S, FIRST_COMPLETED)
        ended = [thread for thread in running if thread.trial and thread.trial.done()]
        # Of trials that run, the nodes so far are a lower bound.
        ended.sort(key=_end_of)
        if ended and (self._limits.seconds is not None or min(running, key=_end_of) is ended[0]):
            self._end_trial(ended[0])
        self._listener.tick(self._nodes)

    def _end_trial(self, thread: _Thread) -> None:
        assert thread.trial is not None  # noqa: S101 -- it has ended
        outcome, seconds = thread.trial.result()
        thread.trial = None
        thread.nodes += outcome.nodes
        thread.reported = 0
        ended = self._state.find(thread.id)
        assert ended is not None  # noqa: S101 -- no other thread ends it
        if self._limits.seconds is None:
            seconds = nominal_seconds(ended.trial, outcome.nodes, self._board.size)
        before = self._best
        path = self._join(ended, outcome.moves)
        gained = 0
        if path is not None and (before is None or len(path) < len(before.moves)):
            gained = 0 if before is None else len(before.moves) - len(path)
            self._best = Solution(path, Algorithm.BEAM)
            if ended.trial.kind is not TrialKind.WINDOWS:
                self._state = self._state.with_new_path()
        size = self._board.size
        self._state = after_trial(self._state, ended, outcome, size, seconds=seconds, gained=gained)
        if self._best is not None and self._best is not before:
            self._listener.on_solution(self._best, self._nodes)

    def _join(self, ended: PendingTrial, moves: Moves | None) -> Moves | None:
        """Return the solution that a trial found; None if its segment is no longer in the path."""
        if ended.trial.kind is not TrialKind.WINDOWS or moves is None:
            return moves
        if self._best is None or not ended.count:
            return None
        path = self._best.moves
        return np.concatenate([path[: ended.first], moves, path[ended.end :]])

    @property
    def _nodes(self) -> int:
        return sum(thread.nodes + thread.reported for thread in self._threads)

    def _limits_left(self, thread: _Thread) -> Limits:
        """Return the limits of the next trial of a thread."""
        threads, memory_bytes = len(self._threads), self._limits.memory_bytes or 0
        nodes = None if self._limits.nodes is None else self._limits.nodes // threads
        limits = Limits(self._limits.seconds, nodes).after(self._seconds(), thread.nodes)

        def report(nodes: int) -> None:
            thread.reported = max(thread.reported, nodes)

        return replace(
            limits, memory_bytes=memory_bytes // threads, cancelled=self._is_over, report=report
        )

    def _is_over(self) -> bool:
        limit = self._limits.seconds
        return self._stopping.is_set() or (limit is not None and self._seconds() >= limit)

    def _seconds(self) -> float:
        return search_clock() - self._started

    def _is_enough(self) -> bool:
        return self._best is not None and self._listener.is_enough(len(self._best.moves))

    def _stopped_by(self) -> StopReason | None:
        limits = Limits(self._limits.seconds, self._limits.nodes, None, self._limits.cancelled)
        return limits.check(self._seconds(), sum(thread.nodes for thread in self._threads))


def _end_of(thread: _Thread) -> tuple[int, int]:
    """Return when a thread ends its trial, by its clock, and its number if there are several."""
    return thread.nodes + _nodes_of(thread), thread.number


def _nodes_of(thread: _Thread) -> int:
    if thread.trial is not None and thread.trial.done():
        return thread.trial.result()[0].nodes
    return thread.reported
