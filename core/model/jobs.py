"""Jobs, and how they end."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, NamedTuple

from tilework.core.errors import NotFoundError, ReplacedError
from tilework.core.messages import Message, plural
from tilework.core.model.farm.solves import SearchConfig, Solve
from tilework.core.model.job_options import JobOptions
from tilework.core.model.states import JobState, Queue
from tilework.core.puzzle.metric import Metric
from tilework.core.solver.options import SLIDES_CELLS
from tilework.core.solver.target import Target


class Effort(NamedTuple):
    """The effort on a solve at the end of one of its jobs."""

    nodes: int
    wall_s: float
    threshold: int | None
    covered: float
    engine: str | None

    @classmethod
    def of(cls, solve: Solve) -> Effort:
        """Return the effort on a solve by now."""
        return cls(solve.nodes, solve.wall_s, solve.threshold, solve.covered, solve.engine)


@dataclass(frozen=True, kw_only=True)
class Job:
    """A job as it is stored.

    ``revision``: increases with each change.
    ``lower_bound``, ``upper_bound``, ``effort``: the final values, only once the job has ended.
    ``board_bytes``, ``goal_bytes``: packed boards, empty if they were not read.
    """

    id: str
    client_id: str
    options: JobOptions
    width: int
    height: int
    transform: str
    created_at: float
    deadline: float
    queue: Queue
    state: JobState = JobState.QUEUED
    solve_id: str | None = None
    batch_id: str | None = None
    batch_index: int | None = None
    cached: bool = False
    revision: int = 1
    started_at: float | None = None
    finished_at: float | None = None
    lower_bound: int = 0
    upper_bound: int | None = None
    message: Message | None = None
    effort: Effort | None = None
    callback_url: str | None = None
    board_bytes: bytes = b""
    goal_bytes: bytes = b""

    @property
    def target(self) -> Target:
        """Which solution is good enough."""
        return self.options.parsed_target

    @property
    def config(self) -> SearchConfig:
        """The algorithm and the heuristic."""
        return self.options.config

    @property
    def finished(self) -> bool:
        """Whether the job has ended."""
        return self.finished_at is not None


@dataclass(frozen=True, slots=True)
class Ending:
    """The end of a job. ``started_at`` is for a job that ended while it was still queued."""

    job: Job
    state: JobState
    lower_bound: int
    upper_bound: int | None
    message: Message | None
    started_at: float | None
    effort: Effort


METHOD_DONE: Final = Message(
    "algorithm-exhausted", "The requested algorithm cannot improve the result any further."
)
SLIDES_DONE: Final = Message(
    "slides-not-counted-out",
    "A minimum of slides is proved only on boards of up to {cells} cells; for larger ones, the "
    "best solution found is returned.",
    cells=SLIDES_CELLS,
)
NO_SOLUTION: Final = Message("no-solution-found", "No method found a solution to this board.")
TIME_OVER: Final = Message("time-is-up", "The job reached its time limit.")

End = tuple[JobState, Message | None]


def quarantine_message(suspended_s: float) -> Message:
    """Return why and for how long a search is suspended."""
    minutes = math.ceil(suspended_s / 60)
    time = (
        plural("minutes", "a minute", "{count} minutes", count=minutes)
        if minutes % 60
        else plural("hours", "an hour", "{count} hours", count=minutes // 60)
    )
    return Message(
        "quarantined",
        "The search crashed its workers repeatedly and is suspended for {time}.",
        time=time,
    )


def reached_state(solve: Solve, target: Target) -> JobState | None:
    """Return the final state of a job if its solution is good enough, and otherwise None."""
    if solve.upper_bound is None:
        return None
    if solve.settled:
        return JobState.OPTIMAL
    return JobState.BOUNDED if target.is_met_by(*solve.bounds) else None


def known_end(job: Job, solve: Solve) -> End | None:
    """Return how a job ends if its answer is known or its search is exhausted, otherwise None."""
    state = reached_state(solve, job.target)
    if state is not None:
        return state, None
    if job.config not in solve.tried:
        return None
    if solve.upper_bound is None:
        return JobState.FAILED, NO_SOLUTION
    return JobState.BOUNDED, METHOD_DONE if solve.metric is Metric.MOVES else SLIDES_DONE


def decide_end(job: Job, solve: Solve, now: float, blocked: Mapping[str, Message]) -> End | None:
    """Return how an unfinished job ends now, or None if it continues.

    ``blocked``: for each job that cannot be continued, the reason by its id.
    """
    end = known_end(job, solve)
    if end is not None:
        return end
    has_solution = solve.upper_bound is not None
    if job.id in blocked:
        return JobState.BOUNDED if has_solution else JobState.FAILED, blocked[job.id]
    if job.deadline <= now:
        return JobState.BOUNDED if has_solution else JobState.EXPIRED, TIME_OVER
    return None


MAX_QUOTED: Final = 80
"""The number of characters of an unknown id that are quoted."""

# A UUID of version 7, like the ids of `new_id`.
_OUR_ID: Final = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}")
WITHDRAWN: Final = Message(
    "solution-withdrawn",
    "The stored solution of this board was damaged and has been removed; submit the board "
    "again to solve it from scratch.",
)

RECORD_LOST: Final = Message(
    "record-damaged",
    "The stored data of this job was damaged; submit the board again.",
)
"""Why a job failed whose row was damaged."""


def job_not_found(job_id: str) -> NotFoundError:
    """Return the error for an unknown job. If the id looks valid, the job may have been deleted."""
    if _OUR_ID.fullmatch(job_id):
        return NotFoundError(
            "no-job-any-more",
            "there is no job {id!r}; jobs are deleted some time after they end, but solutions "
            "are kept: submit the board again",
            id=job_id,
        )
    return NotFoundError("no-job", "there is no job {id!r}", id=job_id[:MAX_QUOTED])


def batch_not_found(batch_id: str) -> NotFoundError:
    return NotFoundError("no-batch", "there is no batch {id!r}", id=batch_id[:MAX_QUOTED])


def solution_replaced() -> ReplacedError:
    return ReplacedError(
        "solution-replaced", "a better solution of this board has replaced this one"
    )
