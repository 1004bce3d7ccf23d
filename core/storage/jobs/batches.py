"""The ``batch`` table, and the jobs of batches."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Sequence
from functools import partial
from typing import Any

from sqlalchemy import bindparam, case, func, select

from tilework.core.errors import DamagedSolveError
from tilework.core.model.batches import BatchFigures, BatchView, version_text
from tilework.core.model.jobs import JobView, job_view
from tilework.core.model.solutions import SolutionHead
from tilework.core.model.states import JobState
from tilework.core.puzzle.metric import Metric
from tilework.core.storage.farm.solutions import read_head
from tilework.core.storage.jobs.rows import JOB_WITH_SOLVE, WIDTH, read_both, with_boards
from tilework.core.storage.models import batch, client, job, solve
from tilework.core.storage.repository import Repository, readable

_BATCH = select(batch.c.id, batch.c.client_id, batch.c.total, batch.c.created_at).where(
    batch.c.id == bindparam("id")
)
_LOCK = select(batch.c.id).where(batch.c.id == bindparam("id")).with_for_update()
_STORED = select(job.c.batch_index).where(
    job.c.batch_id == bindparam("id"), job.c.batch_index.in_(bindparam("indexes", expanding=True))
)
_STATES = (
    select(job.c.state, func.count()).where(job.c.batch_id == bindparam("id")).group_by(job.c.state)
)
_STATES_BY_BATCH = (
    select(job.c.batch_id, job.c.state, func.count())
    .where(job.c.batch_id.in_(bindparam("ids", expanding=True)))
    .group_by(job.c.batch_id, job.c.state)
)
_jobs = select(func.count()).where(job.c.batch_id == batch.c.id).correlate(batch)
_UNSTORED = select(func.coalesce(func.sum(batch.c.total - _jobs.scalar_subquery()), 0)).where(
    batch.c.client_id == bindparam("client_id"), batch.c.created_at > bindparam("since")
)
_LOCK_CLIENT = (
    select(client.c.id)
    .where(client.c.id == bindparam("id"))
    # The key stays unlocked: rows that refer to the client are inserted at the same time.
    .with_for_update(key_share=True)
)
_KNOWN_STATES = frozenset(map(str, JobState))
_ended = job.c.finished_at.is_not(None)
_FIGURES = (
    select(
        job.c.batch_index,
        job.c.state,
        job.c.metric,
        job.c.width,
        job.c.height,
        # While a search runs, its bounds are those of the solve.
        case((_ended, job.c.lower_bound), else_=func.coalesce(solve.c.lower_bound, 0)),
        case((_ended, job.c.upper_bound), else_=solve.c.upper_bound),
        job.c.nodes,
        job.c.wall_s,
    )
    .outerjoin_from(job, solve, job.c.solve_id == solve.c.id)
    .where(job.c.batch_id == bindparam("id"))
    .order_by(job.c.batch_index)
)
_ALL_LINES = (
    select(*JOB_WITH_SOLVE, solve.c.moves, solve.c.algorithm, job.c.board, job.c.goal)
    .outerjoin_from(job, solve, job.c.solve_id == solve.c.id)
    .where(job.c.batch_id == bindparam("id"))
    .order_by(job.c.batch_index)
)
_LINES = _ALL_LINES.where(job.c.batch_index > bindparam("after")).limit(bindparam("limit"))
_SOME_LINES = _ALL_LINES.where(job.c.batch_index.in_(bindparam("indexes", expanding=True)))


class BatchRepository(Repository):
    """Batches and their jobs."""

    def add(self, batch_id: str, client_id: str, total: int, now: float) -> None:
        """Insert a batch."""
        values = {"id": batch_id, "client_id": client_id, "total": total, "created_at": now}
        self._connection.execute(batch.insert(), values)

    def count_unstored(self, client_id: str, since: float) -> int:
        """Lock a client, and count the boards of its batches since then that have no job yet."""
        self._connection.execute(_LOCK_CLIENT, {"id": client_id})
        values = {"client_id": client_id, "since": since}
        return int(self._connection.execute(_UNSTORED, values).scalar_one())

    def list_missing(self, batch_id: str, indexes: Collection[int]) -> set[int]:
        """Lock a batch, and return which of these boards have no job yet."""
        self._connection.execute(_LOCK, {"id": batch_id})
        rows = self._connection.execute(_STORED, {"id": batch_id, "indexes": list(indexes)})
        return set(indexes).difference(rows.scalars())

    def view(self, batch_id: str) -> BatchView | None:
        """Return a batch and the states of its jobs."""
        row = self._connection.execute(_BATCH, {"id": batch_id}).first()
        if row is None:
            return None
        counts = self._connection.execute(_STATES, {"id": batch_id})
        states = {JobState(state): count for state, count in counts if state in _KNOWN_STATES}
        return BatchView(row.id, row.client_id, row.total, states, row.created_at)

    def versions(self, ids: Collection[str]) -> dict[str, str]:
        """Return the versions of the batches that exist, by their ids."""
        states: defaultdict[str, dict[JobState, int]] = defaultdict(dict)
        for batch_id, state, count in self._connection.execute(
            _STATES_BY_BATCH, {"ids": list(ids)}
        ):
            if state in _KNOWN_STATES:
                states[batch_id][JobState(state)] = count
        return {batch_id: version_text(counts) for batch_id, counts in states.items()}

    def figures(self, batch_id: str) -> list[BatchFigures]:
        """Return the figures of all jobs of a batch, in the order of the boards."""
        rows = self._connection.execute(_FIGURES, {"id": batch_id})
        return [
            BatchFigures(index, JobState(state), Metric(metric), *more)
            for index, state, metric, *more in rows
            if state in _KNOWN_STATES
        ]

    def views(self, batch_id: str, indexes: Sequence[int], now: float) -> list[JobView]:
        """Return the jobs of a batch with these indexes, in that order."""
        values = {"id": batch_id, "indexes": list(indexes)}
        rows = self._connection.execute(_SOME_LINES, values)
        lines = readable(partial(_line, now=now), map(tuple, rows))
        views = {view.batch_index: view for view, *_ in lines}
        return [views[index] for index in indexes if index in views]

    def lines(
        self, batch_id: str, after: int, limit: int, now: float
    ) -> list[tuple[JobView, SolutionHead | None, str | None]]:
        """Return the jobs of a batch after an index, with their solutions' heads and algorithms."""
        values = {"id": batch_id, "after": after, "limit": limit}
        rows = self._connection.execute(_LINES, values)
        return list(readable(partial(_line, now=now), map(tuple, rows)))


def _line(columns: tuple[Any, ...], now: float) -> tuple[JobView, SolutionHead | None, str | None]:
    stored_job, job_solve = read_both(columns)
    packed, algorithm, board, goal = columns[WIDTH:]
    view = with_boards(job_view(stored_job, job_solve, now, board_bytes=board, goal_bytes=goal))
    if job_solve is None:
        return view, None, None
    head = None if packed is None else read_head(job_solve.id, packed)
    upper_bound = job_solve.upper_bound
    # A head contains the number of moves, not of slides.
    is_wrong = job_solve.metric is Metric.MOVES and head is not None and head.count != upper_bound
    if is_wrong or (head is None) != (upper_bound is None):
        raise DamagedSolveError(job_solve.id)
    return view, head, algorithm
