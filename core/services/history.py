"""A client's history: all requests, newest first."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final

from tilework.core.model.history import Entry, EntryKind, EntryView
from tilework.core.services.comparisons import ComparisonService
from tilework.core.storage.database import Database

MAX_ENTRIES: Final = 100
"""Entries per page."""

SHOWN_CELLS: Final = 144
"""Jobs of larger boards are listed without the boards."""


class History:
    """Lists a client's requests."""

    def __init__(self, storage: Database, comparisons: ComparisonService) -> None:
        self._storage = storage
        self._comparisons = comparisons

    def page(
        self,
        client_id: str,
        kinds: Collection[EntryKind] = tuple(EntryKind),
        before: str | None = None,
        limit: int = 20,
    ) -> tuple[list[Entry], str | None]:
        """Return a client's entries, newest first, and the id before which the next page begins.

        ``before``: the id of the last entry of the previous page.
        ``limit``: at most 100.
        """
        page_size = min(limit, MAX_ENTRIES)
        with self._storage.reading() as session:
            heads = session.clients.history(client_id, kinds, before, page_size + 1)
        last = heads[page_size - 1][0] if len(heads) > page_size else None
        return self._entries(heads[:page_size]), last

    def searched(self, client_id: str, kinds: Collection[EntryKind], limit: int) -> list[Entry]:
        """Return a client's newest jobs and batches that have not ended, newest first."""
        with self._storage.reading() as session:
            heads = session.clients.history(client_id, kinds, None, limit, searched=True)
        return self._entries(heads)

    def _entries(self, heads: Sequence[tuple[str, EntryKind]]) -> list[Entry]:
        """Return the entries, without those that have just been deleted."""
        ids: dict[EntryKind, list[str]] = {kind: [] for kind in EntryKind}
        for id_, kind in heads:
            ids[kind].append(id_)
        with self._storage.reading() as session:
            views: list[EntryView | None] = [
                *session.job_views.list_by_ids(ids[EntryKind.JOB], SHOWN_CELLS),
                *session.tasks.list_by_ids([*ids[EntryKind.GAME], *ids[EntryKind.SHORTEST_PATHS]]),
                *map(session.batches.view, ids[EntryKind.BATCH]),
            ]
        views += self._comparisons.list_by_ids([*ids[EntryKind.COMPARISON], *ids[EntryKind.LAB]])
        by_id = {view.id: view for view in views if view is not None}
        return [(kind, by_id[id_]) for id_, kind in heads if id_ in by_id]
