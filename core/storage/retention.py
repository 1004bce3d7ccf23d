"""Deletes expired rows; each statement finds its rows by an index.

Rows that may be in use are locked first, skipping locked ones, so that no transaction ever waits
for these statements.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from sqlalchemy import (
    BindParameter,
    Column,
    ColumnElement,
    Delete,
    Select,
    Table,
    bindparam,
    delete,
    exists,
    func,
    select,
    tuple_,
)

from tilework.core.model.ids import first_id
from tilework.core.model.states import ACTIVE_JOB_STATES, JobState, SliceState
from tilework.core.model.tasks import TaskKind
from tilework.core.puzzle.metric import PRIVATE_MARK
from tilework.core.storage.models import (
    api_key,
    batch,
    bound_event,
    client,
    comparison,
    comparison_run,
    idempotency,
    job,
    slice_,
    solution_chunk,
    solve,
    task,
)
from tilework.core.storage.repository import Repository
from tilework.core.storage.tasks import unfinished_task


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


@dataclass(frozen=True, slots=True)
class OldJob:
    """An expired job, and its solve."""

    id: str
    solve_id: str | None


@dataclass(frozen=True, slots=True)
class Page:
    """A page of old rows of a kind, in the order of their ids.

    ``last``: the last id on the page; None if the page is empty.
    ``unused``: the rows on the page to which nothing refers.
    """

    last: str | None
    unused: list[str]


_limit: BindParameter[int] = bindparam("limit")
_ENDED = [state for state in JobState if state not in ACTIVE_JOB_STATES]
_OLD_KEYS = (
    select(idempotency.c.client_id, idempotency.c.key)
    .where(idempotency.c.created_at < bindparam("before"))
    .order_by(idempotency.c.created_at)
    .limit(_limit)
    .with_for_update(skip_locked=True)
)
_DROP_KEYS = delete(idempotency).where(
    tuple_(idempotency.c.client_id, idempotency.c.key).in_(bindparam("keys", expanding=True))
)
# By its deadline, which has an index; hardly any job ends later.
_OLD_JOBS = (
    select(job.c.id, job.c.solve_id)
    .where(
        job.c.state.in_(_ENDED),
        job.c.deadline < bindparam("before"),
        job.c.finished_at < bindparam("before"),
    )
    .limit(_limit)
    .with_for_update(skip_locked=True)
)
# Certificates need only the thresholds below the bound.
_SURPLUS_SLICES = (
    select(slice_.c.id)
    .join_from(solve, slice_, slice_.c.solve_id == solve.c.id)
    .where(
        solve.c.id.in_(bindparam("solves", expanding=True)),
        # True for all settled solves; the index on their state would be used instead.
        solve.c.lower_bound == solve.c.upper_bound,
        slice_.c.state == SliceState.DONE,
        slice_.c.threshold >= solve.c.lower_bound,
    )
    .limit(_limit)
    .with_for_update(of=slice_, skip_locked=True)
)
# The limit makes a planner look up one job per solve instead of joining all jobs.
_some_other_job = (
    select(job.c.id)
    .where(job.c.solve_id == solve.c.id, job.c.id.not_in(bindparam("jobs", expanding=True)))
    .limit(1)
    .scalar_subquery()
)
_WITHOUT_OTHER_JOBS = select(solve.c.id).where(
    solve.c.id.in_(bindparam("solves", expanding=True)), _some_other_job.is_(None)
)
_PRIVATE = select(solve.c.id).where(
    solve.c.id.in_(bindparam("solves", expanding=True)),
    solve.c.canonical_key.contains(PRIVATE_MARK),
)
_SLICES = (
    select(slice_.c.id)
    .where(slice_.c.solve_id.in_(bindparam("solves", expanding=True)))
    .limit(_limit)
    .with_for_update(skip_locked=True)
)
_later = bound_event.alias()
_HISTORY = (
    select(bound_event.c.id)
    .where(
        bound_event.c.solve_id.in_(bindparam("solves", expanding=True)),
        bound_event.c.number
        < select(func.max(_later.c.number))
        .where(_later.c.solve_id == bound_event.c.solve_id)
        .scalar_subquery(),
    )
    .limit(_limit)
    .with_for_update(of=bound_event, skip_locked=True)
)


def _delete_by(column: Column[Any]) -> Delete:
    return delete(column.table).where(column.in_(bindparam("ids", expanding=True)))


_DROP_SLICES = _delete_by(slice_.c.id)
_DROP_EVENTS = _delete_by(bound_event.c.id)
_DROP_CALLS = _delete_by(task.c.key).where(task.c.kind == TaskKind.CALLBACK)
_DROP_JOBS = _delete_by(job.c.id)
_DROP_PLACES = _delete_by(comparison_run.c.comparison_id)


class RetentionRepository(Repository):
    """Deletes old rows on one connection."""

    def drop_keys(self, before: float, limit: int) -> int:
        """Delete idempotency keys registered before a time; return how many."""
        rows = self._connection.execute(_OLD_KEYS, {"before": before, "limit": limit})
        keys = [tuple(row) for row in rows]
        if keys:
            self._connection.execute(_DROP_KEYS, {"keys": keys})
        return len(keys)

    def old_jobs(self, before: float, limit: int) -> list[OldJob]:
        """Return and lock jobs that ended, and whose deadline passed, before a time."""
        rows = self._connection.execute(_OLD_JOBS, {"before": before, "limit": limit})
        return [OldJob(*row) for row in rows]

    def drop_surplus_slices(self, solve_ids: Collection[str], limit: int) -> int:
        """Delete finished slices of settled solves that no proof needs; return how many."""
        values = {"solves": list(solve_ids), "limit": limit}
        return self._drop(_DROP_SLICES, self._connection.execute(_SURPLUS_SLICES, values).scalars())

    def drop_history(
        self, solve_ids: Collection[str], excluding_jobs: Collection[str], limit: int
    ) -> int:
        """Delete all but the last event of solves that have no other jobs; return how many."""
        values = {"solves": list(solve_ids), "jobs": list(excluding_jobs)}
        ids = list(self._connection.execute(_WITHOUT_OTHER_JOBS, values).scalars())
        event_ids = self._connection.execute(_HISTORY, {"solves": ids, "limit": limit})
        return self._drop(_DROP_EVENTS, event_ids.scalars())

    def private_solves(self, solve_ids: Collection[str]) -> list[str]:
        """Return the solves among these that belong to a single job."""
        return list(self._connection.execute(_PRIVATE, {"solves": list(solve_ids)}).scalars())

    def drop_slices(self, solve_ids: Collection[str], limit: int) -> int:
        """Delete slices of solves; return how many."""
        values = {"solves": list(solve_ids), "limit": limit}
        return self._drop(_DROP_SLICES, self._connection.execute(_SLICES, values).scalars())

    def drop_solves(self, solve_ids: Collection[str]) -> None:
        """Delete solves that have neither jobs nor slices."""
        for column in (solution_chunk.c.solve_id, bound_event.c.solve_id, solve.c.id):
            self._drop(_delete_by(column), solve_ids)

    def drop_jobs(self, job_ids: Collection[str]) -> None:
        """Delete locked jobs with their pending callbacks."""
        self._drop(_DROP_CALLS, job_ids)
        self._drop(_DROP_JOBS, job_ids)

    def old(self, kind: Kind, before: float, after: str, limit: int) -> Page:
        """Return a page of rows of a kind that were created before a time, after an id."""
        scan = SCANS[kind]
        values = {"after": after, "end": first_id(before), "before": before, "limit": limit}
        ids = list(self._connection.execute(scan.page, values).scalars())
        if not ids:
            return Page(None, [])
        unused = list(self._connection.execute(scan.unused, {"ids": ids}).scalars())
        return Page(ids[-1], unused)

    def drop(self, kind: Kind, ids: Collection[str]) -> None:
        """Delete those of these rows to which nothing refers, skipping locked ones."""
        scan = SCANS[kind]
        unused = list(self._connection.execute(scan.lock, {"ids": list(ids)}).scalars())
        if kind is Kind.COMPARISON:
            self._drop(_DROP_PLACES, unused)
        self._drop(scan.delete, unused)

    def _drop(self, statement: Delete, ids: Iterable[str]) -> int:
        id_list = list(ids)
        if id_list:
            self._connection.execute(statement, {"ids": id_list})
        return len(id_list)
