"""What a batch's readers return: plain, frozen values, ready to be shown."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from tilework.core.messages import Message
from tilework.core.model.job_views import SolutionHead
from tilework.core.model.states import JobState
from tilework.core.puzzle.board import Board
from tilework.core.puzzle.metric import Metric
from tilework.core.puzzle.moves import MoveSequence


@dataclass(frozen=True)
class BatchView:
    """A batch and how many of its jobs are in each state."""

    id: str
    client_id: str
    total: int
    states: Mapping[JobState, int]
    created_at: float

    @property
    def unfinished(self) -> int:
        """How many of its jobs have not ended."""
        return sum(count for state, count in self.states.items() if not state.terminal)

    @property
    def finished(self) -> bool:
        """Whether every job has ended."""
        return self.unfinished == 0

    @property
    def progress(self) -> float:
        """Share of the jobs that have ended, 0..1."""
        return 1.0 if not self.total else 1.0 - self.unfinished / self.total


@dataclass(frozen=True)
class BatchRowView:
    """A board of a batch as a page lists it: without its moves, and large ones without tiles.

    Attributes
    ----------
    seconds : float or None
        From the request to the end; None while there is none.
    """

    index: int
    job_id: str
    state: JobState
    width: int
    height: int
    board: Board | None
    goal: Board | None
    lower_bound: int
    upper_bound: int | None
    seconds: float | None
    message: Message | None


@dataclass(frozen=True)
class BatchResultView:
    """One line of a batch's results; ``moves`` is None while there is no solution."""

    index: int
    job_id: str
    state: JobState
    width: int
    height: int
    lower_bound: int
    upper_bound: int | None
    moves: MoveSequence | None
    message: Message | None
    metric: Metric = Metric.MOVES

    @property
    def optimal(self) -> bool:
        """Whether the solution is proved shortest."""
        return self.moves is not None and self.metric.length(self.moves) == self.lower_bound


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
