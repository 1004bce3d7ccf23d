"""The storage's port for what clients asked for, and how they call it."""

from __future__ import annotations

from collections.abc import Collection
from typing import Protocol

from tilework.core.model.history import EntryHead, EntryKind


class History(Protocol):
    """What clients asked for, over all tables."""

    def heads(
        self, client_id: str, kinds: Collection[EntryKind], before: str | None, most: int
    ) -> list[EntryHead]:
        """Return a client's entries of some kinds, newest first, but for removed ones."""

    def head(self, client_id: str, entry_id: str) -> EntryHead | None:
        """Return an entry of this client; None where there is none, or it is removed."""

    def rename(self, client_id: str, entry_id: str, name: str | None, now: float) -> None:
        """Give an entry a name, or take it away."""

    def remove(self, client_id: str, entry_id: str, now: float) -> None:
        """Leave an entry out from now on."""
