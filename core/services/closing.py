"""Which jobs have ended, and what becomes of their solve.

Every change to a solve goes through here before its transaction ends, so that the two can never
disagree: a solve is active exactly while one of its jobs is unfinished.
"""

from __future__ import annotations

from dataclasses import replace

from core.search.catalogue import Algorithm
from core.search.target import Target
from core.services.records import ActiveJob, Ending, Solve
from core.services.repositories import Session
from core.services.states import JobState, SliceState, SolveState

NOTHING_LEFT = "No method here brings the bounds of this board closer."
TIME_OVER = "The time limit of the job was reached."
METHOD_DONE = "The algorithm that was asked for has done all it can."

_PROVE_NOTHING = (Algorithm.BEAM, Algorithm.CONSTRUCTIVE)
"""Algorithms that find solutions and leave the lower bound as it is."""


def reached(solve: Solve, target: Target) -> JobState | None:
    """Return the last state of a job whose answer is good enough; None where it is not yet."""
    if solve.upper_bound is None:
        return None
    if solve.lower_bound == solve.upper_bound:
        return JobState.OPTIMAL
    if solve.state is SolveState.EXHAUSTED or target.met_by(solve.lower_bound, solve.upper_bound):
        return JobState.BOUNDED
    return None


def close_jobs(
    session: Session,
    solve: Solve,
    now: float,
    *,
    begun_at: float | None = None,
    hopeless: str | None = None,
    tried: str | None = None,
) -> Solve:
    """End the jobs of a locked solve whose time has come, and tend its slices.

    Parameters
    ----------
    begun_at : float, optional
        When the work that led here began.
    hopeless : str, optional
        Why nothing more can be done for any of the jobs.
    tried : str, optional
        The algorithm that has just done all it can.

    Returns
    -------
    Solve
        With its state and epoch brought up to date; the caller saves it.
    """
    unfinished: list[str] = []
    for job in session.jobs.active_of(solve.id):
        state, message = _end_of(job, solve, now, hopeless, tried)
        if state is None:
            unfinished.append(job.client_id)
            continue
        session.jobs.end(
            Ending(job, state, solve.lower_bound, solve.upper_bound, message, begun_at), now
        )
    if solve.upper_bound is not None and solve.lower_bound == solve.upper_bound:
        # The new epoch tells the slices that still run that they can stop.
        session.slices.drop_all(solve.id)
        epoch = solve.epoch if solve.state is SolveState.SETTLED else solve.epoch + 1
        return replace(solve, state=SolveState.SETTLED, epoch=epoch)
    if solve.state is SolveState.EXHAUSTED:
        return solve
    if unfinished:
        payer = solve.client_id if solve.client_id in unfinished else unfinished[0]
        return replace(solve, state=SolveState.ACTIVE, client_id=payer)
    session.slices.change_all(solve.id, SliceState.READY, SliceState.PARKED, turn=now, now=now)
    return replace(solve, state=SolveState.IDLE)


def _end_of(
    job: ActiveJob, solve: Solve, now: float, hopeless: str | None, tried: str | None
) -> tuple[JobState | None, str | None]:
    state = reached(solve, job.target)
    bounded = JobState.BOUNDED if solve.upper_bound is not None else None
    if state is not None:
        return state, NOTHING_LEFT if solve.state is SolveState.EXHAUSTED else None
    if hopeless is not None:
        return bounded or JobState.FAILED, hopeless
    if bounded and tried == job.algorithm and tried in _PROVE_NOTHING:
        return bounded, METHOD_DONE
    if job.deadline <= now:
        return bounded or JobState.EXPIRED, TIME_OVER
    return None, None
