"""Words that several messages about jobs share."""

from __future__ import annotations

import re
from typing import Final

from tilework.core.errors import NotFoundError, ReplacedError
from tilework.core.messages import Message

MOST_QUOTED: Final = 80
"""Characters of an id that are quoted; those that we gave out have 36."""

# A UUID of version 7, as `tilework.core.model.states` makes them.
_OURS: Final = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}")
WITHDRAWN: Final = Message(
    "solution-withdrawn",
    "The stored solution of this board was found damaged and was withdrawn; "
    "submit the board again to have it solved anew.",
)

RECORD_LOST: Final = Message(
    "record-damaged",
    "What was stored of this job was found damaged; submit the board again.",
)
"""Why a job has failed whose row could not be trusted any more."""


def no_job(job_id: str) -> Message:
    """Say that there is no job of an id, and if it looks like one of ours, where it may be."""
    if _OURS.fullmatch(job_id):
        return Message(
            "no-job-any-more",
            "there is no job {id!r}; jobs are deleted some time after they have ended, but "
            "solutions are kept: submit the board again",
            id=job_id,
        )
    return Message("no-job", "there is no job {id!r}", id=job_id[:MOST_QUOTED])


def no_batch(batch_id: str) -> NotFoundError:
    """Say that there is no batch of an id."""
    return NotFoundError("no-batch", "there is no batch {id!r}", id=batch_id[:MOST_QUOTED])


def replaced() -> ReplacedError:
    """Say that a solution is not the best one any more."""
    return ReplacedError(
        "solution-replaced", "another solution of this board has replaced this one"
    )
