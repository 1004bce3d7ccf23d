"""When a job has ended, which depends only on the bounds of its solve and on the job itself."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Final

from tilework.core.messages import Message, plural
from tilework.core.puzzle.metric import Metric
from tilework.core.services.farm.jobs import ActiveJob, NewJob
from tilework.core.services.farm.records import Solve
from tilework.core.services.states import JobState
from tilework.core.solver.options import SLIDES_CELLS
from tilework.core.solver.target import Target

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
