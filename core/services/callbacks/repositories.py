"""The storage's port for calls at the end of jobs."""

from __future__ import annotations

from typing import Protocol

from tilework.core.model.leases import Holder, Lease
from tilework.core.services.callbacks.records import CallbackClaim


class Callbacks(Protocol):
    """Calls that are to be made because a job has ended; `Jobs` and `Lives` insert them."""

    def some_due(self, now: float) -> bool:
        """Whether the time of a call has come."""

    def claim(self, holder: Holder, now: float, most: int) -> list[CallbackClaim]:
        """Lease calls whose time has come, past those that others have locked."""

    def drop(self, lease: Lease) -> None:
        """Delete a call that is still held."""

    def retry(self, lease: Lease, at: float) -> None:
        """Let a call that is still held be made again at a time."""

    def expired(self, now: float) -> list[Lease]:
        """Return leases that ran out, at most 100."""

    def overdue(self, lease: Lease, now: float) -> bool:
        """Whether a lease has run out, and stays so until the transaction ends."""
