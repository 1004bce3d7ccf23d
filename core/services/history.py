"""A client's history: all requests, newest first, and their names."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Final

from tilework.core.errors import NotFoundError, OptionError
from tilework.core.model.history import (
    EntryHead,
    EntryKind,
    EntryView,
    HistoryEntry,
    HistoryPage,
)
from tilework.core.model.ids import MAX_QUOTED
from tilework.core.services.farm.repair import Repair
from tilework.core.services.lab.reader import LabReader
from tilework.core.settings import Settings
from tilework.core.storage.database import Database
from tilework.core.storage.session import Session

MAX_ENTRIES: Final = 100
"""Entries per page."""

MAX_NAME: Final = 80
"""Maximum length of a name."""

SHOWN_CELLS: Final = 144
"""Jobs of larger boards are listed without the boards."""


class History:
    """Lists, names and removes a client's requests."""

    def __init__(self, storage: Database, settings: Settings) -> None:
        self._storage = storage
        self._clock = storage.clock
        self._repair = Repair(storage, settings)
        self._lab = LabReader(storage, settings)

    def page(
        self,
        client_id: str,
        kinds: Collection[EntryKind] = tuple(EntryKind),
        before: str | None = None,
        limit: int = 20,
    ) -> HistoryPage:
        """Return a client's entries, without removed ones.

        ``before``: the id of the last entry of the previous page.
        ``limit``: at most 100.
        """
        page_size = min(limit, MAX_ENTRIES)

        def read() -> tuple[list[EntryHead], dict[str, EntryView]]:
            with self._storage.reading() as session:
                heads = session.history.heads(client_id, kinds, before, page_size + 1)
            return heads, self._views(heads[:page_size])

        heads, views = self._repair.run(read)
        last = heads[page_size - 1].id if len(heads) > page_size else None
        return HistoryPage(_entries(heads[:page_size], views), last)

    def entry(self, client_id: str, entry_id: str) -> HistoryEntry:
        """Return one entry.

        Raises NotFoundError if this client has no such entry, or has removed it.
        """

        def read() -> tuple[HistoryEntry, ...]:
            with self._storage.reading() as session:
                head = session.history.head(client_id, entry_id)
            heads = [] if head is None else [head]
            return _entries(heads, self._views(heads))

        entries = self._repair.run(read)
        if not entries:
            raise _entry_not_found(entry_id)
        return entries[0]

    def rename(self, client_id: str, entry_id: str, name: str) -> str | None:
        """Name an entry, and return the name as stored; an empty name removes it.

        Whitespace is collapsed.

        Raises OptionError if the name is too long, or contains unprintable characters.
        Raises NotFoundError if this client has no such entry, or has removed it.
        """
        normalized = " ".join(name.split())
        if len(normalized) > MAX_NAME:
            raise OptionError(
                "entry-name-length",
                "a name cannot have {count} characters; use at most {max}",
                count=len(normalized),
                max=MAX_NAME,
            )
        if not normalized.isprintable():
            raise OptionError(
                "entry-name-signs",
                "the name {text!r} contains characters that cannot be shown; use letters, "
                "digits and punctuation",
                text=normalized,
            )
        now = self._clock()
        with self._storage.writing() as session:
            _check(session, client_id, entry_id)
            session.history.rename(client_id, entry_id, normalized or None, now)
        return normalized or None

    def remove(self, client_id: str, entry_id: str) -> None:
        """Remove an entry from the list.

        The object itself stays until it expires, because others may share it. Searches continue
        unless cancelled.
        """
        now = self._clock()
        with self._storage.writing() as session:
            _check(session, client_id, entry_id)
            session.history.remove(client_id, entry_id, now)

    def _views(self, heads: Sequence[EntryHead]) -> dict[str, EntryView]:
        ids: dict[EntryKind, list[str]] = {kind: [] for kind in EntryKind}
        for head in heads:
            ids[head.kind].append(head.id)
        with self._storage.reading() as session:
            now = self._clock()
            views: list[EntryView | None] = [
                *session.job_views.list_by_ids(ids[EntryKind.JOB], now, SHOWN_CELLS),
                *session.tasks.list_by_ids([*ids[EntryKind.GAME], *ids[EntryKind.SHORTEST_PATHS]]),
                *map(session.batches.view, ids[EntryKind.BATCH]),
            ]
        views += self._lab.list_by_ids([*ids[EntryKind.COMPARISON], *ids[EntryKind.LAB]])
        return {view.id: view for view in views if view is not None}


def _entries(
    heads: Sequence[EntryHead], views: Mapping[str, EntryView]
) -> tuple[HistoryEntry, ...]:
    """Combine entries with their views; leave out entries that have just been deleted."""
    return tuple(
        HistoryEntry(head.id, head.kind, head.name, views[head.id])
        for head in heads
        if head.id in views
    )


def _entry_not_found(entry_id: str) -> NotFoundError:
    return NotFoundError("no-entry", "your history has no entry {id!r}", id=entry_id[:MAX_QUOTED])


def _check(session: Session, client_id: str, entry_id: str) -> None:
    if session.history.head(client_id, entry_id) is None:
        raise _entry_not_found(entry_id)
