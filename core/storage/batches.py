"""The ``batch`` table, and the jobs of batches."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from typing import Any

from sqlalchemy import ColumnElement, bindparam, case, func, select

from tilework.core.errors import DamagedSolveError
from tilework.core.model.batches import BatchFigures, BatchView, version_text
from tilework.core.model.jobs import JobView, job_view
from tilework.core.model.solutions import SolutionHead
from tilework.core.model.states import JobState
from tilework.core.puzzle.metric import Metric
from tilework.core.storage.job_views import JOB_WITH_SOLVE, WIDTH, read_both, with_boards
from tilework.core.storage.models import batch, client, job, solve
from tilework.core.storage.repository import Repository, readable
from tilework.core.storage.solutions import read_head

_KNOWN_STATES = frozenset(map(str, JobState))
# Clients poll the versions of batches.
_STATES = (
    select(job.c.batch_id, job.c.state, func.count())
    .where(job.c.batch_id.in_(bindparam("ids", expanding=True)))
    .group_by(job.c.batch_id, job.c.state)
)


class BatchRepository(Repository):
    """Batches and their jobs."""

    def add(self, batch_id: str, client_id: str, total: int, now: float) -> None:
        """Insert a batch."""
        values = {"id": batch_id, "client_id": client_id, "total": total, "created_at": now}
        self._connection.execute(batch.insert(), values)

    def count_unstored(self, client_id: str, since: float) -> int:
        """Lock a client, and count the boards of its batches since then that have no job yet."""
        # The key stays unlocked: rows that refer to the client are inserted at the same time.
        lock = select(client.c.id).where(client.c.id == client_id).with_for_update(key_share=True)
        self._connection.execute(lock)
        jobs = select(func.count()).where(job.c.batch_id == batch.c.id).correlate(batch)
        statement = select(func.coalesce(func.sum(batch.c.total - jobs.scalar_subquery()), 0))
        statement = statement.where(batch.c.client_id == client_id, batch.c.created_at > since)
        return int(self._connection.execute(statement).scalar_one())

    def list_missing(self, batch_id: str, indexes: Collection[int]) -> set[int]:
        """Lock a batch, and return which of these boards have no job yet."""
        self._connection.execute(select(batch.c.id).where(batch.c.id == batch_id).with_for_update())
        statement = select(job.c.batch_index).where(
            job.c.batch_id == batch_id, job.c.batch_index.in_(indexes)
        )
        return set(indexes).difference(self._connection.execute(statement).scalars())

    def view(self, batch_id: str) -> BatchView | None:
        """Return a batch and the states of its jobs."""
        statement = select(batch.c.id, batch.c.total, batch.c.created_at)
        row = self._connection.execute(statement.where(batch.c.id == batch_id)).first()
        if row is None:
            return None
        states = self._states([batch_id]).get(batch_id, {})
        return BatchView(id=row.id, total=row.total, states=states, created_at=row.created_at)

    def versions(self, ids: Collection[str]) -> dict[str, str]:
        """Return the versions of the batches that have jobs, by their ids."""
        return {batch_id: version_text(states) for batch_id, states in self._states(ids).items()}

    def _states(self, ids: Collection[str]) -> dict[str, dict[JobState, int]]:
        states: defaultdict[str, dict[JobState, int]] = defaultdict(dict)
        for batch_id, state, count in self._connection.execute(_STATES, {"ids": list(ids)}):
            if state in _KNOWN_STATES:
                states[batch_id][JobState(state)] = count
        return states

    def figures(self, batch_id: str) -> list[BatchFigures]:
        """Return the figures of all jobs of a batch, in the order of the boards."""
        has_ended = job.c.finished_at.is_not(None)
        statement = (
            select(
                job.c.batch_index,
                job.c.state,
                job.c.metric,
                job.c.width,
                job.c.height,
                # While a search runs, its bounds are those of the solve.
                case((has_ended, job.c.lower_bound), else_=func.coalesce(solve.c.lower_bound, 0)),
                case((has_ended, job.c.upper_bound), else_=solve.c.upper_bound),
                job.c.nodes,
                job.c.wall_s,
                job.c.finished_at,
            )
            .outerjoin_from(job, solve, job.c.solve_id == solve.c.id)
            .where(job.c.batch_id == batch_id)
            .order_by(job.c.batch_index)
        )
        return [
            BatchFigures(index, JobState(state), Metric(metric), *more)
            for index, state, metric, *more in self._connection.execute(statement)
            if state in _KNOWN_STATES
        ]

    def views(self, batch_id: str, indexes: Sequence[int]) -> list[JobView]:
        """Return the jobs of a batch with these indexes, in that order."""
        among = job.c.batch_index.in_(indexes)
        views = {view.batch_index: view for view, *_ in self._lines(batch_id, among)}
        return [views[index] for index in indexes if index in views]

    def lines(
        self, batch_id: str, after: int, limit: int
    ) -> list[tuple[JobView, SolutionHead | None, str | None]]:
        """Return the jobs of a batch after an index, with their solutions' heads and algorithms."""
        return list(self._lines(batch_id, job.c.batch_index > after, limit))

    def _lines(
        self, batch_id: str, condition: ColumnElement[bool], limit: int | None = None
    ) -> Iterator[tuple[JobView, SolutionHead | None, str | None]]:
        statement = (
            select(*JOB_WITH_SOLVE, solve.c.moves, solve.c.algorithm, job.c.board, job.c.goal)
            .outerjoin_from(job, solve, job.c.solve_id == solve.c.id)
            .where(job.c.batch_id == batch_id, condition)
            .order_by(job.c.batch_index)
            .limit(limit)
        )
        rows = self._connection.execute(statement)
        return readable(_line, map(tuple, rows))


def _line(columns: tuple[Any, ...]) -> tuple[JobView, SolutionHead | None, str | None]:
    packed, algorithm, board, goal = columns[WIDTH:]
    stored_job, job_solve = read_both(columns, board_bytes=board, goal_bytes=goal)
    view = with_boards(job_view(stored_job, job_solve))
    if job_solve is None:
        return view, None, None
    head = None if packed is None else read_head(job_solve.id, packed)
    upper_bound = job_solve.upper_bound
    # A head contains the number of moves, not of slides.
    is_wrong = job_solve.metric is Metric.MOVES and head is not None and head.count != upper_bound
    if is_wrong or (head is None) != (upper_bound is None):
        raise DamagedSolveError(job_solve.id)
    return view, head, algorithm
