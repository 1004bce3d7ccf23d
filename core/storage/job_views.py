"""Reading jobs, alone or together with their solves in one SELECT.

Polling is the most frequent read of the service, so the statements are constants.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
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

from tilework.core.model.farm.solves import Solve
from tilework.core.model.ids import job_not_found
from tilework.core.model.jobs import (
    Job,
    JobView,
    StoredSolution,
    is_withdrawn,
    job_view,
    version_text,
)
from tilework.core.model.states import JobState, SliceState
from tilework.core.storage.checksums import SOLVE_COLUMNS
from tilework.core.storage.jobs import JOB_COLUMNS, read_job
from tilework.core.storage.models import job, slice_, solve
from tilework.core.storage.repository import Repository, readable, reads
from tilework.core.storage.solutions import (
    Reading,
    SolutionRepository,
    read_consistently,
    read_head,
)
from tilework.core.storage.solves import read_solve
from tilework.core.storage.workers import READY

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
JOB_WITH_SOLVE = (*JOB_COLUMNS, *SOLVE_COLUMNS)
"""The columns of a job and its solve, which the job of an unsolvable board does not have."""

_JOB_WIDTH = len(JOB_COLUMNS)
WIDTH = len(JOB_WITH_SOLVE)
"""The number of values that `read_both` needs."""

_small = job.c.width * job.c.height <= bindparam("cells")


def _joined(*more: ColumnElement[Any]) -> Select[*tuple[Any, ...]]:
    statement = select(*JOB_WITH_SOLVE, *more)
    return statement.outerjoin_from(job, solve, job.c.solve_id == solve.c.id)


_has_id = job.c.id == bindparam("id")
_ACTIVITY = _joined(*_QUEUE_COLUMNS).where(_has_id)
_more = (job.c.cached, solve.c.version)
_VIEW = _joined(*_more, job.c.board, job.c.goal).where(_has_id)
_BRIEF = _joined(*_more, null(), null()).where(_has_id)
# Large boards are omitted, so that SQLite does not read their pages.
_LISTED = _joined(*_more, case((_small, job.c.board)), case((_small, job.c.goal)))
_ANSWER = (
    select(
        *JOB_WITH_SOLVE,
        *(job.c.board, job.c.goal, solve.c.moves),
        func.coalesce(solve.c.algorithm, job.c.algorithm),
    )
    .outerjoin_from(job, solve, job.c.solve_id == solve.c.id)
    .where(_has_id)
)
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


class JobViewRepository(Repository):
    """Reads jobs for clients, alone or with their solutions. A brief view has no boards."""

    def view(self, job_id: str, *, brief: bool = False) -> JobView:
        """Return a job; here and below, NotFoundError is raised if there is no such job."""
        row = self._connection.execute(_BRIEF if brief else _VIEW, {"id": job_id}).first()
        if row is None:
            raise job_not_found(job_id)
        return _read_view(row)

    def activity(
        self, job_id: str, workers_since: float
    ) -> tuple[Job, Solve | None, int | None, float | None]:
        """Return a job, its solve, its position in the queue, and when workers will be ready.

        Only workers seen since ``workers_since`` are considered.
        """
        row = self._connection.execute(_ACTIVITY, {"id": job_id, "since": workers_since}).first()
        if row is None:
            raise job_not_found(job_id)
        columns = tuple(row)
        ahead, ready_at = columns[WIDTH:]
        return *read_both(columns), ahead, ready_at

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
        self, client_id: str, limit: int, before: str | None, cells: int
    ) -> list[JobView]:
        """Return a client's jobs, newest first, optionally only those before an id.

        Boards with more than `cells` cells are omitted.
        """
        statement = _LISTED.where(job.c.client_id == client_id)
        if before is not None:
            statement = statement.where(job.c.id < before)
        return self._list(statement.order_by(job.c.id.desc()).limit(limit), cells)

    def list_by_ids(self, ids: Collection[str], cells: int) -> list[JobView]:
        """Return jobs by their ids. Boards with more than `cells` cells are omitted."""
        return self._list(_LISTED.where(job.c.id.in_(ids)), cells) if ids else []

    def _list(self, statement: Select[*tuple[Any, ...]], cells: int) -> list[JobView]:
        rows = self._connection.execute(statement, {"cells": cells})
        return list(readable(_read_view, rows))

    def latest(self, job_id: str) -> str:
        """Return the id of the newest job with the same board and options."""
        successor = job.alias()
        # Equal transforms of one puzzle have equal boards.
        names = ("solve_id", "transform", "target", "gap", "algorithm", "heuristic")
        are_equal = and_(*(successor.c[name] == job.c[name] for name in names))
        statement = select(successor.c.id).join_from(job, successor, are_equal)
        statement = statement.where(job.c.id == job_id).order_by(successor.c.id.desc()).limit(1)
        latest_id: str | None = self._connection.execute(statement).scalar()
        return job_id if latest_id is None else latest_id

    def count_others(self, job_id: str, limit: int) -> int:
        """Count other clients' jobs with the same solve, considering `limit` jobs."""
        solve_id = select(job.c.solve_id).where(job.c.id == job_id).scalar_subquery()
        client_id = select(job.c.client_id).where(job.c.id == job_id).scalar_subquery()
        jobs = select(job.c.client_id).where(job.c.solve_id == solve_id).limit(limit).subquery()
        statement = select(func.count()).where(jobs.c.client_id != client_id)
        return self._connection.execute(statement).scalar_one()

    def answer(self, job_id: str, reading: Reading) -> StoredSolution:
        """Return a job's stored solution.

        The moves of a very long one are read when they are used, in other sessions; that raises
        ReplacedError if it has been replaced.

        Raises UnavailableError if it is repeatedly replaced while it is read.
        """
        return read_consistently(partial(self._answer, job_id, reading))

    def _answer(self, job_id: str, reading: Reading) -> StoredSolution:
        row = self._connection.execute(_ANSWER, {"id": job_id}).first()
        if row is None:
            raise job_not_found(job_id)
        board, goal, packed, algorithm = row[WIDTH:]
        record, job_solve = read_both(row, board_bytes=board, goal_bytes=goal)
        effort, moves, name, lower_bound = record.effort, None, None, record.lower_bound
        nodes, seconds = (effort.nodes or 0, effort.wall_s or 0.0) if effort else (0, 0.0)
        if job_solve is not None:
            moves = SolutionRepository(self._connection).read_stored(job_solve, packed, reading)
            name = None if packed is None else read_head(job_solve.id, packed).name
            lower_bound, nodes, seconds = job_solve.lower_bound, job_solve.nodes, job_solve.seconds
        return StoredSolution(
            job=record,
            moves=moves,
            solution=name,
            lower_bound=lower_bound,
            algorithm=algorithm,
            nodes=nodes,
            seconds=seconds,
            withdrawn=moves is None
            and record.finished_at is not None
            and record.upper_bound is not None,
        )


