"""Jobs as the services see them, from submission to their end."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from tilework.core.messages import Message
from tilework.core.puzzle.metric import Metric
from tilework.core.services.farm.course import Course
from tilework.core.services.farm.records import Solve
from tilework.core.services.states import JobState, Queue
from tilework.core.solver.target import Target

FIRST_VERSION: Final = 1
"""Of a job that was just stored; each change of it is a later one."""


@dataclass(frozen=True, slots=True)
class Effort:
    """What had been spent on a solve when one of its jobs ended, for that job to report."""

    nodes: int
    wall_s: float
    threshold: int | None
    covered: float
    engine: str | None

    @classmethod
    def of(cls, solve: Solve) -> Effort:
        """Return what has been spent on a solve by now."""
        return cls(solve.nodes, solve.wall_s, solve.threshold, solve.covered, solve.engine)


@dataclass(frozen=True, slots=True)
class NewJob:
    """A job about to be stored."""

    id: str
    solve_id: str | None
    client_id: str
    board_bytes: bytes
    goal_bytes: bytes
    width: int
    height: int
    transform: str
    target: Target
    course: Course
    time_limit_s: float
    deadline: float
    queue: Queue
    state: JobState
    cached: bool
    created_at: float
    finished_at: float | None = None
    batch_id: str | None = None
    batch_index: int | None = None
    lower_bound: int = 0
    upper_bound: int | None = None
    message: Message | None = None
    effort: Effort | None = None
    callback_url: str | None = None
    metric: Metric = Metric.MOVES


@dataclass(frozen=True, slots=True)
class ActiveJob:
    """An unfinished job, as far as its life is decided from it."""

    id: str
    client_id: str
    target: Target
    course: Course
    deadline: float
    state: JobState
    queue: Queue


@dataclass(frozen=True, slots=True)
class Ending:
    """How a job ends.

    Attributes
    ----------
    started_at : float or None
        When work on it began, for a job that ended before it was seen running.
    """

    job: ActiveJob
    state: JobState
    lower_bound: int
    upper_bound: int | None
    message: Message | None
    started_at: float | None
    effort: Effort
