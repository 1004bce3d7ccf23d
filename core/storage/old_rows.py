"""Statements that find old rows of each kind to which nothing refers."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from sqlalchemy import ColumnElement, Delete, Select, Table, bindparam, delete, exists, select

from tilework.core.model.task_specs import TaskKind
from tilework.core.storage.models import (
    api_key,
    batch,
    client,
    comparison,
    comparison_run,
    idempotency,
    job,
    task,
)
from tilework.core.storage.tasks.rows import unfinished_task


class Kind(StrEnum):
    """Kinds of rows that are deleted once they are old and nothing refers to them."""

    BATCH = "batch"
    COMPARISON = "comparison"
    RUN = "run"
    GAME = "game"
    SHORTEST_PATHS = "ways"
    CLIENT = "client"


@dataclass(frozen=True)
class RowScan:
    """Statements that scan the old rows of a table in the order of their ids, oldest first."""

    page: Select[*tuple[Any, ...]]
    unused: Select[*tuple[Any, ...]]
    lock: Select[*tuple[Any, ...]]
    delete: Delete


def _make_scan(
    table: Table, *conditions: ColumnElement[bool], kind: TaskKind | None = None
) -> RowScan:
    of_kind = () if kind is None else (table.c.kind == kind,)
    among = table.c.id.in_(bindparam("ids", expanding=True))
    unused = select(table.c.id).where(among, *conditions)
    return RowScan(
        page=select(table.c.id)
        .where(
            *of_kind,
            table.c.id > bindparam("after"),
            table.c.id < bindparam("end"),
            table.c.created_at < bindparam("before"),
        )
        .order_by(table.c.id)
        .limit(bindparam("limit")),
        unused=unused,
        lock=unused.with_for_update(skip_locked=True, of=table),
        delete=delete(table).where(among),
    )


def _refers(table: Table, column: str, to: Table) -> ColumnElement[bool]:
    return exists().where(table.c[column] == to.c.id)


SCANS = {
    Kind.BATCH: _make_scan(batch, ~_refers(job, "batch_id", batch)),
    Kind.COMPARISON: _make_scan(
        comparison,
        ~exists().where(
            comparison_run.c.comparison_id == comparison.c.id,
            comparison_run.c.run_id == task.c.id,
            unfinished_task(),
        ),
    ),
    Kind.RUN: _make_scan(
        task,
        ~unfinished_task(),
        ~_refers(comparison_run, "run_id", task),
        kind=TaskKind.RUN,
    ),
    Kind.GAME: _make_scan(task, ~unfinished_task(), kind=TaskKind.GAME),
    Kind.SHORTEST_PATHS: _make_scan(task, ~unfinished_task(), kind=TaskKind.SHORTEST_PATHS),
    Kind.CLIENT: _make_scan(
        client,
        *(
            ~_refers(table, "client_id", client)
            for table in (api_key, job, batch, comparison, task, idempotency)
        ),
    ),
}
