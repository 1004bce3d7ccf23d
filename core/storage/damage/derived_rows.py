"""Repairs damaged rows that are not part of a search: rebuilds or deletes them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from sqlalchemy import Column, ColumnElement, Connection, Table, delete, func, select, update

from tilework.core.errors import TileworkError
from tilework.core.model.states import RunState
from tilework.core.model.task_specs import QUESTIONS, TaskKind, parse_spec
from tilework.core.model.tasks import QUEUES_BY_KIND, may_queue
from tilework.core.storage.damage.column_types import UNREADABLE, fits, raw_row
from tilework.core.storage.jobs.webhooks import SETTINGS, read_settings
from tilework.core.storage.models import (
    batch,
    comparison,
    comparison_run,
    delivery,
    job,
    task,
    webhook,
)
from tilework.core.storage.tasks.comparisons import COMPARISON, read_comparison
from tilework.core.storage.tasks.rows import RUN, TASK, read_document, read_run, read_task

RUNS, ANALYSES, CALLBACKS = "search_run", "analysis", "callback"
"""The audit's names for tasks of these kinds, which had tables with these names before 0023."""

TABLES: Final[Mapping[str, Table]] = {
    **{table.name: table for table in (task, comparison, batch, webhook, delivery)},
    **dict.fromkeys((RUNS, ANALYSES, CALLBACKS), task),
}
PARTS: Final[Mapping[str, Sequence[ColumnElement[bool]]]] = {
    # Tasks of unknown kinds count as runs.
    RUNS: (task.c.kind.not_in((*QUESTIONS, TaskKind.CALLBACK)),),
    ANALYSES: (task.c.kind.in_(QUESTIONS),),
    CALLBACKS: (task.c.kind == TaskKind.CALLBACK,),
}
"""Conditions of the names that denote a part of a table."""

_CONTENT = "it cannot be read"


def find_damage(connection: Connection, table: str, row_id: str) -> str | None:
    """Return why a row of these tables is damaged, apart from the types of its values."""
    row = raw_row(connection, TABLES[table], row_id)
    if row is None:
        return None
    try:
        _read(table, row)
    except (TileworkError, *UNREADABLE):
        return _CONTENT
    return None


def repair(connection: Connection, table: str, row_id: str, now: float) -> None:
    """Rebuild a row from its sound values, or delete it if these are not enough."""
    source = TABLES[table]
    row = raw_row(connection, source, row_id)
    if row is None:
        return
    sound = _rebuild_row(connection, table, row, now)
    if sound is not None:
        connection.execute(update(source).where(source.c.id == row_id).values(sound))
        return
    if source is task:
        connection.execute(delete(comparison_run).where(comparison_run.c.run_id == row_id))
    if table == comparison.name:
        connection.execute(delete(comparison_run).where(comparison_run.c.comparison_id == row_id))
    connection.execute(delete(source).where(source.c.id == row_id))


def _read(table: str, row: Mapping[str, Any]) -> None:
    if TABLES[table] is task:
        document = read_document(row["id"], row["seal"], row["result"])
        read_task([row[column.name] for column in TASK], document)
        if row["kind"] == TaskKind.RUN:
            plain = [row[column.name] for column in RUN if isinstance(column, Column)]
            read_run([*plain, row["solutions"] is not None, row["detail"] is not None])
    elif table == comparison.name:
        read_comparison([row[column.name] for column in COMPARISON])
    elif table == webhook.name:
        read_settings([row[column.name] for column in SETTINGS])


def _rebuild_row(
    connection: Connection, table: str, row: Mapping[str, Any], now: float
) -> dict[str, Any] | None:
    """Return new values of a row; None if it cannot be rebuilt."""
    if table == batch.name:
        total = select(func.count()).where(job.c.batch_id == row["id"])
        created_at = row["created_at"]
        return {
            "total": connection.execute(total).scalar_one(),
            "created_at": created_at if fits(batch.c.created_at, created_at) else now,
        }
    try:
        return _requeue_task(row, now) if TABLES[table] is task else None
    except (TileworkError, *UNREADABLE):
        return None


def _requeue_task(row: Mapping[str, Any], now: float) -> dict[str, Any] | None:
    """Return the values of a task that is queued again, from its spec."""
    names = ("id", "kind", "client_id", "key", "spec")
    if not all(fits(task.c[name], row[name]) for name in names):
        return None
    kind = TaskKind(row["kind"])
    parse_spec(kind, row["spec"])
    empty = dict.fromkeys(column.name for column in task.columns if column.nullable)
    created_at, version = row["created_at"], row["version"]
    return {
        **empty,
        **{name: row[name] for name in names},
        "queue": row["queue"] if may_queue(kind, str(row["queue"])) else QUEUES_BY_KIND[kind][-1],
        "state": RunState.QUEUED,
        "turn": now,
        "attempts": 0,
        "version": version + 1 if fits(task.c.version, version) else 1,
        "created_at": created_at if fits(task.c.created_at, created_at) else now,
        "updated_at": now,
    }
