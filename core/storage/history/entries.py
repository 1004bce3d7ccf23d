"""A client's history: its rows in the tables of all kinds.

Each table is queried for its newest rows by an index. The ids sort by time, also across tables.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from sqlalchemy import ColumnElement, Select, Table, bindparam, select, true

from tilework.core.model.history import EntryKind
from tilework.core.model.tasks import TaskKind
from tilework.core.storage.models import batch, comparison, job, task
from tilework.core.storage.repository import Repository


def _newest(table: Table, *conditions: ColumnElement[bool]) -> Select[*tuple[Any, ...]]:
    return (
        select(table.c.id)
        .where(table.c.client_id == bindparam("client_id"), *conditions)
        .order_by(table.c.id.desc())
        .limit(bindparam("limit"))
    )


_ENTRIES: Mapping[EntryKind, tuple[Table, ColumnElement[bool]]] = {
    # Jobs of a batch are part of the batch's entry.
    EntryKind.JOB: (job, job.c.batch_id.is_(None)),
    EntryKind.BATCH: (batch, true()),
    EntryKind.COMPARISON: (comparison, comparison.c.window.is_(None)),
    EntryKind.LAB: (comparison, comparison.c.window.is_not(None)),
    EntryKind.GAME: (task, task.c.kind == TaskKind.GAME),
    EntryKind.SHORTEST_PATHS: (task, task.c.kind == TaskKind.SHORTEST_PATHS),
}
_NEWEST = {kind: _newest(*entries) for kind, entries in _ENTRIES.items()}
_BEFORE = {
    kind: _newest(table, condition, table.c.id < bindparam("before"))
    for kind, (table, condition) in _ENTRIES.items()
}


class HistoryRepository(Repository):
    """Reads history entries over one connection."""

    def heads(
        self, client_id: str, kinds: Collection[EntryKind], before: str | None, limit: int
    ) -> list[tuple[str, EntryKind]]:
        """Return the ids and kinds of a client's entries of some kinds, newest first."""
        values: dict[str, object] = {"client_id": client_id, "limit": limit}
        statements = _NEWEST
        if before is not None:
            statements, values["before"] = _BEFORE, before
        heads = [
            (id_, kind)
            for kind in kinds
            for id_ in self._connection.execute(statements[kind], values).scalars()
        ]
        return sorted(heads, key=lambda head: head[0], reverse=True)[:limit]
