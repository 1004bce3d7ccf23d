"""Runs of the lab: the limits on them, and the end of the jobs that they answer."""

from __future__ import annotations

from typing import Final

from tilework.core.errors import DamagedRowError
from tilework.core.lab.method import is_optimal
from tilework.core.messages import Message, plural
from tilework.core.model.endings import Ending
from tilework.core.model.farm.solves import Bounds
from tilework.core.model.jobs import METHOD_DONE, Effort, Job
from tilework.core.model.lab.runs import Run
from tilework.core.model.states import JobState, RunState
from tilework.core.model.task_specs import TaskKind
from tilework.core.puzzle.phrases import moves
from tilework.core.search.limits import StopReason
from tilework.core.services.jobs.run_jobs import run_lower_bound
from tilework.core.services.tasks.kinds import MAX_CRASHES, TaskHooks
from tilework.core.services.tasks.queueing import TaskLimits
from tilework.core.settings import Settings
from tilework.core.storage.session import Session

DELAY_S: Final = 1.0
"""Seconds by which each unfinished run of a client delays the next one, which interleaves the runs
of different clients.
"""


def check_capacity(session: Session, settings: Settings, client_id: str, before: int) -> None:
    """Raise if the runs just stored are too many, which rolls the transaction back.

    ``before``: the client's unfinished runs before that.
    """
    max_runs = settings.lab_runs_per_client

    def quota(count: int, more: int) -> Message:
        return plural(
            "run-quota",
            "you have {count} unfinished run; {more} more would exceed the limit of {max}",
            "you have {count} unfinished runs; {more} more would exceed the limit of {max}",
            count=count,
            more=more,
            max=max_runs,
        )

    overload = plural(
        "run-overload",
        "the lab has {count} unfinished run and accepts no more for now",
        "the lab has {count} unfinished runs and accepts no more for now",
        count=settings.lab_depth_cap,
    )
    after = session.comparisons.count_unfinished_runs(client_id)
    limits = TaskLimits(max_runs, settings.lab_depth_cap, quota, overload)
    limits.check(before, after, lambda: session.tasks.count_unfinished([TaskKind.RUN]))


def job_end(job: Job, run: Run, lower_bound: int) -> Ending:
    """Return the ending of a job after its run has ended.

    ``lower_bound``: a bound that is proven without any search.
    """
    message, figures = run.message, run.figures
    if figures.length == lower_bound:
        state = JobState.OPTIMAL
    elif is_optimal(run.method, figures.length, None):
        state, message = JobState.OPTIMAL, _make_proof_message(run, lower_bound)
        lower_bound = figures.length or 0
    elif figures.length is not None:
        state, message = JobState.BOUNDED, METHOD_DONE
    elif run.state is RunState.DONE and figures.stopped_by is StopReason.TIME:
        state = JobState.EXPIRED
    else:
        state = JobState.FAILED
    statistics = figures.statistics
    nodes, seconds = (0, 0.0) if statistics is None else (statistics.generated, statistics.seconds)
    effort = Effort(nodes, seconds, None, 0.0, None)
    bounds = Bounds(lower_bound, figures.length)
    return Ending(job, state, bounds, message, None, effort)


def _make_proof_message(run: Run, manhattan: int) -> Message:
    return Message(
        "proved-by-search",
        "{method} always finds a shortest solution, so this one is optimal. The Manhattan "
        "distance alone proves only a lower bound of {moves}.",
        method=run.method.text,
        moves=moves(manhattan),
    )


def _on_claim(session: Session, run_id: str, now: float) -> None:
    session.job_runs.start(run_id, now)


def _on_end(session: Session, run_id: str, now: float) -> None:
    jobs = session.job_runs.unfinished(run_id)
    if not jobs:
        return
    row = session.comparisons.run(run_id)
    if row is None:
        raise DamagedRowError(("task", run_id))
    lower_bound = run_lower_bound(session, run_id)
    for job in jobs:
        session.jobs.end(job_end(job, row, lower_bound), now)


def _make_error_message(error: str) -> Message:
    return Message("run-failed", "The run failed: {error}", error=error)


HOOKS: Final = TaskHooks(
    crash_message=plural(
        "run-crashed",
        "The run crashed its worker once, most likely because it ran out of memory; a lower "
        "memory limit may help.",
        "The run crashed its workers {count} times, most likely because it ran out of memory; "
        "a lower memory limit may help.",
        count=MAX_CRASHES,
    ),
    make_error_message=_make_error_message,
    on_claim=_on_claim,
    on_end=_on_end,
)
