"""Letting runs wait for a worker, within what a client and the lab may have."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from tilework.core.errors import OverloadError, QuotaError
from tilework.core.messages import plural
from tilework.core.model.runs import KnownRun, NewRun
from tilework.core.model.states import RunState
from tilework.core.settings import Settings
from tilework.core.storage.session import Session

# Seconds of service that one unfinished run counts for when turns are given out: the runs of a
# client who asks for many are spread over time, with others' in between.
TURN_S: Final = 1.0

TRIED_AGAIN: Final = (RunState.FAILED, RunState.CANCELLED)
"""Runs that wait again when somebody asks for them."""


def queue_runs(
    session: Session, runs: Sequence[NewRun], known: Mapping[str, KnownRun], now: float
) -> int:
    """Make sure that locked runs wait or have ended; return how many wait."""
    waiting = 0
    for run in runs:
        found = known[run.key]
        if found.state in TRIED_AGAIN:
            session.runs.queue(found.id, run.turn, now)
        elif found.state is RunState.QUEUED and found.id != run.id:
            session.runs.hasten(found.id, run.turn)
        waiting += found.state is RunState.QUEUED or found.state in TRIED_AGAIN
    return waiting


def check_room(session: Session, settings: Settings, client_id: str, before: int) -> None:
    """Roll everything back if runs that were just stored are too many.

    Parameters
    ----------
    before : int
        The client's unfinished runs before that.

    Raises
    ------
    QuotaError, OverloadError
    """
    mine = session.runs.unfinished_of(client_id)
    if mine > max(before, settings.lab_runs_per_client):
        raise QuotaError(
            plural(
                "run-quota",
                "you have {count} unfinished run; with {more} more the limit of {most} would "
                "be exceeded",
                "you have {count} unfinished runs; with {more} more the limit of {most} would "
                "be exceeded",
                count=before,
                more=mine - before,
                most=settings.lab_runs_per_client,
            )
        )
    if mine > before and session.runs.unfinished() > settings.lab_depth_cap:
        raise OverloadError(
            plural(
                "run-overload",
                "the lab has {count} unfinished run and accepts no more for now",
                "the lab has {count} unfinished runs and accepts no more for now",
                count=settings.lab_depth_cap,
            )
        )
