"""A client's webhook secret, and the calls for its jobs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from tilework.core.messages import Message
from tilework.core.model.states import RunState


class WebhookSecret(NamedTuple):
    """What a client's secret is derived from, and when it was created; None if it has no secret."""

    salt: str | None
    created_at: float | None


@dataclass(frozen=True, slots=True)
class Delivery:
    """The call for a job, with the outcome of its last attempt.

    ``state``: queued until its next attempt, done once it was received, failed if it was abandoned.
    ``error``: why the last attempt failed; None if it succeeded, or if there was none.
    """

    job_id: str
    state: RunState
    attempts: int
    updated_at: float
    error: Message | None
