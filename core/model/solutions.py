"""Solutions: replayed on the given board, and the heads under which they are stored."""

from __future__ import annotations

from dataclasses import dataclass

from tilework.core.errors import ReplacedError
from tilework.core.puzzle.board import Board
from tilework.core.puzzle.metric import Metric
from tilework.core.puzzle.moves import MoveSequence


@dataclass(frozen=True)
class SolutionView:
    """A replayed solution of a given board. The lower bound is in the metric."""

    start: Board
    goal: Board
    moves: MoveSequence
    lower_bound: int
    metric: Metric = Metric.MOVES

    @property
    def optimal(self) -> bool:
        """Whether the solution is proven optimal."""
        return self.metric.length(self.moves) == self.lower_bound


@dataclass(frozen=True, slots=True)
class SolutionHead:
    """The head of a solve's solution, with a name that identifies the solution.

    ``packed``: the moves; for a long solution, whose moves are in chunks, only their digest.
    ``count``: the number of moves.
    """

    solve_id: str
    packed: bytes
    long: bool
    count: int
    name: str


@dataclass(frozen=True, slots=True)
class JobSolution:
    """The transformation to a job's canonical board, and the head of its solution, if any."""

    transform: str
    head: SolutionHead | None


def solution_replaced() -> ReplacedError:
    return ReplacedError(
        "solution-replaced", "a better solution of this board has replaced this one"
    )
