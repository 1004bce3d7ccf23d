"""A client's history: its rows in the tables of all kinds, with their marks.

Each table is queried for its newest rows by an index. The ids sort by time, also across tables.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Select,
    Table,
    bindparam,
    func,
    select,
    update,
)

from tilework.core.model.history import EntryHead, EntryKind
from tilework.core.model.task_specs import TaskKind
from tilework.core.storage.damage.checksums import damaged
from tilework.core.storage.models import batch, comparison, entry_mark, job, task
from tilework.core.storage.repository import Repository, insert_if_absent

_shown = func.coalesce(entry_mark.c.removed, False).is_(False)


def _entries(table: Table, *conditions: ColumnElement[bool]) -> Select[*tuple[Any, ...]]:
    return (
        select(table.c.id, entry_mark.c.name)
        .outerjoin_from(table, entry_mark, entry_mark.c.id == table.c.id)
        .where(table.c.client_id == bindparam("client_id"), *conditions, _shown)
    )


_ENTRIES = {
    # Jobs of a batch are part of the batch's entry.
    EntryKind.JOB: _entries(job, job.c.batch_id.is_(None)),
    EntryKind.BATCH: _entries(batch),
    EntryKind.COMPARISON: _entries(comparison, comparison.c.window.is_(None)),
    EntryKind.LAB: _entries(comparison, comparison.c.window.is_not(None)),
    EntryKind.GAME: _entries(task, task.c.kind == TaskKind.GAME),
    EntryKind.SHORTEST_PATHS: _entries(task, task.c.kind == TaskKind.SHORTEST_PATHS),
}
_TABLES = {
    EntryKind.JOB: job,
    EntryKind.BATCH: batch,
    EntryKind.COMPARISON: comparison,
    EntryKind.LAB: comparison,
    EntryKind.GAME: task,
    EntryKind.SHORTEST_PATHS: task,
}
_ENTRY = {
    kind: statement.where(_TABLES[kind].c.id == bindparam("entry_id"))
    for kind, statement in _ENTRIES.items()
}
_NEWEST = {
    kind: statement.order_by(_TABLES[kind].c.id.desc()).limit(bindparam("limit"))
    for kind, statement in _ENTRIES.items()
}
_BEFORE = {
    kind: statement.where(_TABLES[kind].c.id < bindparam("before"))
    for kind, statement in _NEWEST.items()
}
_mine = (entry_mark.c.id == bindparam("entry_id"), entry_mark.c.client_id == bindparam("client"))
_RENAME = update(entry_mark).where(*_mine).values(name=bindparam("given"))
_REMOVE = update(entry_mark).where(*_mine).values(removed=True, name=None)


class HistoryRepository(Repository):
    """Reads and writes history entries over one connection."""

    def heads(
        self, client_id: str, kinds: Collection[EntryKind], before: str | None, limit: int
    ) -> list[EntryHead]:
        """Return a client's entries of some kinds, newest first, without removed ones."""
        values: dict[str, object] = {"client_id": client_id, "limit": limit}
        statements = _NEWEST
        if before is not None:
            statements, values["before"] = _BEFORE, before
        heads = [
            _head(id_, kind, name)
            for kind in kinds
            for id_, name in self._connection.execute(statements[kind], values)
        ]
        return sorted(heads, key=lambda head: head.id, reverse=True)[:limit]

    def head(self, client_id: str, entry_id: str) -> EntryHead | None:
        """Return an entry of this client; None if there is none, or if it is removed."""
        values = {"client_id": client_id, "entry_id": entry_id}
        for kind, statement in _ENTRY.items():
            row = self._connection.execute(statement, values).first()
            if row is not None:
                return _head(row[0], kind, row[1])
        return None

    def rename(self, client_id: str, entry_id: str, name: str | None, now: float) -> None:
        self._mark(client_id, entry_id, now)
        values = {"entry_id": entry_id, "client": client_id, "given": name}
        self._connection.execute(_RENAME, values)

    def remove(self, client_id: str, entry_id: str, now: float) -> None:
        self._mark(client_id, entry_id, now)
        self._connection.execute(_REMOVE, {"entry_id": entry_id, "client": client_id})

    def _mark(self, client_id: str, entry_id: str, now: float) -> None:
        values: dict[str, object] = {
            "id": entry_id,
            "client_id": client_id,
            "name": None,
            "removed": False,
            "created_at": now,
        }
        insert_if_absent(self._connection, entry_mark, values)


def _head(entry_id: str, kind: EntryKind, name: object) -> EntryHead:
    if name is not None and not isinstance(name, str):
        raise damaged("entry_mark", entry_id)
    return EntryHead(entry_id, kind, name)
