"""A client's history: all that was asked for, newest first."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Final

from tilework.core.errors import NotFoundError
from tilework.core.model.history import (
    EntryHead,
    EntryKind,
    EntryView,
    HistoryEntry,
    HistoryPage,
)
from tilework.core.model.jobs import MOST_QUOTED
from tilework.core.services.farm.repair import Repair
from tilework.core.services.lab.reader import LabReader
from tilework.core.settings import Settings
from tilework.core.storage.database import Database

MOST_ENTRIES: Final = 100
"""Of one page."""

SHOWN_CELLS: Final = 144
"""Jobs of larger boards come without them."""


class HistoryReader:
    """Read-only access to what clients asked for."""

    def __init__(self, storage: Database, settings: Settings) -> None:
        self._storage = storage
        self._repair = Repair(storage, settings)
        self._lab = LabReader(storage, settings)

    def page(
        self,
        client_id: str,
        kinds: Collection[EntryKind] = tuple(EntryKind),
        before: str | None = None,
        limit: int = 20,
    ) -> HistoryPage:
        """Return a client's entries, but for those that were removed.

        Parameters
        ----------
        before : str, optional
            The id of the last entry of the page before.
        limit : int
            At most this many, and never more than 100.
        """
        most = min(limit, MOST_ENTRIES)

        def look() -> tuple[list[EntryHead], dict[str, EntryView]]:
            with self._storage.reading() as session:
                heads = session.history.heads(client_id, kinds, before, most + 1)
            return heads, self._views(heads[:most])

        heads, views = self._repair.run(look)
        last = heads[most - 1].id if len(heads) > most else None
        return HistoryPage(_entries(heads[:most], views), last)

    def entry(self, client_id: str, entry_id: str) -> HistoryEntry:
        """Return one entry.

        Raises
        ------
        NotFoundError
            If this client has no such entry, or has removed it.
        """

        def look() -> tuple[HistoryEntry, ...]:
            with self._storage.reading() as session:
                head = session.history.head(client_id, entry_id)
            heads = [] if head is None else [head]
            return _entries(heads, self._views(heads))

        entries = self._repair.run(look)
        if not entries:
            raise no_entry(entry_id)
        return entries[0]

    def _views(self, heads: Sequence[EntryHead]) -> dict[str, EntryView]:
        ids: dict[EntryKind, list[str]] = {kind: [] for kind in EntryKind}
        for head in heads:
            ids[head.kind].append(head.id)
        with self._storage.reading() as session:
            now = self._storage.clock()
            found: list[EntryView | None] = [
                *session.jobs.among(ids[EntryKind.JOB], now, SHOWN_CELLS),
                *session.tasks.among([*ids[EntryKind.GAME], *ids[EntryKind.SHORTEST_PATHS]]),
                *map(session.batches.view, ids[EntryKind.BATCH]),
            ]
        found += self._lab.among([*ids[EntryKind.COMPARISON], *ids[EntryKind.LAB]])
        return {view.id: view for view in found if view is not None}


def _entries(
    heads: Sequence[EntryHead], views: Mapping[str, EntryView]
) -> tuple[HistoryEntry, ...]:
    """Return entries with what they tell of; those that were deleted meanwhile are left out."""
    return tuple(
        HistoryEntry(head.id, head.kind, head.name, views[head.id])
        for head in heads
        if head.id in views
    )


def no_entry(entry_id: str) -> NotFoundError:
    """Return that a client has no such entry."""
    return NotFoundError("no-entry", "your history has no entry {id!r}", id=entry_id[:MOST_QUOTED])
