"""Runs of the lab: the limits on them, and the messages of failed ones."""

from __future__ import annotations

from typing import Final

from tilework.core.messages import Message, plural
from tilework.core.model.task_specs import TaskKind
from tilework.core.services.tasks.kinds import MAX_CRASHES, FailureMessages
from tilework.core.services.tasks.queueing import TaskLimits
from tilework.core.storage.session import Session

DELAY_S: Final = 1.0
"""Seconds by which each unfinished run of a client delays the next one, which interleaves the runs
of different clients.
"""

RUNS_PER_CLIENT: Final = 4_000
MAX_UNFINISHED_RUNS: Final = 40_000


def check_capacity(session: Session, client_id: str, before: int) -> None:
    """Raise if the runs just stored are too many, which rolls the transaction back.

    ``before``: the client's unfinished runs before that.
    """

    def quota(count: int, more: int) -> Message:
        return plural(
            "run-quota",
            "you have {count} unfinished run; {more} more would exceed the limit of {max}",
            "you have {count} unfinished runs; {more} more would exceed the limit of {max}",
            count=count,
            more=more,
            max=RUNS_PER_CLIENT,
        )

    overload = plural(
        "run-overload",
        "the lab has {count} unfinished run and accepts no more for now",
        "the lab has {count} unfinished runs and accepts no more for now",
        count=MAX_UNFINISHED_RUNS,
    )
    after = session.comparisons.count_unfinished_runs(client_id)
    limits = TaskLimits(RUNS_PER_CLIENT, MAX_UNFINISHED_RUNS, quota, overload)
    limits.check(before, after, lambda: session.tasks.count_unfinished([TaskKind.RUN]))


def _make_error_message(error: str) -> Message:
    return Message("run-failed", "The run failed: {error}", error=error)


FAILURES: Final = FailureMessages(
    crash_message=plural(
        "run-crashed",
        "The run crashed its worker once, most likely because it ran out of memory; a lower "
        "memory limit may help.",
        "The run crashed its workers {count} times, most likely because it ran out of memory; "
        "a lower memory limit may help.",
        count=MAX_CRASHES,
    ),
    make_error_message=_make_error_message,
)
