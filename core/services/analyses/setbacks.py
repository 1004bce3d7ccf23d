"""Analyses that failed: errors, and leases that ran out."""

from __future__ import annotations

from typing import Final

from tilework.core.messages import MOST_TOLD, Message
from tilework.core.model.leases import Lease
from tilework.core.model.questions import AnalysisEnd
from tilework.core.model.states import RunState
from tilework.core.storage.session import Session

MOST_DEATHS: Final = 3
"""Workers that an analysis may crash."""

MOST_ERRORS: Final = 2
"""Errors that it may raise: the second may have another cause, a third has not."""

CRASHED: Final = Message(
    "analysis-crashed",
    "The analysis crashed its workers {count} times and was given up.",
    count=MOST_DEATHS,
)


def expire(session: Session, lease: Lease, now: float) -> None:
    """Take back an analysis whose lease ran out."""
    if not session.analyses.overdue(lease, now):
        return
    if lease.attempts < MOST_DEATHS:
        session.analyses.retry(lease, now)
    else:
        session.analyses.finish(lease, AnalysisEnd(RunState.FAILED, message=CRASHED), now)


def report_error(session: Session, lease: Lease, error: Exception, now: float) -> None:
    """Take back an analysis that raised; after the second time it has failed."""
    if lease.attempts < MOST_ERRORS:
        session.analyses.retry(lease, now)
    else:
        message = Message(
            "analysis-failed",
            "The analysis failed: {error}",
            error=f"{type(error).__name__}: {error}"[:MOST_TOLD],
        )
        session.analyses.finish(lease, AnalysisEnd(RunState.FAILED, message=message), now)
