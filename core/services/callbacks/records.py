"""Calls as the services see them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from tilework.core.model.leases import Lease
from tilework.core.services.callback_rules import CallAddress


@dataclass(frozen=True, slots=True)
class CallbackClaim:
    """A call that is to be made now, under a lease.

    Attributes
    ----------
    created_at : float
        When its job ended.
    """

    lease: Lease
    job_id: str
    url: str
    created_at: float


@dataclass(frozen=True, slots=True)
class Call:
    """A request to be sent by POST."""

    address: CallAddress
    headers: Mapping[str, str]
    body: bytes


Caller = Callable[[Sequence[Call]], Sequence[str | None]]
"""Sends calls side by side; says of each why it did not succeed, None where it did."""
