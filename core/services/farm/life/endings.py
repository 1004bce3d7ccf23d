"""When a job has ended, which depends only on the bounds of its solve and on the job itself."""

from __future__ import annotations

from collections.abc import Mapping

from core.services.farm.jobs import ActiveJob, NewJob
from core.services.farm.records import Solve
from core.services.states import JobState
from core.solver.names import Algorithm
from core.solver.target import Target

NOTHING_LEFT = "No method here brings the bounds of this board closer."
METHOD_DONE = "The algorithm that was asked for has done all it can."
NO_SOLUTION = "No method here found a solution of this board."
TIME_OVER = "The time limit of the job was reached."
BROKEN = "Work on this board broke its workers and was set aside."

End = tuple[JobState, str | None]


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
    return JobState.BOUNDED, NOTHING_LEFT if job.course.algorithm == Algorithm.AUTO else METHOD_DONE


def end_of(job: ActiveJob, solve: Solve, now: float, hopeless: Mapping[str, str]) -> End | None:
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
