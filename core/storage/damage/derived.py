"""Damaged rows of what can be made anew, or be done without: runs, comparisons and the like."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from sqlalchemy import Column, Connection, Table, delete, func, select, update

from tilework.core.errors import TileworkError
from tilework.core.model.runs import NewRun
from tilework.core.model.states import ACTIVE_JOB_STATES, RunState
from tilework.core.storage.analyses.rows import SPEC as ANALYSIS_SPEC
from tilework.core.storage.analyses.rows import VIEW, check_result, read_view
from tilework.core.storage.analyses.rows import read_spec as read_analysis_spec
from tilework.core.storage.damage.misfits import UNREADABLE, fits, raw_row
from tilework.core.storage.lab.rows import (
    COMPARISON,
    ROW,
    SPEC,
    read_comparison,
    read_row,
    read_spec,
    write_run,
)
from tilework.core.storage.models import (
    analysis,
    batch,
    comparison,
    comparison_run,
    entry_mark,
    job,
    job_run,
    search_run,
)

TABLES: Final[Mapping[str, Table]] = {
    table.name: table for table in (search_run, comparison, analysis, batch, entry_mark)
}

_CONTENT = "it cannot be read"


def fault(connection: Connection, table: str, row_id: str) -> str | None:
    """Return why a row of these tables is not what was written, its types apart."""
    row = raw_row(connection, TABLES[table], row_id)
    if row is None:
        return None
    try:
        _read(table, row)
    except (TileworkError, *UNREADABLE):
        return _CONTENT
    return None


def repair(
    connection: Connection, table: str, row_id: str, now: float, abandon: Callable[[str], None]
) -> None:
    """Make a row anew out of what is sound in it; where that is too little, delete it.

    Parameters
    ----------
    abandon : callable
        Ends a job that waits for a run which is deleted.
    """
    source = TABLES[table]
    row = raw_row(connection, source, row_id)
    if row is None:
        return
    sound = _made_anew(connection, table, row, now)
    if sound is not None:
        connection.execute(update(source).where(source.c.id == row_id).values(sound))
        return
    if table == search_run.name:
        waiting = (
            select(job.c.id)
            .join_from(job_run, job, job_run.c.job_id == job.c.id)
            .where(job_run.c.run_id == row_id, job.c.state.in_(ACTIVE_JOB_STATES))
        )
        for job_id in connection.execute(waiting).scalars().all():
            abandon(job_id)
        connection.execute(delete(job_run).where(job_run.c.run_id == row_id))
        connection.execute(delete(comparison_run).where(comparison_run.c.run_id == row_id))
    if table == comparison.name:
        connection.execute(delete(comparison_run).where(comparison_run.c.comparison_id == row_id))
    connection.execute(delete(source).where(source.c.id == row_id))


def _read(table: str, row: Mapping[str, Any]) -> None:
    if table == search_run.name:
        plain = [row[one.name] for one in ROW if isinstance(one, Column)]
        read_row([*plain, row["trace"] is not None, row["moves"] is not None])
        read_spec(tuple(row[one.name] for one in SPEC))
    elif table == comparison.name:
        read_comparison(tuple(row[one.name] for one in COMPARISON))
    elif table == analysis.name:
        check_result(row["id"], row["result"], row["seal"])
        read_view(tuple(row[one.name] for one in VIEW), row["result"])


def _made_anew(
    connection: Connection, table: str, row: Mapping[str, Any], now: float
) -> dict[str, Any] | None:
    """Return new values of a row; None where it cannot be made anew."""
    if table == batch.name:
        total = select(func.count()).where(job.c.batch_id == row["id"])
        at = row["created_at"]
        return {
            "total": connection.execute(total).scalar_one(),
            "created_at": at if fits(batch.c.created_at, at) else now,
        }
    try:
        if table == search_run.name:
            return _run_again(row, now)
        return _analysis_again(row, now) if table == analysis.name else None
    except (TileworkError, *UNREADABLE):
        return None


def _run_again(row: Mapping[str, Any], now: float) -> dict[str, Any] | None:
    if not all(fits(one, row[one.name]) for one in (*SPEC, search_run.c.key)):
        return None
    spec = read_spec(tuple(row[one.name] for one in SPEC))
    empty = dict.fromkeys(one.name for one in search_run.columns if one.nullable)
    return empty | write_run(NewRun(row["id"], row["key"], spec, now), now) | _next_version(row)


def _analysis_again(row: Mapping[str, Any], now: float) -> dict[str, Any] | None:
    asked = {*(one.name for one in ANALYSIS_SPEC), "id", "client_id", "key", "queue"}
    if not all(fits(analysis.c[name], row[name]) for name in asked):
        return None
    read_analysis_spec(tuple(row[one.name] for one in ANALYSIS_SPEC))
    empty = dict.fromkeys(one.name for one in analysis.columns if one.nullable)
    fresh = {"state": RunState.QUEUED, "turn": now, "attempts": 0, "updated_at": now}
    at = row["created_at"]
    fresh["created_at"] = at if fits(analysis.c.created_at, at) else now
    return empty | {name: row[name] for name in asked} | fresh | _next_version(row)


def _next_version(row: Mapping[str, Any]) -> dict[str, Any]:
    known = row["version"]
    return {"version": known + 1 if fits(search_run.c.version, known) else 1}
