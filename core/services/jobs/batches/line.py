"""A line of a batch as it is stored."""

from __future__ import annotations

from dataclasses import dataclass

from tilework.core.messages import Message
from tilework.core.puzzle.metric import Metric
from tilework.core.services.jobs.records import SolutionHead
from tilework.core.services.states import JobState


@dataclass(frozen=True, slots=True)
class BatchLine:
    """A job as a line of its batch."""

    index: int
    job_id: str
    state: JobState
    width: int
    height: int
    lower_bound: int
    upper_bound: int | None
    message: Message | None
    created_at: float
    finished_at: float | None
    board_bytes: bytes
    goal_bytes: bytes
    transform: str
    head: SolutionHead | None
    proved: int | None
    metric: Metric
    withdrawn: bool = False
