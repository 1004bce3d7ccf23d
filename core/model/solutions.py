"""Solutions of jobs: as they are told, and as they are kept."""

from __future__ import annotations

from dataclasses import dataclass

from tilework.core.model.jobs import Job
from tilework.core.puzzle.board import Board
from tilework.core.puzzle.metric import Metric
from tilework.core.puzzle.moves import MoveSequence


@dataclass(frozen=True)
class SolutionView:
    """A solution of a board as given, replayed; the lower bound counts in the metric."""

    start: Board
    goal: Board
    moves: MoveSequence
    lower_bound: int
    metric: Metric = Metric.MOVES

    @property
    def optimal(self) -> bool:
        """Whether no solution is shorter; proved."""
        return self.metric.length(self.moves) == self.lower_bound


@dataclass(frozen=True, slots=True)
class StoredSolution:
    """What a job's solution is made of; ``moves`` solve the canonical board, as long as promised.

    Attributes
    ----------
    solution : str or None
        The name of the solution; another one has another name.
    lower_bound : int
        Of the board, by now.
    withdrawn : bool
        Whether the job has ended with a solution that was found damaged since.
    algorithm : str or None
        What found the moves.
    nodes, seconds : int, float
        All effort on the board.
    """

    job: Job
    moves: MoveSequence | None
    solution: str | None
    lower_bound: int
    algorithm: str | None
    nodes: int
    seconds: float
    withdrawn: bool = False


@dataclass(frozen=True, slots=True)
class SolutionHead:
    """Which solution a solve has.

    Attributes
    ----------
    packed : bytes
        The moves; of a long solution only what tells it from others.
    long : bool
        Whether the moves are in chunks of their own.
    count : int
        Of its moves.
    name : str
        Another solution has another name.
    """

    solve_id: str
    packed: bytes
    long: bool
    count: int
    name: str


@dataclass(frozen=True, slots=True)
class JobSolution:
    """Which solution a job has, and the way to its canonical board; None while it has none."""

    transform: str
    head: SolutionHead | None
