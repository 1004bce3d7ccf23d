"""Interfaces with several implementations, in tests or processes: tickets and the solver."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from tilework.core.formats.certificate import ThresholdRecord
from tilework.core.messages import Message
from tilework.core.puzzle.board import Board
from tilework.core.puzzle.moves import Moves
from tilework.core.search.limits import Limits
from tilework.core.solver.result import FoundListener, SearchResult, SlidesResult
from tilework.core.solver.target import Algorithm, Heuristic, Target
from tilework.core.solver.trial import Trial, TrialOutcome
from tilework.core.solver.work_unit import SliceOutcome, WorkUnit


class Tickets(Protocol):
    """Messages that say "there is work in queue X", but not which work."""

    def send(self, queue: str, count: int = 1) -> None:
        """Put tickets into a queue. It may raise anything, because no ticket is essential."""

    def depth(self, queue: str) -> int | None:
        """Return how many tickets wait; None if the broker does not answer."""

    def is_available(self) -> bool:
        """Whether the broker answers, or is not needed."""


class NoTickets:
    """Tickets without a broker: the reconciler and polling workers find the work."""

    def send(self, queue: str, count: int = 1) -> None:
        pass

    def depth(self, queue: str) -> int | None:
        return None

    def is_available(self) -> bool:
        return True


class Solver(Protocol):
    """The solver, as workers use it."""

    def solve(
        self,
        board: Board,
        goal: Board,
        *,
        target: Target,
        limits: Limits,
        algorithm: Algorithm,
        heuristic: Heuristic,
        found: FoundListener | None,
    ) -> SearchResult:
        """Follow a board's strategy within limits; see `tilework.core.solver.solve`."""

    def slides(
        self,
        board: Board,
        goal: Board,
        *,
        target: Target,
        limits: Limits,
        found: FoundListener,
    ) -> SlidesResult:
        """Search for few slides within limits; see `tilework.core.solver.slides.find`."""

    def first_threshold(self, board: Board, goal: Board) -> int:
        """Return a proven lower bound, the threshold of the first iteration."""

    def root(self) -> WorkUnit:
        """Return the whole tree."""

    def search(
        self,
        board: Board,
        goal: Board,
        threshold: int,
        cursor: bytes,
        *,
        nodes: int,
        cancelled: Callable[[], bool],
    ) -> SliceOutcome:
        """Search about this many nodes of a part of a threshold's tree."""

    def order(
        self,
        board: Board,
        goal: Board,
        threshold: int,
        *,
        workers: int,
        cancelled: Callable[[], bool],
    ) -> SliceOutcome | None:
        """Order the tree of a threshold, most promising subtrees first; None if it is not worth
        it.
        """

    def aim(
        self, board: Board, goal: Board, trial: Trial, length: int, limits: Limits
    ) -> TrialOutcome:
        """Search for a solution of exactly this length, with beams up to the trial's width."""

    def try_beam(
        self, board: Board, goal: Board, trial: Trial, upper_bound: int, limits: Limits
    ) -> TrialOutcome:
        """Search for a shorter solution with a beam on one view of the board."""

    def try_windows(self, start: Board, path: Moves, trial: Trial, limits: Limits) -> TrialOutcome:
        """Order the tree of a threshold, most promising subtrees first; None if not worth it."""

    def check(
        self,
        board: Board,
        goal: Board,
        record: ThresholdRecord,
        seed: str,
        cancelled: Callable[[], bool],
    ) -> Message | None:
        """Check the record of a threshold's search; return the fault that was found, if any."""

    def split(self, board: Board, cursor: bytes) -> tuple[WorkUnit, WorkUnit] | None:
        """Split a cursor in two; return None if it cannot be split."""
