"""An anytime portfolio: several kinds of searches shorten the solution until a limit is reached."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import partial
from typing import NamedTuple

from tilework.core.puzzle.board import Board
from tilework.core.puzzle.moves import Moves
from tilework.core.search.deterministic_pool import DeterministicPool
from tilework.core.search.limits import Limits, StopReason
from tilework.core.solver.costs import POLISH_SHARE, SUFFIX_SHARE
from tilework.core.solver.large.anytime.choice import FirstSearch, Searches
from tilework.core.solver.large.anytime.views import View
from tilework.core.solver.large.anytime.widths import Widths
from tilework.core.solver.large.anytime.window_selection import Window, WindowSelection
from tilework.core.solver.large.outcome import Outcome
from tilework.core.solver.target import Algorithm

DEFAULT_MEMORY_BYTES = 1_000_000_000
_WINDOWS_PER_THREAD = 16  # in one round, so that threads seldom wait for each other
_SUFFIXES_PER_THREAD = 4
_MAX_FAILED_SUFFIXES = 40  # in a row


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
    stopped_by: StopReason | None  # None if a solution was good enough or nothing was left to try


class Portfolio:
    """The searches of one board, in rounds of several parallel searches.

    The searches of a round depend only on the board, the number of threads, and the outcomes of
    earlier rounds, which are combined in a fixed order. So the result is reproducible if nodes are
    limited but time is not.

    The first round finds some solution. Then beams of increasing width search the whole board, each
    width on as many views as there are threads, or as the costs say. After each width, windows of
    the best path are searched briefly, and its suffixes for as long as the beams took. Once no
    wider beam fits the limits, windows and then suffixes are searched until they gain nothing more.
    """

    def __init__(self, board: Board, goal: Board, searches: Searches, threads: int) -> None:
        self._board = board
        self._goal = goal
        self._threads = threads
        self._searches = searches
        self._first = searches.first
        self._widths = Widths(searches.costs, threads)
        self._selection: WindowSelection | None = None
        self._window_nodes = 0  # remaining budget for windows before the next beam
        self._suffix_nodes = 0  # the same for suffixes
        self._suffix_count = self._failed_suffixes = 0

    def run(self, best: Solution | None, limits: Limits, listener: Listener) -> PortfolioResult:
        """Search until a solution is good enough, a limit is reached, or nothing is left to try."""
        if limits.memory_bytes is None:
            limits = replace(limits, memory_bytes=DEFAULT_MEMORY_BYTES)
        self._best = best
        self._limits = limits
        self._listener = listener
        self._nodes = 0
        with DeterministicPool(self._threads, limits, lambda: listener.tick(self._nodes)) as pool:
            while self._should_continue(pool) and self._run_round(pool):
                pass
            return PortfolioResult(self._best, self._nodes, self._stopped_by(pool))

    def _run_round(self, pool: DeterministicPool) -> bool:
        """Run the next round; return False if there is none."""
        if (first := self._first) is not None:
            self._first = None
            self._find_first(pool, first)
            return True
        is_polished = self._widths.has_views or self._window_nodes <= 0
        if not is_polished and self._search_windows(pool):
            return True
        uses_suffixes = self._searches.suffix is not None and self._widths.allow_suffixes
        if uses_suffixes and self._suffix_nodes > 0 and self._search_suffixes(pool):
            return True
        limits = self._divide_limits(pool)
        if (width := self._widths.next(limits, with_suffixes=uses_suffixes)) is not None:
            self._run_beams(pool, width)
            return True
        return self._search_windows(pool) or self._search_suffixes(pool)

    def _find_first(self, pool: DeterministicPool, first: FirstSearch) -> None:
        def attempt(limits: Limits) -> Outcome:
            return first(self._board, self._goal, limits=limits)

        outcomes = pool.run([attempt], self._nodes_left(), self._make_reporter())
        self._add(outcomes)

    def _run_beams(self, pool: DeterministicPool, width: int) -> None:
        """Run a beam of one width on as many views as there are threads."""
        first = self._widths.views
        bound = None if self._best is None else len(self._best.moves)

        def attempt(beam_view: View, limits: Limits) -> Outcome:
            board, goal = beam_view.apply(self._board, self._goal)
            outcome = self._searches.beam(board, goal, width, limits=limits, upper_bound=bound)
            if outcome.moves is None:
                return outcome
            return replace(outcome, moves=beam_view.transform.from_canonical(outcome.moves))

        tasks: list[Callable[[Limits], Outcome]] = [
            partial(attempt, self._searches.make_view(first + number))
            for number in range(self._threads)
        ]
        outcomes = pool.run(tasks, self._nodes_left(), self._make_reporter())
        self._widths.measure(width, [outcome for outcome in outcomes if outcome is not None])
        nodes = self._add(outcomes)
        self._window_nodes += int(POLISH_SHARE * nodes)
        self._suffix_nodes += int(SUFFIX_SHARE * nodes)
        self._failed_suffixes = 0

    def _search_windows(self, pool: DeterministicPool) -> bool:
        """Search some windows of the best path; return False once no effort gains anything."""
        selection = self._selection
        if self._best is None:
            return False
        if selection is None:
            efforts = self._searches.efforts
            selection = self._selection = WindowSelection(self._board, self._best.moves, efforts)
        elif len(self._best.moves) < len(selection.path):
            selection.restart(self._best.moves)
        windows = selection.next(_WINDOWS_PER_THREAD * self._threads)
        effort = selection.effort
        if effort is None:
            return False
        width = effort.width

        def attempt(window: Window, limits: Limits) -> Outcome:
            return self._searches.window(
                window.start, window.end, window.moves, width, limits=limits
            )

        tasks: list[Callable[[Limits], Outcome]] = [partial(attempt, window) for window in windows]
        outcomes = pool.run(tasks, self._nodes_left(), lambda _outcome: False)
        self._window_nodes -= self._count_nodes(outcomes)
        paths = [None if outcome is None else outcome.moves for outcome in outcomes]
        if selection.replace(windows, paths):
            self._keep_best(Solution(selection.path, Algorithm.BEAM))
            self._listener.on_solution(self._best, self._nodes)
        return True

    def _search_suffixes(self, pool: DeterministicPool) -> bool:
        """Search some suffixes of the best path; return False once that gains nothing."""
        search, best = self._searches.suffix, self._best
        if search is None or best is None or self._failed_suffixes >= _MAX_FAILED_SUFFIXES:
            return False
        width = self._widths.suffix_width

        def attempt(number: int, limits: Limits) -> Outcome:
            return search(self._board, self._goal, best.moves, width, number, limits=limits)

        first = self._suffix_count
        self._suffix_count += _SUFFIXES_PER_THREAD * self._threads
        tasks: list[Callable[[Limits], Outcome]] = [
            partial(attempt, number) for number in range(first, self._suffix_count)
        ]
        outcomes = pool.run(tasks, self._nodes_left(), self._make_reporter())
        self._suffix_nodes -= self._add(outcomes)
        self._failed_suffixes = 0 if self._best is not best else self._failed_suffixes + len(tasks)
        return True

    def _make_reporter(self) -> Callable[[Outcome], bool]:
        """Return a function that reports shorter solutions and returns whether one is enough."""
        best_length = None if self._best is None else len(self._best.moves)
        nodes = self._nodes

        def report(outcome: Outcome) -> bool:
            nonlocal best_length, nodes
            nodes += outcome.nodes
            if outcome.moves is None:
                return False
            if best_length is None or len(outcome.moves) < best_length:
                best_length = len(outcome.moves)
                self._listener.on_solution(Solution(outcome.moves, Algorithm.BEAM), nodes)
            return self._listener.is_enough(len(outcome.moves))

        return report

    def _add(self, outcomes: Iterable[Outcome | None]) -> int:
        """Keep the best solution of a round, the first one if equal; return the round's nodes."""
        nodes = self._count_nodes(outcomes := list(outcomes))
        for outcome in outcomes:
            if outcome is not None and outcome.moves is not None:
                self._keep_best(Solution(outcome.moves, Algorithm.BEAM))
        return nodes

    def _keep_best(self, solution: Solution) -> None:
        if self._best is None or len(solution.moves) < len(self._best.moves):
            self._best = solution

    def _count_nodes(self, outcomes: Iterable[Outcome | None]) -> int:
        nodes = sum(outcome.nodes for outcome in outcomes if outcome is not None)
        self._nodes += nodes
        return nodes

    def _should_continue(self, pool: DeterministicPool) -> bool:
        return not (self._is_enough() or self._check_limits(pool))

    def _is_enough(self) -> bool:
        return self._best is not None and self._listener.is_enough(len(self._best.moves))

    def _check_limits(self, pool: DeterministicPool) -> StopReason | None:
        if pool.cancelled:
            return StopReason.CANCELLED
        if self._nodes_left() == 0:
            return StopReason.NODES
        return StopReason.TIME if pool.seconds_left == 0 else None

    def _stopped_by(self, pool: DeterministicPool) -> StopReason | None:
        if self._is_enough():
            return None
        limit = self._check_limits(pool)
        if limit is None and not self._widths.is_complete:
            # A wider beam did not fit the limits.
            return StopReason.TIME if self._limits.nodes is None else StopReason.NODES
        return limit

    def _nodes_left(self) -> int | None:
        return self._limits.after(0.0, self._nodes).nodes

    def _divide_limits(self, pool: DeterministicPool) -> Limits:
        """Return the limits of each search in a round with one search per thread."""
        nodes, memory = self._nodes_left(), self._limits.memory_bytes or 0
        nodes_each = None if nodes is None else nodes // self._threads
        return Limits(pool.seconds_left, nodes_each, memory // self._threads)
