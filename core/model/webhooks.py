"""A client's webhook secret, and the calls for its jobs."""

from __future__ import annotations

from typing import NamedTuple

from pydantic import Field

from tilework.core.model.states import RunState
from tilework.core.model.views import Seconds, Text, View


class WebhookSecret(NamedTuple):
    """What a client's secret is derived from, and when it was created; None if it has no secret."""

    salt: str | None
    created_at: float | None


class DeliveryView(View):
    """The call for a job, with the outcome of its last attempt."""

    job_id: str
    state: RunState = Field(
        description="`queued` until its next attempt, `done` once it was received, `failed` if it "
        "was abandoned."
    )
    attempts: int
    updated_at: Seconds = Field(description="When the state last changed.")
    error: Text = Field(
        description="Why the last attempt failed, in English. null if it succeeded, or if there "
        "was none.",
        examples=["it answered 503"],
    )
