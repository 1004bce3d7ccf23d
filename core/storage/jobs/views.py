"""Reading jobs, alone or together with their solves in one SELECT.

Polling is the most frequent read of the service, so the statements are constants.
"""

from __future__ import annotations

import math
from collections.abc import Collection
from functools import partial
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Row,
    Select,
    and_,
    bindparam,
    case,
    func,
    literal_column,
    null,
    select,
)

from tilework.core.model.ids import job_not_found
from tilework.core.model.jobs import JobView, is_withdrawn, job_view, version_text
from tilework.core.model.states import JobState, SliceState
from tilework.core.storage.farm.workers import READY
from tilework.core.storage.jobs.rows import JOB_WITH_SOLVE, WIDTH, read_both, with_boards
from tilework.core.storage.models import job, slice_, solve
from tilework.core.storage.repository import Repository, readable

_MAX_AHEAD = 1_000


def _literal(value: object) -> ColumnElement[Any]:
    """Return a constant as SQL text: a parameter would be bound again for each poll."""
    return literal_column(f"'{value}'" if isinstance(value, str) else str(value))


_is_ready = slice_.c.state == _literal(SliceState.READY)
_own_slice = slice_.alias()
_own_priority = (
    select(func.min(_own_slice.c.priority))
    .where(
        _own_slice.c.solve_id == job.c.solve_id,
        _own_slice.c.state == _literal(SliceState.READY),
        _own_slice.c.queue == job.c.queue,
    )
    .correlate(job)
    .scalar_subquery()
)
_ahead = (
    select(_literal(1).label("one"))
    .where(slice_.c.queue == job.c.queue, _is_ready, slice_.c.priority < _own_priority)
    .correlate(job)
    .limit(_literal(_MAX_AHEAD))
    .subquery()
)
_waits = job.c.state == _literal(JobState.QUEUED)
# The position in the queue and when workers are ready, for a single job.
_QUEUE_COLUMNS = (
    case((_waits, select(func.count()).select_from(_ahead).scalar_subquery())),
    READY.scalar_subquery(),
)
_NO_QUEUE_COLUMNS = (null(), null())
_whole, _brief = _literal(1), _literal(0)
_small = job.c.width * job.c.height <= bindparam("cells")


def _joined(
    queue_columns: tuple[ColumnElement[Any], ...], *boards: ColumnElement[Any]
) -> Select[*tuple[Any, ...]]:
    more = (job.c.cached, solve.c.version, *queue_columns, *boards)
    statement = select(*JOB_WITH_SOLVE, *more)
    return statement.outerjoin_from(job, solve, job.c.solve_id == solve.c.id)


_has_id = job.c.id == bindparam("id")
_VIEW = _joined(_QUEUE_COLUMNS, _whole, job.c.board, job.c.goal).where(_has_id)
_BRIEF = _joined(_QUEUE_COLUMNS, _brief, null(), null()).where(_has_id)
# Large boards are omitted, so that SQLite does not read their pages.
_listed = _joined(
    _NO_QUEUE_COLUMNS,
    case((_small, _whole), else_=_brief),
    case((_small, job.c.board)),
    case((_small, job.c.goal)),
)
_BY_CLIENT = (
    _listed.where(job.c.client_id == bindparam("client_id"))
    .order_by(job.c.id.desc())
    .limit(bindparam("limit"))
)
_BY_CLIENT_BEFORE = _BY_CLIENT.where(job.c.id < bindparam("before"))
_BY_IDS = _listed.where(job.c.id.in_(bindparam("ids", expanding=True)))
_VERSION_FACTS = select(
    job.c.id,
    job.c.version,
    func.coalesce(solve.c.version, _literal(0)),
    job.c.finished_at,
    job.c.upper_bound,
    solve.c.upper_bound,
).outerjoin_from(job, solve, job.c.solve_id == solve.c.id)
_VERSION = _VERSION_FACTS.where(_has_id)
_VERSIONS = _VERSION_FACTS.where(job.c.id.in_(bindparam("ids", expanding=True)))


