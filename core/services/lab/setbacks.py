"""Runs that failed: errors, and leases that ran out."""

from __future__ import annotations

from typing import Final

from tilework.core.messages import MOST_TOLD, Message, plural
from tilework.core.model.leases import Lease
from tilework.core.model.runs import RunEnd
from tilework.core.model.states import RunState
from tilework.core.services.lab.endings import finish
from tilework.core.storage.session import Session

# Workers that a run may crash.
MOST_DEATHS = 3

# Errors that a run may raise: the second may be another cause, the third is not.
MOST_ERRORS = 2

CRASHED: Final = plural(
    "run-crashed",
    "The run crashed its worker once, most likely by running out of memory; a lower memory limit "
    "may help.",
    "The run crashed its workers {count} times, most likely by running out of memory; a lower "
    "memory limit may help.",
    count=MOST_DEATHS,
)


def expire(session: Session, lease: Lease, now: float) -> None:
    """Take back a run whose lease ran out."""
    if not session.runs.overdue(lease, now):
        return
    if lease.attempts < MOST_DEATHS:
        session.runs.retry(lease, now)
    else:
        finish(session, lease, RunEnd(RunState.FAILED, message=CRASHED), now)


def report_error(session: Session, lease: Lease, error: Exception, now: float) -> None:
    """Take back a run that raised; after the second time it has failed."""
    if lease.attempts < MOST_ERRORS:
        session.runs.retry(lease, now)
    else:
        message = Message(
            "run-failed",
            "The run failed: {error}",
            error=f"{type(error).__name__}: {error}"[:MOST_TOLD],
        )
        finish(session, lease, RunEnd(RunState.FAILED, message=message), now)
