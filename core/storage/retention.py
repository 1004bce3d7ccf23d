"""Deletes expired rows; each statement finds its rows by an index.

Rows that may be in use are locked first, skipping locked ones, so that no transaction ever waits
for these statements.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from enum import StrEnum
from typing import Any, NamedTuple

from sqlalchemy import (
    Column,
    ColumnElement,
    Row,
    Select,
    Table,
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


class OldRows(NamedTuple):
    """A table with rows of a kind: all, or only tasks of a kind; and when they are unused."""

    table: Table
    unused: Sequence[ColumnElement[bool]]
    task_kind: TaskKind | None = None


class Page(NamedTuple):
    """A page of old rows of a kind, in the order of their ids.

    ``last``: the last id on the page; None if the page is empty.
    ``unused``: the rows on the page to which nothing refers.
    """

    last: str | None
    unused: Sequence[str]


def _refers(table: Table, column: str, to: Table) -> ColumnElement[bool]:
    return exists().where(table.c[column] == to.c.id)


_has_unfinished_runs = exists().where(
    comparison_run.c.comparison_id == comparison.c.id,
    comparison_run.c.run_id == task.c.id,
    unfinished_task(),
)
_OF_CLIENTS = (api_key, job, batch, comparison, task, idempotency)
OLD_ROWS: Mapping[Kind, OldRows] = {
    Kind.BATCH: OldRows(batch, [~_refers(job, "batch_id", batch)]),
    Kind.COMPARISON: OldRows(comparison, [~_has_unfinished_runs]),
    Kind.RUN: OldRows(
        task, [~unfinished_task(), ~_refers(comparison_run, "run_id", task)], TaskKind.RUN
    ),
    Kind.GAME: OldRows(task, [~unfinished_task()], TaskKind.GAME),
    Kind.SHORTEST_PATHS: OldRows(task, [~unfinished_task()], TaskKind.SHORTEST_PATHS),
    Kind.CLIENT: OldRows(client, [~_refers(table, "client_id", client) for table in _OF_CLIENTS]),
}


class RetentionRepository(Repository):
    """Deletes old rows on one connection."""

    def drop_keys(self, before: float, limit: int) -> int:
        """Delete idempotency keys registered before a time; return how many."""
        rows = self._connection.execute(
            select(idempotency.c.client_id, idempotency.c.key)
            .where(idempotency.c.created_at < before)
            .order_by(idempotency.c.created_at)
            .limit(limit)
            .with_for_update(skip_locked=True)
        )
        keys = [tuple(row) for row in rows]
        if keys:
            key = tuple_(idempotency.c.client_id, idempotency.c.key)
            self._connection.execute(delete(idempotency).where(key.in_(keys)))
        return len(keys)

    def old_jobs(self, before: float, limit: int) -> Sequence[Row[*tuple[Any, ...]]]:
        """Return and lock jobs that ended, and whose deadline passed, before a time.

        Each row has the ``id`` of the job, and its ``solve_id``.
        """
        ended = [state for state in JobState if state not in ACTIVE_JOB_STATES]
        return self._connection.execute(
            select(job.c.id, job.c.solve_id)
            # By its deadline, which has an index; hardly any job ends later.
            .where(job.c.state.in_(ended), job.c.deadline < before, job.c.finished_at < before)
            .limit(limit)
            .with_for_update(skip_locked=True)
        ).all()

    def drop_surplus_slices(self, solve_ids: Collection[str], limit: int) -> int:
        """Delete finished slices of settled solves that no proof needs; return how many."""
        surplus = (
            select(slice_.c.id)
            .join_from(solve, slice_, slice_.c.solve_id == solve.c.id)
            .where(
                solve.c.id.in_(solve_ids),
                # True for all settled solves; the index on their state would be used instead.
                solve.c.lower_bound == solve.c.upper_bound,
                slice_.c.state == SliceState.DONE,
                # Certificates need only the thresholds below the bound.
                slice_.c.threshold >= solve.c.lower_bound,
            )
            .limit(limit)
            .with_for_update(of=slice_, skip_locked=True)
        )
        return self._drop(slice_.c.id, self._ids(surplus))

    def drop_history(
        self, solve_ids: Collection[str], excluding_jobs: Collection[str], limit: int
    ) -> int:
        """Delete all but the last event of solves that have no other jobs; return how many."""
        # The limit makes a planner look up one job per solve instead of joining all jobs.
        some_other_job = (
            select(job.c.id)
            .where(job.c.solve_id == solve.c.id, job.c.id.not_in(excluding_jobs))
            .limit(1)
            .scalar_subquery()
        )
        without_other_jobs = self._ids(
            select(solve.c.id).where(solve.c.id.in_(solve_ids), some_other_job.is_(None))
        )
        later = bound_event.alias()
        last_number = (
            select(func.max(later.c.number))
            .where(later.c.solve_id == bound_event.c.solve_id)
            .scalar_subquery()
        )
        events = (
            select(bound_event.c.id)
            .where(
                bound_event.c.solve_id.in_(without_other_jobs), bound_event.c.number < last_number
            )
            .limit(limit)
            .with_for_update(of=bound_event, skip_locked=True)
        )
        return self._drop(bound_event.c.id, self._ids(events))

    def private_solves(self, solve_ids: Collection[str]) -> Sequence[str]:
        """Return the solves among these that belong to a single job."""
        is_private = solve.c.canonical_key.contains(PRIVATE_MARK)
        return self._ids(select(solve.c.id).where(solve.c.id.in_(solve_ids), is_private))

    def drop_slices(self, solve_ids: Collection[str], limit: int) -> int:
        """Delete slices of solves; return how many."""
        statement = select(slice_.c.id).where(slice_.c.solve_id.in_(solve_ids)).limit(limit)
        return self._drop(slice_.c.id, self._ids(statement.with_for_update(skip_locked=True)))

    def drop_solves(self, solve_ids: Collection[str]) -> None:
        """Delete solves that have neither jobs nor slices."""
        for column in (solution_chunk.c.solve_id, bound_event.c.solve_id, solve.c.id):
            self._drop(column, solve_ids)

    def drop_jobs(self, job_ids: Collection[str]) -> None:
        """Delete locked jobs with their pending callbacks."""
        self._drop(task.c.key, job_ids, task.c.kind == TaskKind.CALLBACK)
        self._drop(job.c.id, job_ids)

    def old(self, kind: Kind, before: float, after: str, limit: int) -> Page:
        """Return a page of rows of a kind that were created before a time, after an id."""
        table, unused, task_kind = OLD_ROWS[kind]
        statement = select(table.c.id).where(
            table.c.id > after, table.c.id < first_id(before), table.c.created_at < before
        )
        if task_kind is not None:
            statement = statement.where(table.c.kind == task_kind)
        ids = self._ids(statement.order_by(table.c.id).limit(limit))
        if not ids:
            return Page(None, [])
        return Page(ids[-1], self._ids(select(table.c.id).where(table.c.id.in_(ids), *unused)))

    def drop(self, kind: Kind, ids: Collection[str]) -> None:
        """Delete those of these rows to which nothing refers, skipping locked ones."""
        table, unused, _ = OLD_ROWS[kind]
        statement = select(table.c.id).where(table.c.id.in_(ids), *unused)
        ids = self._ids(statement.with_for_update(skip_locked=True, of=table))
        if kind is Kind.COMPARISON:
            self._drop(comparison_run.c.comparison_id, ids)
        self._drop(table.c.id, ids)

    def _ids(self, statement: Select[tuple[Any]]) -> Sequence[str]:
        return self._connection.execute(statement).scalars().all()

    def _drop(
        self, column: Column[Any], values: Collection[str], *conditions: ColumnElement[bool]
    ) -> int:
        """Delete the rows with these values in a column; return the number of values."""
        if values:
            statement = delete(column.table).where(column.in_(values), *conditions)
            self._connection.execute(statement)
        return len(values)
