"""Ids, and the errors for ids that are unknown or belong to someone else."""

from __future__ import annotations

import re
from typing import Final

from uuid_utils import uuid7

from tilework.core.arguments import EXAMPLE_ID, quote
from tilework.core.errors import ForbiddenError, NotFoundError

MAX_QUOTED: Final = 80
"""The number of characters of an unknown id that are quoted."""

# A UUID of version 7, like the ids of `new_id`.
_OUR_ID: Final = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}")


_ID: Final = re.compile(r"[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")


def check_id(text: object) -> str:
    """Return the text if it has the form of an id."""
    if isinstance(text, str) and _ID.fullmatch(text):
        return text
    raise NotFoundError(
        "no-id",
        "{given} is not an id; use one like {example}",
        given=quote(text),
        example=EXAMPLE_ID,
    )


def new_id() -> str:
    """Return a new id of 36 characters, greater than all previous ones of this process."""
    return str(uuid7())


def first_id(when: float) -> str:
    """Return a string between the ids before a time and later ones: ids begin with the time."""
    digits = f"{max(0, int(when * 1000)):012x}"
    return f"{digits[:8]}-{digits[8:]}"


def foreign_job(job_id: str) -> ForbiddenError:
    """Return the error for a change to a job of another client."""
    return ForbiddenError(
        "foreign-job",
        "the job {id!r} belongs to someone else; you can only view it",
        id=job_id,
    )


def job_not_found(job_id: str) -> NotFoundError:
    """Return the error for an unknown job. If the id looks valid, the job may have been deleted."""
    if _OUR_ID.fullmatch(job_id):
        return NotFoundError(
            "no-job-any-more",
            "there is no job {id!r}; jobs are deleted some time after they end, but solutions "
            "are kept: submit the board again",
            id=job_id,
        )
    return NotFoundError("no-job", "there is no job {id!r}", id=job_id[:MAX_QUOTED])
