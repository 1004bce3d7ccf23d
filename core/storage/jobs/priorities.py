"""Orders the waiting work of one client by the priorities of its jobs.

Work of a higher priority exchanges its position in the queue with work of a lower one. The client
keeps the same positions, so other clients wait exactly as long as before.
"""

from __future__ import annotations

from collections.abc import Collection
from itertools import groupby
from operator import attrgetter

from sqlalchemy import bindparam, exists, func, literal, select, update

from tilework.core.model.farm.workload import SMALL_CELLS
from tilework.core.model.states import ACTIVE_JOB_STATES, Priority, Queue, SliceState
from tilework.core.storage.models import job, slice_, solve
from tilework.core.storage.repository import Repository

_lower = (
    job.c.client_id == bindparam("client"),
    job.c.finished_at.is_(None),
    job.c.priority < bindparam("priority"),
)
_SOME_LOWER = select(literal(1)).where(*_lower).limit(1)
# Initial searches of large boards take much longer, so they only exchange positions with each
# other.
_is_large = (slice_.c.queue != Queue.SEARCH) & (solve.c.width * solve.c.height > SMALL_CELLS)
_WAITING = (
    select(
        slice_.c.id,
        slice_.c.solve_id,
        slice_.c.priority,
        slice_.c.queue,
        _is_large.label("is_large"),
    )
    .join_from(slice_, solve, slice_.c.solve_id == solve.c.id)
    .where(slice_.c.state == SliceState.READY, solve.c.client_id == bindparam("client"))
    .order_by(slice_.c.priority, slice_.c.id)
    # A worker may be claiming a slice right now.
    .with_for_update(of=slice_, skip_locked=True)
)
_job = job.alias()
_has_priority = exists().where(
    _job.c.solve_id == slice_.c.solve_id,
    _job.c.state.in_(ACTIVE_JOB_STATES),
    _job.c.priority >= bindparam("priority"),
)
_ALL = _WAITING.where(_has_priority)
_OWN = _ALL.where(slice_.c.solve_id.in_(bindparam("solves", expanding=True)))
_LOWER = _WAITING.where(
    slice_.c.queue == bindparam("queue"),
    _is_large == bindparam("is_large"),
    slice_.c.solve_id.in_(select(job.c.solve_id).where(*_lower)),
    ~_has_priority,
).limit(bindparam("limit"))
_MOVE = (
    update(slice_).where(slice_.c.id == bindparam("slice")).values(priority=bindparam("position"))
)
_HIGHEST = select(func.max(job.c.priority)).where(
    job.c.solve_id == bindparam("solve"), job.c.state.in_(ACTIVE_JOB_STATES)
)
_SET = (
    update(job)
    .where(job.c.id == bindparam("job"), job.c.finished_at.is_(None))
    .values(priority=bindparam("rank"), version=job.c.version + 1)
)


class PriorityRepository(Repository):
    """The priorities of jobs, and the positions of their work in the queues."""

    def set(self, job_id: str, priority: Priority) -> None:
        """Change the priority of an unfinished job."""
        self._connection.execute(_SET, {"job": job_id, "rank": priority.rank})

    def promote(
        self, client_id: str, priority: Priority, solve_ids: Collection[str] | None = None
    ) -> None:
        """Let these solves of a client, by default all, go before its work of a lower priority."""
        values: dict[str, object] = {"client": client_id, "priority": priority.rank}
        if (
            priority is Priority.LOW
            or self._connection.execute(_SOME_LOWER, values).first() is None
        ):
            return
        moved = self._exchange(values, solve_ids)
        if moved and priority is Priority.HIGH:
            # Normal work that has moved back now goes before work of low priority.
            self.promote(client_id, Priority.NORMAL, moved)

    def promote_search(self, client_id: str, solve_id: str) -> None:
        """Do the same for a long search, by the highest priority of its jobs."""
        rank = self._connection.execute(_HIGHEST, {"solve": solve_id}).scalar()
        if rank is not None:
            self.promote(client_id, Priority.from_rank(rank), [solve_id])

    def _exchange(self, values: dict[str, object], solve_ids: Collection[str] | None) -> list[str]:
        """Exchange positions, and return the solves whose work has moved back."""
        if solve_ids is None:
            rows = self._connection.execute(_ALL, values).all()
        else:
            rows = self._connection.execute(_OWN, values | {"solves": list(solve_ids)}).all()
        key = attrgetter("queue", "is_large")
        positions: list[dict[str, object]] = []
        moved: list[str] = []
        for (queue, is_large), group in groupby(sorted(rows, key=key), key):
            own = list(group)
            more = {"queue": queue, "is_large": is_large, "limit": len(own)}
            lower = self._connection.execute(_LOWER, values | more).all()
            turns = sorted(row.priority for row in (*own, *lower))
            for row, turn in zip((*own, *lower), turns, strict=True):
                if turn != row.priority:
                    positions.append({"slice": row.id, "position": turn})
                if turn > row.priority:
                    moved.append(row.solve_id)
        if positions:
            self._connection.execute(_MOVE, positions)
        return moved
