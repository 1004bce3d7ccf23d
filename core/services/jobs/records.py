"""Rows that only the jobs' services see: what an answer is made of, and earlier requests."""

from __future__ import annotations

from dataclasses import dataclass

from tilework.core.puzzle.metric import Metric
from tilework.core.puzzle.moves import MoveSequence


@dataclass(frozen=True, slots=True)
class Answer:
    """What a job's solution is made of; ``moves`` solve the canonical board, as long as promised.

    Attributes
    ----------
    solution : str or None
        The name of the solution; another one has another name.
    metric : Metric
        What the lower bound counts.
    withdrawn : bool
        Whether the job has ended with a solution that was found damaged since.
    algorithm : str or None
        What found the moves.
    nodes, seconds : int, float
        All effort on the board.
    """

    id: str
    board_bytes: bytes
    goal_bytes: bytes
    transform: str
    moves: MoveSequence | None
    solution: str | None
    lower_bound: int
    solve_id: str | None
    algorithm: str | None
    nodes: int
    seconds: float
    metric: Metric = Metric.MOVES
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


@dataclass(frozen=True, slots=True)
class EarlierRequest:
    """What an idempotency key was used for before."""

    fingerprint: str
    job_id: str | None
    batch_id: str | None
