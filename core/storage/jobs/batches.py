"""The ``batch`` table, and jobs seen as a batch's lines."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection, Row, bindparam, case, func, select

from tilework.core.model.batches import BatchLine, BatchView
from tilework.core.model.states import JobState
from tilework.core.puzzle.metric import Metric
from tilework.core.storage.damage.misfits import fits
from tilework.core.storage.damage.sealed import JOB_BOARDS, damaged
from tilework.core.storage.farm.solutions import head_of
from tilework.core.storage.jobs.views import SEALED, check
from tilework.core.storage.models import batch, job, solve

_BATCH_COLUMNS = (batch.c.id, batch.c.client_id, batch.c.total, batch.c.created_at)
_BATCH = select(*_BATCH_COLUMNS).where(batch.c.id == bindparam("id"))
_STATES = (
    select(job.c.state, func.count()).where(job.c.batch_id == bindparam("id")).group_by(job.c.state)
)
_STATES_KNOWN = frozenset(map(str, JobState))
_terminal = job.c.finished_at.is_not(None)
_LINES = (
    select(
        job.c.batch_index,
        job.c.id,
        job.c.state,
        job.c.width,
        job.c.height,
        case((_terminal, job.c.lower_bound), else_=solve.c.lower_bound),
        case((_terminal, job.c.upper_bound), else_=solve.c.upper_bound),
        job.c.message,
        job.c.created_at,
        job.c.finished_at,
        job.c.board,
        job.c.goal,
        job.c.transform,
        job.c.metric,
        solve.c.lower_bound,
        solve.c.id,
        solve.c.moves,
        solve.c.upper_bound,
        job.c.boards_seal,
        *SEALED,
    )
    .outerjoin_from(job, solve, job.c.solve_id == solve.c.id)
    .where(job.c.batch_id == bindparam("id"), job.c.batch_index > bindparam("after"))
    .order_by(job.c.batch_index)
    .limit(bindparam("most"))
)
# Columns of a line before those that are only checked.
_LINE = 19


class StoredBatches:
    """Batches of one connection."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def add(self, batch_id: str, client_id: str, total: int, now: float) -> None:
        """Insert a batch."""
        values = {"id": batch_id, "client_id": client_id, "total": total, "created_at": now}
        self._connection.execute(batch.insert(), values)

    def view(self, batch_id: str) -> BatchView | None:
        """Return a batch and the states of its jobs."""
        row = self._connection.execute(_BATCH, {"id": batch_id}).first()
        if row is None:
            return None
        if not all(fits(one, row[place]) for place, one in enumerate(_BATCH_COLUMNS)):
            raise damaged("batch", batch_id)
        counts = self._connection.execute(_STATES, {"id": batch_id})
        # A state that is none is damage: whoever reads the line finds out.
        states = {JobState(state): count for state, count in counts if state in _STATES_KNOWN}
        return BatchView(row.id, row.client_id, row.total, states, row.created_at)

    def lines(self, batch_id: str, after: int, most: int) -> list[BatchLine]:
        """Return jobs of a batch in order, from after an index."""
        values = {"id": batch_id, "after": after, "most": most}
        rows = self._connection.execute(_LINES, values)
        return [_line(row) for row in rows]


def _line(row: Row[*tuple[Any, ...]]) -> BatchLine:
    check(row)
    index, id_, state, *rest, named, proved, solve_id, packed, known, seal = row[:_LINE]
    *_, board, goal, _ = rest
    # A damaged board may still be one.
    if not JOB_BOARDS.fits((id_, board, goal), seal):
        raise damaged("job", id_)
    head = None if packed is None else head_of(solve_id, packed)
    metric = Metric(named or Metric.MOVES)
    # A head tells only the number of moves.
    is_other = metric is Metric.MOVES and head is not None and head.count != known
    if is_other or (head is None) != (known is None):
        raise damaged("solve", solve_id)
    withdrawn = head is None and row.end_upper is not None
    facts = (index, id_, JobState(state), *rest, head, proved, metric, withdrawn)
    return BatchLine(*facts)
