"""Rows that only the jobs' services see: what an answer is made of, lines of batches, requests."""

from __future__ import annotations

from dataclasses import dataclass

from core.messages import Message
from core.puzzle.moves import Moves
from core.services.states import JobState


@dataclass(frozen=True, slots=True)
class Answer:
    """What a job's solution is made of; ``moves`` solve the canonical board.

    Attributes
    ----------
    algorithm : str or None
        What found the moves.
    nodes, seconds : int, float
        All effort on the board.
    """

    board_bytes: bytes
    goal_bytes: bytes
    transform: str
    moves: Moves | None
    lower_bound: int
    solve_id: str | None
    algorithm: str | None
    nodes: int
    seconds: float


@dataclass(frozen=True, slots=True)
class EarlierRequest:
    """What an idempotency key was used for before."""

    fingerprint: str
    job_id: str | None
    batch_id: str | None


@dataclass(frozen=True, slots=True)
class BatchLine:
    """A job as a line of its batch; ``moves`` (packed) solve the canonical board."""

    index: int
    job_id: str
    state: JobState
    width: int
    height: int
    lower_bound: int
    upper_bound: int | None
    message: Message | None
    board_bytes: bytes
    goal_bytes: bytes
    transform: str
    moves_bytes: bytes | None
    proved: int | None
