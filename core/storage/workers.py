"""The ``worker`` table, and the state of the farm."""

from __future__ import annotations

from collections.abc import Collection

from sqlalchemy import (
    bindparam,
    case,
    delete,
    distinct,
    func,
    literal,
    or_,
    select,
    update,
)

from tilework.core.model.farm.workload import FarmState
from tilework.core.model.states import Queue, RunState, SliceState
from tilework.core.storage.models import slice_, solve, task, worker
from tilework.core.storage.repository import Repository, insert_if_absent

# Slices of a queue are counted up to this number.
MAX_COUNTED = 1_000

# A worker that is ready has no time, which sorts first.
READY = (
    select(worker.c.ready_at)
    .where(worker.c.seen_at >= bindparam("since"))
    .order_by(worker.c.ready_at.nulls_first())
    .limit(1)
)

_search = slice_.c.queue == Queue.SEARCH
_ready = slice_.c.state == SliceState.READY
_leased = slice_.c.state == SliceState.LEASED
_payer = select(solve.c.client_id).where(solve.c.id == bindparam("solve_id")).scalar_subquery()
# Workers for short work or the lab alone have no heartbeat.
_ready_workers = select(worker.c.name).where(
    worker.c.seen_at >= bindparam("since"), worker.c.ready_at.is_(None)
)
_workers = select(func.count()).select_from(_ready_workers.subquery()).scalar_subquery()
_busy = (
    select(func.count(slice_.c.owner.distinct()))
    .where(_leased, slice_.c.owner.in_(_ready_workers))
    .scalar_subquery()
)
_in_the_lab = (
    select(func.count())
    .where(
        task.c.state == RunState.RUNNING,
        task.c.queue == Queue.LAB,
        task.c.owner.in_(_ready_workers),
    )
    .scalar_subquery()
)
_waiting = select(literal(1)).where(_search, _ready).limit(MAX_COUNTED).subquery()
_own_waiting = (
    select(func.count())
    .where(slice_.c.solve_id == bindparam("solve_id"), _ready, _search)
    .scalar_subquery()
)
_urgent = (
    select(literal(1))
    .where(slice_.c.queue.in_(bindparam("short", expanding=True)), _ready)
    .limit(MAX_COUNTED)
    .subquery()
)
_long_searches = (
    select(slice_.c.solve_id).where(_search, or_(_ready, _leased)).limit(MAX_COUNTED).subquery()
)
# A subquery, because a planner may scan all solves for a join.
_paying_client = (
    select(solve.c.client_id).where(solve.c.id == _long_searches.c.solve_id).scalar_subquery()
)
_competing_clients = (
    select(func.count(distinct(_paying_client))).select_from(_long_searches).scalar_subquery()
)
_running = (
    select(
        func.count(solve.c.client_id.distinct()).label("clients"),
        func.coalesce(func.sum(case((solve.c.client_id == _payer, 1), else_=0)), 0).label("held"),
    )
    .join_from(slice_, solve, slice_.c.solve_id == solve.c.id)
    .where(_leased, _search)
    .subquery()
)
_FARM_STATE = select(
    _workers,
    _busy + _in_the_lab,
    select(func.count()).select_from(_waiting).scalar_subquery(),
    _own_waiting,
    _running.c.clients,
    _running.c.held,
    select(func.count()).select_from(_urgent).scalar_subquery(),
    _competing_clients,
)


class WorkerRepository(Repository):
    """Reads and writes workers over one connection."""

    def record_heartbeat(
        self,
        name: str,
        now: float,
        skew_s: float,
        version: str = "",
        ready_at: float | None = None,
    ) -> None:
        """Record a worker's heartbeat, its version, and how far its host's clock is ahead."""
        values = {"seen_at": now, "skew_s": skew_s, "version": version, "ready_at": ready_at}
        statement = update(worker).where(worker.c.name == name).values(values)
        if not self._connection.execute(statement).rowcount:
            insert_if_absent(self._connection, worker, {"name": name} | values)

    def ready_at(self, since: float) -> float | None:
        """Return when the first of the workers seen since a time is expected to be ready.

        None if a worker is ready, or if there are no workers.
        """
        return self._connection.execute(READY, {"since": since}).scalar()

    def leave(self, name: str) -> None:
        """Record that a worker has left."""
        self._connection.execute(delete(worker).where(worker.c.name == name))

    def forget(self, before: float) -> None:
        """Delete workers that were last seen before a time."""
        self._connection.execute(delete(worker).where(worker.c.seen_at < before))

    def skews(self, since: float) -> list[float]:
        """Return how far the clocks of workers seen since a time are ahead."""
        statement = select(worker.c.skew_s).where(worker.c.seen_at >= since)
        return list(self._connection.execute(statement).scalars())

    def farm_state(self, solve_id: str, short: Collection[Queue], since: float) -> FarmState:
        """Return the state of the farm for a solve, from the workers seen since a time."""
        values = {"solve_id": solve_id, "short": list(short), "since": since}
        return FarmState(*self._connection.execute(_FARM_STATE, values).one())
