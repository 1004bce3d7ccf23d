"""Words that several messages about jobs share."""

from __future__ import annotations

from typing import Final

from core.errors import ReplacedError
from core.messages import Message

MOST_QUOTED: Final = 80
"""Characters of an id that are quoted; those that we gave out have 36."""

WITHDRAWN: Final = Message(
    "solution-withdrawn",
    "The stored solution of this board was found damaged and was withdrawn; "
    "submit the board again to have it solved anew.",
)


def no_job(job_id: str) -> Message:
    """Say that there is no job of an id."""
    return Message("no-job", "there is no job {id!r}", id=job_id[:MOST_QUOTED])


def replaced() -> ReplacedError:
    """Say that a solution is not the best one any more."""
    return ReplacedError(
        "solution-replaced", "another solution of this board has replaced this one"
    )
