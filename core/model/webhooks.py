"""A client's webhook settings, and the log of deliveries."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

PREVIOUS_SECRET_S: Final = 86_400.0
"""How long calls are also signed with the previous secret after a rotation."""


@dataclass(frozen=True, slots=True)
class WebhookSettings:
    """What a client has set for its calls.

    ``salt``, ``previous_salt``: its secrets are derived from these; None if it has no secret.
    ``secret_created_at``: when the secret was created or replaced.
    """

    salt: str | None = None
    previous_salt: str | None = None
    secret_created_at: float | None = None
    headers: Mapping[str, str] = field(default_factory=dict)

    @property
    def previous_secret_until(self) -> float | None:
        """When calls are no longer signed with the previous secret."""
        if self.previous_salt is None or self.secret_created_at is None:
            return None
        return self.secret_created_at + PREVIOUS_SECRET_S

    def salts_at(self, now: float) -> list[str]:
        """Return the salts of the secrets that sign a call, the current one first."""
        until = self.previous_secret_until
        salts = (self.salt, self.previous_salt if until is not None and now < until else None)
        return [salt for salt in salts if salt is not None]


@dataclass(frozen=True, slots=True)
class Delivery:
    """An attempt to deliver a call.

    ``status``: the status of the response; None if there was none.
    ``error``: why the attempt failed, in English; None if it succeeded.
    """

    id: str
    job_id: str
    attempt: int
    attempted_at: float
    status: int | None
    error: str | None
