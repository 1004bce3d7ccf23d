"""The end of a run, and of the jobs that it answers, in one transaction."""

from __future__ import annotations

from tilework.core.lab.method import is_optimal
from tilework.core.messages import Message
from tilework.core.model.jobs import METHOD_DONE
from tilework.core.model.leases import Lease
from tilework.core.model.runs import RunEnd, RunRow
from tilework.core.model.states import JobState, RunState
from tilework.core.puzzle.phrases import moves
from tilework.core.search.limits import StopReason
from tilework.core.services.jobs.run_jobs import RunJobEnd, end_all
from tilework.core.storage.session import Session


def _proved(run: RunRow, manhattan: int) -> Message:
    return Message(
        "proved-by-search",
        "{method} always ends with a shortest solution, so this one is optimal. "
        "The Manhattan distance alone proves {moves}.",
        method=run.method.text,
        moves=moves(manhattan),
    )


def finish(session: Session, lease: Lease, end: RunEnd, now: float) -> None:
    """Store how a run ended, and end its jobs; nothing where the lease is lost."""
    if not session.runs.finish(lease, end, now):
        return
    row = session.runs.row(lease.id)
    if row is not None and session.job_runs.unfinished(lease.id):
        spec = session.runs.spec(lease.id)
        end_all(session, lease.id, job_end(row, spec.start.manhattan(spec.goal)), now)


def job_end(run: RunRow, lower_bound: int) -> RunJobEnd:
    """Return how the jobs of a run end that has ended.

    Parameters
    ----------
    lower_bound : int
        What is proved without any search.
    """
    message = run.message
    if run.length == lower_bound:
        state = JobState.OPTIMAL
    elif is_optimal(run.method, run.length, None):
        state, message = JobState.OPTIMAL, _proved(run, lower_bound)
        lower_bound = run.length or 0
    elif run.length is not None:
        state, message = JobState.BOUNDED, METHOD_DONE
    elif run.state is RunState.DONE and run.stopped_by is StopReason.TIME:
        state = JobState.EXPIRED
    else:
        state = JobState.FAILED
    effort = run.statistics
    return RunJobEnd(
        state=state,
        lower_bound=lower_bound,
        upper_bound=run.length,
        message=message,
        nodes=0 if effort is None else effort.generated,
        seconds=0.0 if effort is None else effort.seconds,
    )
