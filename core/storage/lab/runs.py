"""The ``search_run`` table: the lab's runs, their claims, leases and ends."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, bindparam, exists, func, literal, or_, select, update

from tilework.core.model.leases import Holder, Lease
from tilework.core.model.runs import (
    KnownRun,
    NewRun,
    RunClaim,
    RunEnd,
    RunRow,
    RunSpec,
)
from tilework.core.model.states import ACTIVE_JOB_STATES, RunState
from tilework.core.puzzle.moves import Moves
from tilework.core.puzzle.packing import pack, unpack
from tilework.core.storage.insertion import insert_all_if_absent
from tilework.core.storage.lab.rows import (
    ROW,
    SPEC,
    read_row,
    read_spec,
    read_trace,
    unfinished_run,
    write_run,
    write_statistics,
    write_trace,
)
from tilework.core.storage.leases import Leases, token
from tilework.core.storage.models import comparison, comparison_run, job, job_run, search_run

# Rows in one statement.
_CHUNK = 500

_active = unfinished_run()
_queued = search_run.c.state == RunState.QUEUED
_by_id = search_run.c.id == bindparam("run_id")
_changed = {"version": search_run.c.version + 1, "updated_at": bindparam("now")}
_unheld = {"owner": None, "lease_until": None}

# Not the key: comparisons that refer to the rows may be stored meanwhile.
_KNOWN = (
    select(search_run.c.id, search_run.c.key, search_run.c.state)
    .where(search_run.c.key.in_(bindparam("keys", expanding=True)))
    .order_by(search_run.c.key)
    .with_for_update(key_share=True)
)
_LOCK = select(search_run.c.id).where(_by_id).with_for_update(key_share=True)
_QUEUE = (
    update(search_run)
    .where(_by_id)
    .values(
        state=RunState.QUEUED,
        turn=bindparam("at"),
        attempts=0,
        message=None,
        started_at=None,
        finished_at=None,
        **_changed,
    )
)
_HASTEN = (
    update(search_run)
    .where(_by_id, _queued, search_run.c.turn > bindparam("at"))
    .values(turn=bindparam("at"))
)
_LEASES = Leases(
    search_run,
    waiting=RunState.QUEUED,
    held=RunState.RUNNING,
    changed=_changed,
    taken={"started_at": bindparam("now")},
    returned={"started_at": None},
)
_NEXT = (
    select(search_run.c.id, search_run.c.attempts, *SPEC)
    .where(_queued)
    .order_by(search_run.c.turn, search_run.c.id)
    .limit(1)
    .with_for_update(key_share=True, skip_locked=True)
)
_RETRY = (
    update(search_run)
    .where(*_LEASES.mine)
    .values(state=RunState.QUEUED, started_at=None, **_LEASES.ended)
)
_FINISH = (
    update(search_run)
    .where(*_LEASES.mine)
    .values(
        state=bindparam("ended"),
        length=bindparam("moved"),
        stopped_by=bindparam("reason"),
        finished_at=bindparam("now"),
        statistics=bindparam("effort"),
        message=bindparam("words"),
        moves=bindparam("packed"),
        trace=bindparam("steps"),
        **_LEASES.ended,
    )
)
_UNFINISHED_OF_COMPARISON = (
    select(search_run.c.id)
    .where(
        search_run.c.id.in_(
            select(comparison_run.c.run_id).where(
                comparison_run.c.comparison_id == bindparam("comparison_id")
            )
        ),
        _active,
    )
    .order_by(search_run.c.key)
    .with_for_update(key_share=True)
)
_asked_for = exists(
    select(literal(1))
    .join_from(comparison_run, comparison, comparison_run.c.comparison_id == comparison.c.id)
    .where(comparison_run.c.run_id == search_run.c.id, comparison.c.cancelled_at.is_(None))
)
_unfinished_jobs = (
    select(literal(1))
    .join_from(job_run, job, job_run.c.job_id == job.c.id)
    .where(job_run.c.run_id == search_run.c.id, job.c.state.in_(ACTIVE_JOB_STATES))
)
_asked_for_by = exists(
    select(literal(1))
    .join_from(comparison_run, comparison, comparison_run.c.comparison_id == comparison.c.id)
    .where(
        comparison_run.c.run_id == search_run.c.id,
        comparison.c.cancelled_at.is_(None),
        comparison.c.client_id == bindparam("client_id"),
    )
)
_CANCEL = (
    update(search_run)
    .where(
        search_run.c.id.in_(bindparam("ids", expanding=True)),
        _active,
        ~_asked_for,
        ~exists(_unfinished_jobs),
    )
    .values(state=RunState.CANCELLED, finished_at=bindparam("now"), **_unheld, **_changed)
)
_UNFINISHED = select(func.count()).select_from(search_run).where(_active)
_UNFINISHED_OF = _UNFINISHED.where(
    or_(
        _asked_for_by,
        exists(_unfinished_jobs.where(job.c.client_id == bindparam("client_id"))),
    )
)
_SOME = select(literal(1)).where(_queued).limit(1)
_READY = select(func.count()).where(_queued)
_ROW = select(*ROW).where(_by_id)
_SPEC = select(*SPEC).where(_by_id)
_MOVES = select(search_run.c.moves).where(_by_id)
_TRACE = select(search_run.c.trace).where(_by_id)


class StoredSearchRuns:
    """Runs of one connection."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def obtain(self, runs: Sequence[NewRun], now: float) -> dict[str, KnownRun]:
        """Return runs by key, locked; those that are new are inserted and wait."""
        # In the order of their keys, so that two of these never wait for each other's rows.
        ordered = sorted(runs, key=lambda run: run.key)
        found: dict[str, KnownRun] = {}
        for first in range(0, len(ordered), _CHUNK):
            chunk = ordered[first : first + _CHUNK]
            found |= self._obtain(chunk, now)
            # Purged between being found and being locked; those inserted now cannot be.
            missing = [run for run in chunk if run.key not in found]
            if missing:
                found |= self._obtain(missing, now)
        return found

    def _obtain(self, runs: Sequence[NewRun], now: float) -> dict[str, KnownRun]:
        rows = [write_run(run, now) for run in runs]
        insert_all_if_absent(self._connection, search_run, rows)
        known = self._connection.execute(_KNOWN, {"keys": [run.key for run in runs]})
        return {key: KnownRun(id_, key, RunState(state)) for id_, key, state in known}

    def queue(self, run_id: str, turn: float, now: float) -> None:
        """Let a locked run that failed or was cancelled wait for its turn again."""
        self._connection.execute(_QUEUE, {"run_id": run_id, "at": turn, "now": now})

    def hasten(self, run_id: str, turn: float) -> None:
        """Let a locked run that waits have an earlier turn."""
        self._connection.execute(_HASTEN, {"run_id": run_id, "at": turn})

    def lock(self, run_id: str) -> None:
        """Lock a run until the transaction ends."""
        self._connection.execute(_LOCK, {"run_id": run_id})

    def claim(self, holder: Holder, now: float) -> RunClaim | None:
        """Lease the run whose turn it is, past those that others have locked."""
        row = self._connection.execute(_NEXT).first()
        if row is None:
            return None
        run_id, attempts, *spec = row
        _LEASES.take(self._connection, [run_id], holder, now)
        return RunClaim(Lease(run_id, holder.owner, attempts + 1), read_spec(tuple(spec)))

    def renew(self, lease: Lease, until: float) -> None:
        """Renew a lease that is still held."""
        _LEASES.renew(self._connection, [lease], until)

    def held(self, lease: Lease) -> bool:
        """Whether a lease is still held: not so once nobody asks for the run any more."""
        return _LEASES.holds(self._connection, lease)

    def overdue(self, lease: Lease, now: float) -> bool:
        """Whether a lease has run out, and stays so until the transaction ends."""
        return _LEASES.overdue(self._connection, lease, now)

    def release(self, lease: Lease, now: float) -> None:
        """Give a run back; the attempt is not counted."""
        _LEASES.release(self._connection, [lease], now)

    def retry(self, lease: Lease, now: float) -> None:
        """Let a run wait again after an attempt that came to nothing."""
        self._connection.execute(_RETRY, token(lease) | {"now": now})

    def finish(self, lease: Lease, end: RunEnd, now: float) -> bool:
        """Store how a run ended; False where the lease is lost."""
        values = token(lease) | {
            "ended": end.state,
            "moved": None if end.moves is None else len(end.moves),
            "reason": end.stopped_by,
            "now": now,
            "effort": write_statistics(end.statistics),
            "words": end.message,
            "packed": None if end.moves is None else pack(end.moves),
            "steps": write_trace(end.trace),
        }
        return self._connection.execute(_FINISH, values).rowcount == 1

    def expired(self, now: float) -> list[Lease]:
        """Return leases that ran out, at most 100."""
        return _LEASES.expired(self._connection, now)

    def lock_unfinished(self, comparison_id: str) -> list[str]:
        """Return the runs of a comparison that have not ended, locked: none can end meanwhile."""
        values = {"comparison_id": comparison_id}
        return list(self._connection.execute(_UNFINISHED_OF_COMPARISON, values).scalars())

    def cancel_unwanted(self, run_ids: Sequence[str], now: float) -> None:
        """End those of locked, unfinished runs that nobody asks for any more."""
        # They were locked by an earlier statement, so this one sees every comparison that asks
        # for them.
        self._connection.execute(_CANCEL, {"ids": list(run_ids), "now": now})

    def unfinished_of(self, client_id: str) -> int:
        """Count the unfinished runs that a client asks for."""
        return self._connection.execute(_UNFINISHED_OF, {"client_id": client_id}).scalar_one()

    def unfinished(self) -> int:
        """Count the unfinished runs of the whole service."""
        return self._connection.execute(_UNFINISHED).scalar_one()

    def some_ready(self) -> bool:
        """Whether a run waits."""
        return self._connection.execute(_SOME).first() is not None

    def ready(self) -> int:
        """Count the runs that wait."""
        return self._connection.execute(_READY).scalar_one()

    def row(self, run_id: str) -> RunRow | None:
        """Return a run."""
        row = self._connection.execute(_ROW, {"run_id": run_id}).first()
        return None if row is None else read_row(tuple(row))

    def spec(self, run_id: str) -> RunSpec:
        """Return what a run does."""
        return read_spec(tuple(self._connection.execute(_SPEC, {"run_id": run_id}).one()))

    def moves(self, run_id: str) -> Moves | None:
        """Return a run's solution."""
        packed = self._connection.execute(_MOVES, {"run_id": run_id}).scalar()
        return None if packed is None else unpack(packed)

    def trace(self, run_id: str) -> dict[str, Any] | None:
        """Return a run's trace as it was stored."""
        return read_trace(self._connection.execute(_TRACE, {"run_id": run_id}).scalar())
