"""How jobs end."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from tilework.core.messages import Message, plural
from tilework.core.model.farm.solves import Bounds, Solve
from tilework.core.model.jobs import METHOD_DONE, SLIDES_DONE, Effort, Job
from tilework.core.model.states import JobState
from tilework.core.puzzle.metric import Metric
from tilework.core.solver.target import Target


@dataclass(frozen=True, slots=True)
class Ending:
    """The end of a job. ``started_at`` is for a job that ended while it was still queued."""

    job: Job
    state: JobState
    bounds: Bounds
    message: Message | None
    started_at: float | None
    effort: Effort


NO_SOLUTION: Final = Message("no-solution-found", "No method found a solution to this board.")
TIMED_OUT: Final = Message("time-is-up", "The job reached its time limit.")
RECORD_LOST: Final = Message(
    "record-damaged",
    "The stored data of this job was damaged; submit the board again.",
)
"""The message of a job whose row was damaged."""

End = tuple[JobState, Message | None]


QUARANTINE_S: Final = 3_600.0
"""How long work that crashed its workers stays quarantined."""


def quarantine_message() -> Message:
    """Return why and for how long a search is suspended."""
    minutes = math.ceil(QUARANTINE_S / 60)
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


def find_reached_state(solve: Solve, target: Target) -> JobState | None:
    """Return the final state of a job if its solution is good enough, and otherwise None."""
    if solve.upper_bound is None:
        return None
    if solve.settled:
        return JobState.OPTIMAL
    return JobState.BOUNDED if target.is_met_by(*solve.bounds) else None


def find_known_end(job: Job, solve: Solve) -> End | None:
    """Return how a job ends if its answer is known or its search is exhausted, otherwise None."""
    state = find_reached_state(solve, job.target)
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
    end = find_known_end(job, solve)
    if end is not None:
        return end
    has_solution = solve.upper_bound is not None
    if job.id in blocked:
        return JobState.BOUNDED if has_solution else JobState.FAILED, blocked[job.id]
    if job.deadline <= now:
        return JobState.BOUNDED if has_solution else JobState.EXPIRED, TIMED_OUT
    return None
