"""Statements that delete expired rows; each reaches its rows by an index.

Rows that may be in use are locked first, skipping locked ones, so that no transaction ever waits
for these statements.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Any

from sqlalchemy import (
    BindParameter,
    Column,
    Delete,
    bindparam,
    delete,
    func,
    select,
    tuple_,
)

from tilework.core.model.states import ACTIVE_JOB_STATES, JobState, SliceState
from tilework.core.model.task_specs import TaskKind
from tilework.core.puzzle.metric import PRIVATE_MARK
from tilework.core.storage.models import (
    bound_event,
    comparison_run,
    idempotency,
    job,
    job_run,
    slice_,
    solution_chunk,
    solve,
    task,
)
from tilework.core.storage.old_rows import SCANS, Kind
from tilework.core.storage.repository import Repository


@dataclass(frozen=True, slots=True)
class OldJob:
    """An expired job, and its solve."""

    id: str
    solve_id: str | None


@dataclass(frozen=True, slots=True)
class Page:
    """A page of old rows of a kind, in the order of their ids.

    ``last``: the last id on the page; None if there are no more.
    ``unused``: those rows that nothing refers to.
    """

    last: str | None
    unused: list[str]


_most: BindParameter[int] = bindparam("most")
_ENDED = [state for state in JobState if state not in ACTIVE_JOB_STATES]
_OLD_KEYS = (
    select(idempotency.c.client_id, idempotency.c.key)
    .where(idempotency.c.created_at < bindparam("before"))
    .order_by(idempotency.c.created_at)
    .limit(_most)
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
    .limit(_most)
    .with_for_update(skip_locked=True)
)
# Certificates need only the thresholds below the bound.
_SURPLUS_SLICES = (
    select(slice_.c.id)
    .join_from(solve, slice_, slice_.c.solve_id == solve.c.id)
    .where(
        solve.c.id.in_(bindparam("solves", expanding=True)),
        # True of all settled solves; their state has an index that would be used instead.
        solve.c.lower_bound == solve.c.upper_bound,
        slice_.c.state == SliceState.DONE,
        slice_.c.threshold >= solve.c.lower_bound,
    )
    .limit(_most)
    .with_for_update(of=slice_, skip_locked=True)
)
# The limit makes a planner look up one job per solve instead of joining all jobs.
_some_other_job = (
    select(job.c.id)
    .where(job.c.solve_id == solve.c.id, job.c.id.not_in(bindparam("jobs", expanding=True)))
    .limit(1)
    .scalar_subquery()
)
_DESERTED = select(solve.c.id).where(
    solve.c.id.in_(bindparam("solves", expanding=True)), _some_other_job.is_(None)
)
_APART = select(solve.c.id).where(
    solve.c.id.in_(bindparam("solves", expanding=True)), solve.c.key.contains(PRIVATE_MARK)
)
_SLICES = (
    select(slice_.c.id)
    .where(slice_.c.solve_id.in_(bindparam("solves", expanding=True)))
    .limit(_most)
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
    .limit(_most)
    .with_for_update(of=bound_event, skip_locked=True)
)


def _dropping(column: Column[Any]) -> Delete:
    return delete(column.table).where(column.in_(bindparam("ids", expanding=True)))


_DROP_SLICES = _dropping(slice_.c.id)
_DROP_EVENTS = _dropping(bound_event.c.id)
_DROP_CALLS = _dropping(task.c.key).where(task.c.kind == TaskKind.CALLBACK)
_DROP_JOB_RUNS = _dropping(job_run.c.job_id)
_DROP_JOBS = _dropping(job.c.id)
_DROP_PLACES = _dropping(comparison_run.c.comparison_id)


class RetentionRepository(Repository):
    """Deletes old rows on one connection."""

    def drop_keys(self, before: float, most: int) -> int:
        """Delete idempotency keys registered before a time; return how many."""
        rows = self._connection.execute(_OLD_KEYS, {"before": before, "most": most})
        keys = [tuple(row) for row in rows]
        if keys:
            self._connection.execute(_DROP_KEYS, {"keys": keys})
        return len(keys)

    def old_jobs(self, before: float, most: int) -> list[OldJob]:
        """Return and lock jobs that ended, and whose deadline passed, before a time."""
        rows = self._connection.execute(_OLD_JOBS, {"before": before, "most": most})
        return [OldJob(*row) for row in rows]

    def drop_surplus_slices(self, solve_ids: Collection[str], most: int) -> int:
        """Delete finished slices of settled solves that prove nothing; return how many."""
        values = {"solves": list(solve_ids), "most": most}
        return self._drop(_DROP_SLICES, self._connection.execute(_SURPLUS_SLICES, values).scalars())

    def drop_history(self, solve_ids: Collection[str], but_for: Collection[str], most: int) -> int:
        """Delete the history of solves that have no other jobs, except for its end."""
        values = {"solves": list(solve_ids), "jobs": list(but_for)}
        deserted = list(self._connection.execute(_DESERTED, values).scalars())
        found = self._connection.execute(_HISTORY, {"solves": deserted, "most": most})
        return self._drop(_DROP_EVENTS, found.scalars())

    def private_solves(self, solve_ids: Collection[str]) -> list[str]:
        """Return those of these solves that were made for one job alone."""
        return list(self._connection.execute(_APART, {"solves": list(solve_ids)}).scalars())

    def drop_slices(self, solve_ids: Collection[str], most: int) -> int:
        """Delete slices of solves, whatever they prove; return how many."""
        values = {"solves": list(solve_ids), "most": most}
        return self._drop(_DROP_SLICES, self._connection.execute(_SLICES, values).scalars())

    def drop_solves(self, solve_ids: Collection[str]) -> None:
        """Delete solves that have neither jobs nor slices."""
        for column in (solution_chunk.c.solve_id, bound_event.c.solve_id, solve.c.id):
            self._drop(_dropping(column), solve_ids)

    def drop_jobs(self, job_ids: Collection[str]) -> None:
        """Delete locked jobs with their pending callbacks."""
        self._drop(_DROP_CALLS, job_ids)
        self._drop(_DROP_JOB_RUNS, job_ids)
        self._drop(_DROP_JOBS, job_ids)

    def old(self, kind: Kind, before: float, after: str, most: int) -> Page:
        """Return a page of rows of a kind that were created before a time, after an id."""
        walk = SCANS[kind]
        values = {"after": after, "end": _first_id_of(before), "before": before, "most": most}
        ids = list(self._connection.execute(walk.page, values).scalars())
        if not ids:
            return Page(None, [])
        unused = list(self._connection.execute(walk.unused, {"ids": ids}).scalars())
        return Page(ids[-1], unused)

    def drop(self, kind: Kind, ids: Collection[str]) -> None:
        """Delete those of these rows that nothing refers to, skipping locked ones."""
        walk = SCANS[kind]
        unused = list(self._connection.execute(walk.lock, {"ids": list(ids)}).scalars())
        if kind is Kind.COMPARISON:
            self._drop(_DROP_PLACES, unused)
        self._drop(walk.delete, unused)

    def _drop(self, statement: Delete, ids: Iterable[str]) -> int:
        listed = list(ids)
        if listed:
            self._connection.execute(statement, {"ids": listed})
        return len(listed)


def _first_id_of(when: float) -> str:
    """Return an id that sorts after all ids made before a time, as ids begin with milliseconds."""
    digits = f"{max(0, int(when * 1000)):012x}"
    return f"{digits[:8]}-{digits[8:]}"
