"""The interface of the solver: the real one, or a scripted one in tests."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from tilework.core.formats.certificate import ThresholdRecord
from tilework.core.messages import Message
from tilework.core.puzzle.board import Board
from tilework.core.puzzle.moves import Moves
from tilework.core.search.limits import Limits
from tilework.core.solver.result import SearchResult, SlidesResult, SolutionListener
from tilework.core.solver.target import Algorithm, Heuristic, Target
from tilework.core.solver.trial import Trial, TrialOutcome
from tilework.core.solver.work_unit import SliceOutcome, WorkUnit


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
        on_solution: SolutionListener | None,
    ) -> SearchResult:
        """Follow a board's strategy within limits; see `tilework.core.solver.solve`."""

    def slides(
        self,
        board: Board,
        goal: Board,
        *,
        target: Target,
        limits: Limits,
        on_solution: SolutionListener,
    ) -> SlidesResult:
        """Search for few slides within limits; see `tilework.core.solver.slides.find`."""

    def first_threshold(self, board: Board, goal: Board) -> int:
        """Return a proven lower bound, the threshold of the first iteration."""

    def root(self) -> WorkUnit:
        """Return the whole tree as one unit."""

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

    def shorten(self, start: Board, path: Moves, trial: Trial, limits: Limits) -> TrialOutcome:
        """Search a suffix of the best solution, or windows of a segment of it, for a shorter path.

        ``path``: the best solution or the segment; ``start``: the board where it begins.
        """

    def check(
        self, board: Board, goal: Board, record: ThresholdRecord, seed: str, limits: Limits
    ) -> Message | None:
        """Check the record of a threshold's search; return the error found, if any."""

    def split(self, board: Board, cursor: bytes) -> tuple[WorkUnit, WorkUnit] | None:
        """Split a cursor in two; return None if it cannot be split."""