def read_both(values: Sequence[Any], **attributes: Any) -> tuple[Job, Solve | None]:
    """Read values of `JOB_WITH_SOLVE`.

    Raises DamagedRowError if the job cannot be read, and the errors of `check_solve`.
    """
    record = read_job(values[:_JOB_WIDTH], **attributes)
    return record, None if values[_JOB_WIDTH] is None else read_solve(values[_JOB_WIDTH:WIDTH])


def with_boards(view: JobView) -> JobView:
    """Return a view whose boards have been unpacked.

    Raises DamagedRowError if they cannot be read.
    """
    view.board, view.goal  # noqa: B018 -- they are cached
    return view


def _read_version(row: Row[*tuple[Any, ...]]) -> str:
    _, revision, solve_version, finished_at, end_upper, known_upper = row
    withdrawn = is_withdrawn(finished_at, end_upper, known_upper)
    return version_text(revision, solve_version, finished_at, withdrawn=withdrawn)


@reads
def _read_view(row: Row[*tuple[Any, ...]]) -> JobView:
    columns = tuple(row)
    cached, solve_version, board, goal = columns[WIDTH:]
    boards = {} if board is None else {"board_bytes": board, "goal_bytes": goal}
    record, job_solve = read_both(columns, cached=cached, **boards)
    view = job_view(record, job_solve, solve_version or 0)
    return with_boards(view) if boards else view
