"""Better and better solutions of one board, from searches of several kinds, until the limits."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import NamedTuple

from tilework.core.puzzle.board import Board
from tilework.core.puzzle.moves import Moves
from tilework.core.search.deterministic_pool import DeterministicPool
from tilework.core.search.limits import Limits, StopReason
from tilework.core.solver.costs import (
    BEAM_SHARE,
    FIRST_SHARE,
    LEAST_GROWTH,
    POLISH_SHARE,
    BeamCosts,
    next_width,
)
from tilework.core.solver.large.anytime.choice import FirstSearch, Searches
from tilework.core.solver.large.anytime.views import FORMS, View, view
from tilework.core.solver.large.anytime.window_selection import Window, WindowSelection
from tilework.core.solver.large.outcome import Outcome
from tilework.core.solver.target import Algorithm

DEFAULT_MEMORY_BYTES = 1_000_000_000
_WINDOWS_A_THREAD = 16  # in one round: enough that a thread seldom waits for another at its end


class Solution(NamedTuple):
    moves: Moves
    algorithm: str


@dataclass(frozen=True, slots=True)
class Listener:
    """Who waits for better solutions; all are called in the thread that called `run`."""

    # Returns whether a solution of a length is good enough to end the search
    enough: Callable[[int], bool]
    # Told a better solution as soon as its try ends, and so before its round does
    found: Callable[[Solution], object]
    tick: Callable[[int], object]  # told the nodes of all tries so far several times a second


@dataclass(frozen=True, slots=True)
class Improved:
    best: Solution | None  # the shortest that is known
    nodes: int  # generated
    # None where nothing was left to try, or a solution was good enough
    stopped_by: StopReason | None


_NO_END = 1 << 40


class Widths:
    """How wide the next beam of a board may be: what the last one took says what it will."""

    def __init__(self, costs: BeamCosts) -> None:
        self._costs = costs
        self._nodes = costs.nodes
        self._seconds = costs.seconds
        self._widest = 0
        self.complete = False  # whether the widest beam that the memory allows has been tried

    def next(self, left: Limits, share: float) -> int | None:
        most = (left.memory_bytes or 0) // self._costs.board_bytes
        self.complete = most < max(self._costs.least_width, int(LEAST_GROWTH * self._widest))
        if self._widest == 0:
            # Where it fails there is nothing.
            share = min(share, FIRST_SHARE)
        return next_width(self._costs, self._widest, self._fitting(left, share), most)

    def again(self, left: Limits) -> int | None:
        """Return a width for other views, nearly as wide as the widest, if any fits."""
        width = min(self._fitting(left, 1.0), self._widest)
        return width if 0 < self._widest <= 4 * width else None

    def measure(self, width: int, outcomes: Sequence[Outcome]) -> None:
        """Take note of the outcomes of beams of a width that ran at the same time."""
        self._widest = max(self._widest, width)
        # One that was cut short says nothing of a whole one.
        whole = [outcome for outcome in outcomes if outcome.stopped_by is None]
        if whole:
            nodes = max(outcome.nodes for outcome in whole)
            seconds = max(outcome.seconds for outcome in whole)
            self._nodes = max(1.0, nodes / width)
            self._seconds = max(1e-9, (seconds - self._costs.before) / width)

    def _fitting(self, left: Limits, share: float) -> int:
        """Return the widest beam that takes no more than a share of what is left."""
        most = float(_NO_END)
        if left.nodes is not None:
            most = min(most, share * left.nodes / self._nodes)
        if left.seconds is not None:
            most = min(most, (share * left.seconds - self._costs.before) / self._seconds)
        return int(max(0.0, most))


class Portfolio:
    """The searches of one board, in rounds of tries that run at the same time.

    What a round tries depends on the board, the number of threads, and the outcomes of
    the rounds before, which are put together in a fixed order. So with a limit of nodes and none
    of time, the outcome is always the same.

    First comes some solution, then beams of the whole board, each wider than the last, on as many
    views of the problem as there are threads. After each of them windows of the best path are
    searched for shorter ways, briefly; and at length once no wider beam fits what is left. Where
    even that gains nothing, beams as wide as fit look at other views, until all of them were seen
    in vain.
    """

    def __init__(self, board: Board, goal: Board, searches: Searches, threads: int) -> None:
        self._board = board
        self._goal = goal
        self._threads = threads
        self._searches = searches
        self._first = searches.first
        self._widths = Widths(searches.costs)
        self._selection: WindowSelection | None = None
        # Nodes for windows before the next beam; and views that were seen in vain.
        self._polish = 0
        self._seen = 0

    def run(self, best: Solution | None, limits: Limits, listener: Listener) -> Improved:
        """Search until a solution is good enough, a limit is reached or nothing is left to try."""
        if limits.memory_bytes is None:
            limits = replace(limits, memory_bytes=DEFAULT_MEMORY_BYTES)
        self._best = best
        self._limits = limits
        self._listener = listener
        self._nodes = 0
        with DeterministicPool(self._threads, limits, lambda: listener.tick(self._nodes)) as rounds:
            while self._goes_on(rounds) and self._round(rounds):
                pass
            return Improved(self._best, self._nodes, self._stopped_by(rounds))

    def _round(self, rounds: DeterministicPool) -> bool:
        """Run the round that is due; return False where there is none."""
        if (first := self._first) is not None:
            self._first = None
            self._look_first(rounds, first)
            return True
        if self._polish > 0 and self._improve(rounds):
            return True
        if (width := self._widths.next(self._left(rounds), BEAM_SHARE)) is not None:
            self._widen(rounds, width, 0)
            return True
        if self._improve(rounds):
            return True
        if self._seen < FORMS and (width := self._widths.again(self._left(rounds))) is not None:
            self._seen += self._threads
            self._widen(rounds, width, self._seen)
            return True
        return False

    def _look_first(self, rounds: DeterministicPool, first: FirstSearch) -> None:
        def attempt(limits: Limits) -> Outcome:
            return first(self._board, self._goal, limits=limits)

        outcomes = rounds.run([attempt], self._nodes_left(), self._telling())
        self._take(outcomes)

    def _widen(self, rounds: DeterministicPool, width: int, first: int) -> None:
        """Look at as many views as there are threads, with a beam of one width at each."""
        bound = None if self._best is None else len(self._best.moves)

        def attempt(one: View, limits: Limits) -> Outcome:
            board, goal = one.of(self._board, self._goal)
            outcome = self._searches.beam(board, goal, width, limits=limits, upper_bound=bound)
            if outcome.moves is None:
                return outcome
            return replace(outcome, moves=one.transform.from_canonical(outcome.moves))

        views = [view(number) for number in range(first, first + self._threads)]
        tries: list[Callable[[Limits], Outcome]] = [partial(attempt, one) for one in views]
        outcomes = rounds.run(tries, self._nodes_left(), self._telling())
        self._widths.measure(width, [outcome for outcome in outcomes if outcome is not None])
        self._polish = int(POLISH_SHARE * self._take(outcomes))

    def _improve(self, rounds: DeterministicPool) -> bool:
        """Search some windows of the best path; return False where none gains anything more."""
        selection = self._selection
        if self._best is None:
            return False
        if selection is None:
            efforts = self._searches.efforts
            selection = self._selection = WindowSelection(self._board, self._best.moves, efforts)
        elif len(self._best.moves) < len(selection.path):
            selection.begin(self._best.moves)
        due = selection.next(_WINDOWS_A_THREAD * self._threads)
        effort = selection.effort
        if effort is None:
            return False
        width = effort.width

        def attempt(one: Window, limits: Limits) -> Outcome:
            return self._searches.window(one.start, one.end, one.moves, width, limits=limits)

        tries: list[Callable[[Limits], Outcome]] = [partial(attempt, one) for one in due]
        outcomes = rounds.run(tries, self._nodes_left(), lambda _outcome: False)
        self._polish -= self._count(outcomes)
        if selection.put(due, [None if one is None else one.moves for one in outcomes]):
            self._better(Solution(selection.path, Algorithm.BEAM))
            self._listener.found(self._best)
        return True

    def _telling(self) -> Callable[[Outcome], bool]:
        """Return what tells of better solutions within a round, and whether one is good enough."""
        told = None if self._best is None else len(self._best.moves)

        def tell(outcome: Outcome) -> bool:
            nonlocal told
            if outcome.moves is None:
                return False
            if told is None or len(outcome.moves) < told:
                told = len(outcome.moves)
                self._listener.found(Solution(outcome.moves, Algorithm.BEAM))
            return self._listener.enough(len(outcome.moves))

        return tell

    def _take(self, outcomes: Iterable[Outcome | None]) -> int:
        """Keep the best solution of a round, the first of equals; return the round's nodes."""
        nodes = self._count(outcomes := list(outcomes))
        for outcome in outcomes:
            if outcome is not None and outcome.moves is not None:
                self._better(Solution(outcome.moves, Algorithm.BEAM))
        return nodes

    def _better(self, found: Solution) -> None:
        if self._best is None or len(found.moves) < len(self._best.moves):
            self._best = found
            self._seen = 0

    def _count(self, outcomes: Iterable[Outcome | None]) -> int:
        nodes = sum(outcome.nodes for outcome in outcomes if outcome is not None)
        self._nodes += nodes
        return nodes

    def _goes_on(self, rounds: DeterministicPool) -> bool:
        return not (self._is_enough() or self._reached(rounds))

    def _is_enough(self) -> bool:
        return self._best is not None and self._listener.enough(len(self._best.moves))

    def _reached(self, rounds: DeterministicPool) -> StopReason | None:
        if rounds.cancelled:
            return StopReason.CANCELLED
        if self._nodes_left() == 0:
            return StopReason.NODES
        return StopReason.TIME if rounds.seconds_left == 0 else None

    def _stopped_by(self, rounds: DeterministicPool) -> StopReason | None:
        if self._is_enough():
            return None
        reached = self._reached(rounds)
        if reached is None and not self._widths.complete:
            # A wider beam did not fit what is left.
            return StopReason.TIME if self._limits.nodes is None else StopReason.NODES
        return reached

    def _nodes_left(self) -> int | None:
        return self._limits.after(0.0, self._nodes).nodes

    def _left(self, rounds: DeterministicPool) -> Limits:
        """Return what each try of a round may take that has one for each thread."""
        nodes, memory = self._nodes_left(), self._limits.memory_bytes or 0
        each = None if nodes is None else nodes // self._threads
        return Limits(rounds.seconds_left, each, memory // self._threads)
