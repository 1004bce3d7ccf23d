"""Jobs as the services see them, from submission to their end."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

from tilework.core.messages import Message, plural
from tilework.core.model.solves import Course, Found, Iteration, Solve
from tilework.core.model.states import JobState, Queue
from tilework.core.puzzle.metric import Metric
from tilework.core.solver.options import SLIDES_CELLS
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


METHOD_DONE: Final = Message(
    "algorithm-exhausted", "The requested algorithm cannot improve the result any further."
)
SLIDES_DONE: Final = Message(
    "slides-not-counted-out",
    "The fewest slides are proved on boards of up to {cells} cells; of larger ones the best "
    "solution that was met is kept.",
    cells=SLIDES_CELLS,
)
NO_SOLUTION: Final = Message("no-solution-found", "No method here found a solution of this board.")
TIME_OVER: Final = Message("time-is-up", "The time limit of the job was reached.")

End = tuple[JobState, Message | None]


def crashed(suspended_s: float) -> Message:
    """Say why work was quarantined, and for how long."""
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


def reached(solve: Solve, target: Target) -> JobState | None:
    """Return the last state of a job whose answer is good enough; None if it is not yet."""
    if solve.upper_bound is None:
        return None
    if solve.settled:
        return JobState.OPTIMAL
    return JobState.BOUNDED if target.met_by(*solve.bounds) else None


def answered(job: NewJob | ActiveJob, solve: Solve) -> End | None:
    """Return how a job ends by what is known of its solve; None where more can be done for it."""
    state = reached(solve, job.target)
    if state is not None:
        return state, None
    if job.course not in solve.tried:
        return None
    if solve.upper_bound is None:
        return JobState.FAILED, NO_SOLUTION
    return JobState.BOUNDED, METHOD_DONE if solve.metric is Metric.MOVES else SLIDES_DONE


def end_of(job: ActiveJob, solve: Solve, now: float, hopeless: Mapping[str, Message]) -> End | None:
    """Return how an unfinished job ends now; None where it goes on.

    Parameters
    ----------
    hopeless : mapping
        By the id of a job, why nothing more can be done for it.
    """
    end = answered(job, solve)
    if end is not None:
        return end
    has_solution = solve.upper_bound is not None
    if job.id in hopeless:
        return JobState.BOUNDED if has_solution else JobState.FAILED, hopeless[job.id]
    if job.deadline <= now:
        return JobState.BOUNDED if has_solution else JobState.EXPIRED, TIME_OVER
    return None


# Time constant with which old slices decay in the rate.
FADING_S = 10.0

# Without a finished slice for this long, nobody is working on it.
STALE_S = 15.0

# Most marks of a threshold; beyond, every other one is dropped.
MOST_MARKS = 16

# Growth and unevenness are judged by the last few thresholds.
MOST_ITERATIONS = 4


def at_threshold(solve: Solve, threshold: int, now: float) -> Solve:
    """Return a solve at the start of a threshold: nothing of it is covered."""
    return replace(
        solve,
        threshold=threshold,
        next_threshold=None,
        covered=0.0,
        iterations=(*solve.iterations[1 - MOST_ITERATIONS :], Iteration(threshold)),
        rate_at=solve.rate_at if is_fresh(solve.rate_at, now) else now,
    )


def with_slice(solve: Solve, threshold: int, found: Found, covered: float, now: float) -> Solve:
    """Return a solve after a slice of a threshold, by which so much of the tree is covered.

    Its nodes and seconds are added by ``Draft.take_bounds``.
    """
    return replace(
        with_effort(solve, found.nodes, found.seconds, now),
        covered=covered,
        engine=found.engine,
        iterations=_with(solve.iterations, threshold, found, covered),
    )


def with_effort(solve: Solve, nodes: int, seconds: float, now: float) -> Solve:
    """Return a solve whose rate takes note of nodes that took so many seconds until now."""
    passed = seconds
    if solve.rate_at is not None and is_fresh(solve.rate_at, now):
        passed = max(0.0, now - solve.rate_at)
    kept = math.exp(-passed / FADING_S)
    return replace(
        solve,
        wall_s=solve.wall_s + passed,
        recent_nodes=solve.recent_nodes * kept + nodes,
        recent_s=solve.recent_s * kept + passed,
        rate_at=now,
    )


def is_fresh(rate_at: float | None, now: float) -> bool:
    """Whether the sums are recent enough to mean that work still goes on."""
    return rate_at is not None and now - rate_at <= STALE_S


def rate(recent_nodes: float, recent_s: float, rate_at: float | None, now: float) -> float:
    """Return nodes a second over all workers; 0 where nobody is at work."""
    return recent_nodes / recent_s if recent_s > 0 and is_fresh(rate_at, now) else 0.0


def _with(
    iterations: tuple[Iteration, ...], threshold: int, found: Found, covered: float
) -> tuple[Iteration, ...]:
    if not iterations or iterations[-1].threshold != threshold:
        return iterations
    present = iterations[-1]
    nodes = present.nodes + found.nodes
    marks = present.marks
    if not marks or nodes - marks[-1][0] >= marks[-1][0] / len(marks):
        marks = (*marks, (nodes, covered))
    if len(marks) > MOST_MARKS:
        marks = marks[1::2]
    seconds = present.seconds + found.seconds
    return (*iterations[:-1], Iteration(threshold, nodes, seconds, marks))