_solve_id = select(job.c.solve_id).where(job.c.id == bindparam("id")).scalar_subquery()
_clients = (
    select(job.c.client_id).where(job.c.solve_id == _solve_id).limit(bindparam("limit")).subquery()
)
_client_id = select(job.c.client_id).where(job.c.id == bindparam("id")).scalar_subquery()
_OTHERS = select(func.count()).where(_clients.c.client_id != _client_id)

_successor = job.alias()
_LATEST = (
    select(_successor.c.id)
    .join_from(
        job,
        _successor,
        and_(
            *(
                _successor.c[name] == job.c[name]
                # Equal transforms of one puzzle have equal boards.
                for name in ("solve_id", "transform", "target", "gap", "algorithm", "heuristic")
            )
        ),
    )
    .where(_has_id)
    .order_by(_successor.c.id.desc())
    .limit(_literal(1))
)


class JobViewRepository(Repository):
    """Reads jobs for clients. A brief view has no boards."""

    def view(
        self, job_id: str, now: float, *, brief: bool = False, workers_since: float = math.inf
    ) -> JobView:
        """Return a job; here and below, NotFoundError is raised if there is no such job.

        ``workers_since``: workers seen since then are considered for ``preparing_s``.
        """
        values = {"id": job_id, "since": workers_since}
        row = self._connection.execute(_BRIEF if brief else _VIEW, values).first()
        if row is None:
            raise job_not_found(job_id)
        return _read_view(row, now)

    def version(self, job_id: str) -> str:
        """Return only the version of a job's view."""
        row = self._connection.execute(_VERSION, {"id": job_id}).first()
        if row is None:
            raise job_not_found(job_id)
        return _read_version(row)

    def versions(self, ids: Collection[str]) -> dict[str, str]:
        """Return the versions of the jobs that exist, by their ids."""
        rows = self._connection.execute(_VERSIONS, {"ids": list(ids)})
        return {row.id: _read_version(row) for row in rows}

    def list_by_client(
        self, client_id: str, limit: int, before: str | None, now: float, cells: int
    ) -> list[JobView]:
        """Return a client's jobs, newest first, optionally only those before an id.

        Boards with more than `cells` cells are omitted.
        """
        values: dict[str, object] = {"client_id": client_id, "limit": limit, "cells": cells}
        statement = _BY_CLIENT
        if before is not None:
            statement, values["before"] = _BY_CLIENT_BEFORE, before
        rows = self._connection.execute(statement, values)
        return list(readable(partial(_read_view, now=now), rows))

    def list_by_ids(self, ids: Collection[str], now: float, cells: int) -> list[JobView]:
        """Return jobs by their ids. Boards with more than `cells` cells are omitted."""
        if not ids:
            return []
        rows = self._connection.execute(_BY_IDS, {"ids": list(ids), "cells": cells})
        return list(readable(partial(_read_view, now=now), rows))

    def latest(self, job_id: str) -> str:
        """Return the id of the newest job with the same board and options."""
        latest_id: str | None = self._connection.execute(_LATEST, {"id": job_id}).scalar()
        return job_id if latest_id is None else latest_id

    def count_others(self, job_id: str, limit: int) -> int:
        """Count other clients' jobs with the same solve, considering `limit` jobs."""
        return self._connection.execute(_OTHERS, {"id": job_id, "limit": limit}).scalar_one()


def _read_version(row: Row[*tuple[Any, ...]]) -> str:
    _, revision, solve_version, finished_at, end_upper, known_upper = row
    withdrawn = is_withdrawn(finished_at, end_upper, known_upper)
    return version_text(revision, solve_version, finished_at, withdrawn=withdrawn)


def _read_view(row: Row[*tuple[Any, ...]], now: float) -> JobView:
    columns = tuple(row)
    cached, solve_version, ahead, ready_at, whole, *boards = columns[WIDTH:]
    record, job_solve = read_both(columns, cached=cached)
    more: dict[str, Any] = (
        dict(zip(("board_bytes", "goal_bytes"), boards, strict=True)) if whole else {}
    )
    if ahead is not None:
        more["queue_position"] = ahead
    if ready_at is not None and record.finished_at is None:
        more["preparing_s"] = max(1.0, ready_at - now)
    view = job_view(record, job_solve, now, solve_version or 0, **more)
    return with_boards(view) if whole else view
