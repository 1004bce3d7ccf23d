"""What the services need from outside, where tests or processes differ: tickets, a solver."""

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
    """Messages that say "there is work in queue X", but never which work."""

    def send(self, queue: str, count: int = 1) -> None:
        """Put tickets into a queue. May raise anything: no ticket is ever needed."""

    def depth(self, queue: str) -> int | None:
        """Return how many tickets wait, None where the broker does not answer."""

    def arrive(self) -> bool:
        """Whether the broker answers, or is not needed."""


class NoTickets:
    """Tickets without a broker: work is found by the reconciler and by polling workers."""

    def send(self, queue: str, count: int = 1) -> None:
        """Drop the tickets."""

    def depth(self, queue: str) -> int | None:
        """Return None: unknown."""
        return None

    def arrive(self) -> bool:
        """Return True: nobody waits for a ticket."""
        return True


class Solver(Protocol):
    """The solver, as the work needs it."""

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
        """Follow a board's strategy in one go, within limits (`tilework.core.solver.solve`)."""

    def slides(
        self,
        board: Board,
        goal: Board,
        *,
        target: Target,
        limits: Limits,
        found: FoundListener,
    ) -> SlidesResult:
        """Look for few slides, within limits (`tilework.core.solver.slides.find`)."""

    def first_threshold(self, board: Board, goal: Board) -> int:
        """Return a proved lower bound, the threshold of the first iteration."""

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
        """Search a part of a threshold's tree, about as many nodes as given."""

    def order(
        self,
        board: Board,
        goal: Board,
        threshold: int,
        *,
        workers: int,
        cancelled: Callable[[], bool],
    ) -> SliceOutcome | None:
        """Put the whole tree of a threshold in order, the most promising subtrees first.

        None where it is not worth it.
        """

    def aim(
        self, board: Board, goal: Board, trial: Trial, length: int, limits: Limits
    ) -> TrialOutcome:
        """Look for a solution of a length alone, by beams of up to the trial's width."""

    def try_beam(
        self, board: Board, goal: Board, trial: Trial, upper_bound: int, limits: Limits
    ) -> TrialOutcome:
        """Look for a solution shorter than one known, on a view of the whole board."""

    def try_windows(self, start: Board, path: Moves, trial: Trial, limits: Limits) -> TrialOutcome:
        """Look for shorter ways along a stretch of a path, between the same boards."""

    def check(
        self,
        board: Board,
        goal: Board,
        record: ThresholdRecord,
        seed: str,
        cancelled: Callable[[], bool],
    ) -> Message | None:
        """Return what is wrong with the record of a threshold's search, as far as was checked."""

    def split(self, board: Board, cursor: bytes) -> tuple[WorkUnit, WorkUnit] | None:
        """Split a cursor in two; None where there is nothing left to split."""
