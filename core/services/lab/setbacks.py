"""Runs that failed: errors, and leases that ran out."""

from __future__ import annotations

from core.services.lab.records import RunEnd
from core.services.leases import Lease
from core.services.repositories import Session
from core.services.states import RunState

# Workers that a run may crash.
MOST_DEATHS = 3

# Errors that a run may raise: the second may be another cause, the third is not.
MOST_ERRORS = 2

BROKEN = (
    f"The run broke its worker {MOST_DEATHS} times, most likely for want of memory; "
    "a lower limit of memory may help."
)


def expire(session: Session, lease: Lease, now: float) -> None:
    """Take back a run whose lease ran out."""
    if not session.runs.overdue(lease, now):
        return
    if lease.attempts < MOST_DEATHS:
        session.runs.retry(lease, now)
    else:
        session.runs.finish(lease, RunEnd(RunState.FAILED, message=BROKEN), now)


def report_error(session: Session, lease: Lease, error: Exception, now: float) -> None:
    """Take back a run that raised; after the second time it has failed."""
    if lease.attempts < MOST_ERRORS:
        session.runs.retry(lease, now)
    else:
        words = f"The run failed: {type(error).__name__}: {error}"[:500]
        session.runs.finish(lease, RunEnd(RunState.FAILED, message=words), now)
