"""The ``slice`` table: units of work, from their creation and claims to their end, and as proofs.

Statements that run for each slice are constants, because SQLAlchemy compiles them only once.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import asdict
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Row,
    Update,
    bindparam,
    case,
    delete,
    exists,
    func,
    literal,
    literal_column,
    or_,
    select,
    update,
)

from tilework.core.errors import DamagedSolveError
from tilework.core.messages import Message
from tilework.core.model.activity import RunningSlice
from tilework.core.model.farm.changes import Revival, WorkGroup
from tilework.core.model.farm.solves import (
    Claim,
    ProofSlice,
    ProvenBound,
    Puzzle,
    SearchConfig,
    Slice,
    SliceResult,
)
from tilework.core.model.leases import Holder, Lease
from tilework.core.model.states import (
    ACTIVE_JOB_STATES,
    Queue,
    SliceKind,
    SliceState,
    SolveState,
)
from tilework.core.solver.strategy import NON_PROVING
from tilework.core.solver.target import Algorithm, Target, TargetKind
from tilework.core.solver.trial import Trial
from tilework.core.storage.checksums import SLICE, SLICE_END, SOLVE_COLUMNS, check_solve
from tilework.core.storage.leases import (
    MAX_EXPIRED,
    LeasedRepository,
    Leases,
    is_open,
    lease_values,
)
from tilework.core.storage.models import MESSAGE, job, slice_, solve
from tilework.core.storage.repository import readable, reads
from tilework.core.storage.solves import PUZZLE, QUEUES, parse_iterations

_COLUMNS = (
    *SLICE.columns,
    slice_.c.checksum,
    slice_.c.queue,
    slice_.c.state,
    slice_.c.priority,
    slice_.c.attempts,
    slice_.c.expiries,
    slice_.c.owner,
)
_CHECKED = len(SLICE.columns)
_WIDTH = len(_COLUMNS)

_changed: dict[str, Any] = {"updated_at": bindparam("now")}
LEASES = Leases(
    slice_,
    waiting=SliceState.READY,
    held=SliceState.LEASED,
    changed=_changed,
    taken={"nodes": 0},
)
_of_solve = slice_.c.solve_id == bindparam("of_solve")
# The states are listed, because an index finds only equal values.
_unfinished = slice_.c.state.in_(
    [literal_column(f"'{state}'") for state in SliceState if state is not SliceState.DONE]
)
_waits = (slice_.c.queue == bindparam("queue"), slice_.c.state == SliceState.READY)
_is_small = solve.c.width * solve.c.height <= bindparam("max_cells")
_ADD = slice_.insert()
_is_open = is_open("queue")
_NEXT = (
    select(*_COLUMNS, *PUZZLE, solve.c.traceparent)
    .join_from(slice_, solve, slice_.c.solve_id == solve.c.id)
    .where(*_waits)
    .order_by(slice_.c.priority, slice_.c.id)
    .limit(bindparam("limit"))
    .with_for_update(of=slice_, skip_locked=True)
)
_NEXT_SMALL = _NEXT.where(_is_small)
_serves_job = or_(
    (slice_.c.kind == SliceKind.INITIAL)
    & (job.c.algorithm == slice_.c.algorithm)
    & (job.c.heuristic == slice_.c.heuristic),
    (slice_.c.kind == SliceKind.IMPROVE) & (job.c.algorithm == Algorithm.AUTO),
    slice_.c.kind.in_((SliceKind.SEARCH, SliceKind.CHECK)) & job.c.algorithm.not_in(NON_PROVING),
)
_NEEDED = (
    select(slice_.c.id)
    .join_from(slice_, solve, slice_.c.solve_id == solve.c.id)
    .where(
        slice_.c.id.in_(bindparam("ids", expanding=True)),
        slice_.c.state == SliceState.LEASED,
        slice_.c.owner == bindparam("holder"),
        solve.c.epoch == slice_.c.epoch,
        exists().where(
            job.c.solve_id == slice_.c.solve_id, job.c.state.in_(ACTIVE_JOB_STATES), _serves_job
        ),
    )
)
_FINISH = (
    update(slice_)
    .where(*LEASES.mine)
    .values(
        state=SliceState.DONE,
        nodes=bindparam("result_nodes"),
        next_threshold=bindparam("result_next_threshold"),
        engine=bindparam("result_engine"),
        seconds=bindparam("result_seconds"),
        end_checksum=bindparam("end_checksum"),
        **LEASES.ended,
    )
)
_REQUEUE = (
    update(slice_)
    .where(*LEASES.mine)
    .values(
        state=bindparam("new_state"),
        expiries=bindparam("new_expiries"),
        message=func.coalesce(bindparam("reason", type_=MESSAGE), slice_.c.message),
        **LEASES.ended,
    )
)
_ADD_NODES = (
    update(slice_).where(*LEASES.mine).values(nodes=slice_.c.nodes + bindparam("generated"))
)
_DROP = delete(slice_).where(*LEASES.mine)
_DROP_UNFINISHED = delete(slice_).where(_of_solve, _unfinished)
_DELETE_FROM = delete(slice_).where(
    _of_solve,
    # All states are listed, so that the index by state and threshold is used.
    slice_.c.state.in_(list(SliceState)),
    slice_.c.threshold >= bindparam("lowest"),
)
_GROUPS = (
    select(
        slice_.c.kind,
        slice_.c.state,
        slice_.c.algorithm,
        slice_.c.heuristic,
        func.count(),
        func.max(slice_.c.message),
        func.min(slice_.c.updated_at),
    )
    .where(_of_solve, _unfinished, slice_.c.id != bindparam("excluding"))
    .group_by(slice_.c.kind, slice_.c.state, slice_.c.algorithm, slice_.c.heuristic)
)
_FIRST_PRIORITY = (
    select(slice_.c.priority)
    .where(
        slice_.c.queue == Queue.SEARCH,
        slice_.c.state == SliceState.READY,
        slice_.c.solve_id != bindparam("excluding_solve"),
    )
    .order_by(slice_.c.priority)
    .limit(1)
)
_SOME = select(literal(1)).where(*_waits, _is_open).limit(1)
_SOME_SMALL = (
    select(literal(1))
    .join_from(slice_, solve, slice_.c.solve_id == solve.c.id)
    .where(*_waits, _is_small, _is_open)
    .limit(1)
)
_COUNT_READY = select(func.count()).where(*_waits, _is_open)
_IS_OPEN = select(literal(1)).where(_is_open)
_PROOF = (
    select(*SLICE.columns, slice_.c.checksum, *SLICE_END.columns[1:], slice_.c.end_checksum)
    .where(
        _of_solve,
        slice_.c.state == SliceState.DONE,
        slice_.c.kind == SliceKind.SEARCH,
        slice_.c.epoch == bindparam("current"),
        slice_.c.threshold == bindparam("at"),
        slice_.c.id > bindparam("after"),
    )
    .order_by(slice_.c.id)
    .limit(bindparam("limit"))
)


class SliceRepository(LeasedRepository):
    """Reads and writes slices over one connection."""

    leases = LEASES

    def add(self, slices: Sequence[Slice], now: float, holder: Holder | None = None) -> None:
        """Insert slices; leased ones belong to this holder."""
        if slices:
            rows = [_serialize(new, now, holder) for new in slices]
            self._connection.execute(_ADD, rows)

    def next(self, queue: Queue, limit: int, max_cells: int | None = None) -> list[Claim]:
        """Return and lock the next slices of a queue, skipping locked ones."""
        values = {"queue": queue, "limit": limit, "max_cells": max_cells}
        rows = self._connection.execute(_NEXT if max_cells is None else _NEXT_SMALL, values)
        return [Claim(_read(row), Puzzle(*row[_WIDTH:-1]), row[-1]) for row in rows]

    def needed(self, ids: Collection[str], owner: str) -> set[str]:
        """Return which of these slices are still held, and serve an unfinished job."""
        values = {"ids": list(ids), "holder": owner}
        return set(self._connection.execute(_NEEDED, values).scalars())

    def finish(self, lease: Lease, result: SliceResult, now: float) -> bool:
        """Mark a slice done; return False if the lease is lost."""
        end = asdict(result)
        values = {f"result_{name}": value for name, value in end.items()}
        values |= {"now": now, "end_checksum": SLICE_END.compute({"id": lease.id, **end})}
        return self._change(_FINISH, lease, values)

    def add_nodes(self, lease: Lease, nodes: int) -> bool:
        """Add nodes to those of a running slice; return False if the lease is lost."""
        return self._change(_ADD_NODES, lease, {"generated": nodes})

    def drop(self, lease: Lease) -> bool:
        """Delete a slice; return False if the lease is lost."""
        return self._connection.execute(_DROP, lease_values(lease)).rowcount == 1

    def requeue(
        self,
        lease: Lease,
        state: SliceState,
        expiries: int,
        now: float,
        message: Message | None = None,
    ) -> bool:
        """Requeue or quarantine a slice; return False if the lease is lost."""
        values = {"new_state": state, "new_expiries": expiries, "reason": message, "now": now}
        return self._change(_REQUEUE, lease, values)

    def _change(self, statement: Update, lease: Lease, values: dict[str, Any]) -> bool:
        return self._connection.execute(statement, lease_values(lease) | values).rowcount == 1

    def running(self, solve_id: str) -> list[RunningSlice]:
        """Return the slices of a solve that workers hold, oldest claim first."""
        # Only the cursors of trials: those of searches take a kilobyte or more.
        trial = case((slice_.c.kind == SliceKind.IMPROVE, slice_.c.cursor))
        statement = (
            select(
                *(slice_.c.id, slice_.c.kind, slice_.c.threshold, slice_.c.nodes),
                *(slice_.c.updated_at, trial),
            )
            .where(slice_.c.solve_id == solve_id, slice_.c.state == SliceState.LEASED)
            .order_by(slice_.c.updated_at, slice_.c.id)
        )
        return list(readable(_read_running, self._connection.execute(statement)))

    def drop_all(self, solve_id: str) -> None:
        """Delete every unfinished slice of a solve."""
        self._connection.execute(_DROP_UNFINISHED, {"of_solve": solve_id})

    def delete_from(self, solve_id: str, threshold: int = 0) -> None:
        """Delete the slices of a solve, by default all, starting with a threshold."""
        self._connection.execute(_DELETE_FROM, {"of_solve": solve_id, "lowest": threshold})

    def withdraw(self, solve_id: str, configs: Iterable[SearchConfig]) -> None:
        """Delete the waiting initial searches of these configs."""
        for config in sorted(configs):
            self._drop_waiting(solve_id, *_has_config(config))

    def drop_trials(self, solve_id: str) -> None:
        """Delete the waiting trials."""
        self._drop_waiting(solve_id, slice_.c.kind == SliceKind.IMPROVE)

    def _drop_waiting(self, solve_id: str, *conditions: ColumnElement[bool]) -> None:
        waits = slice_.c.state.in_((SliceState.READY, SliceState.PARKED))
        self._connection.execute(
            delete(slice_).where(slice_.c.solve_id == solve_id, waits, *conditions)
        )

    def park(self, solve_id: str, now: float) -> None:
        """Park the waiting slices of a solve's search."""
        self._connection.execute(
            update(slice_)
            .where(
                slice_.c.solve_id == solve_id,
                slice_.c.state == SliceState.READY,
                slice_.c.kind.in_([kind for kind in SliceKind if kind.proves]),
            )
            .values(state=SliceState.PARKED, expiries=0, attempts=0, updated_at=now)
        )

    def revive(self, solve_id: str, revival: Revival, now: float) -> int:
        """Requeue parked slices, and some quarantined ones; return how many."""
        is_search = (slice_.c.kind != SliceKind.INITIAL,)
        statement = (
            update(slice_)
            .where(
                slice_.c.solve_id == solve_id,
                slice_.c.state.in_((SliceState.PARKED, SliceState.QUARANTINED)),
                (slice_.c.state == SliceState.PARKED)
                | (slice_.c.updated_at <= revival.quarantined_before),
                *(is_search if revival.config is None else _has_config(revival.config)),
            )
            .values(
                state=SliceState.READY,
                expiries=0,
                attempts=0,
                priority=revival.priority,
                updated_at=now,
            )
        )
        return self._connection.execute(statement).rowcount

    def expedite(self, solve_id: str, config: SearchConfig, priority: float, now: float) -> int:
        """Move the initial search of a config that waits in a batch; return how many moved."""
        statement = (
            update(slice_)
            .where(
                slice_.c.solve_id == solve_id,
                slice_.c.state == SliceState.READY,
                slice_.c.queue == Queue.BATCH,
                *_has_config(config),
            )
            .values(queue=Queue.INTERACTIVE, priority=priority, updated_at=now)
        )
        return self._connection.execute(statement).rowcount

    def expired(self, now: float) -> list[Slice]:
        """Return slices whose lease has expired, at most 100."""
        statement = select(*_COLUMNS).where(
            slice_.c.state == SliceState.LEASED, slice_.c.lease_until < now
        )
        rows = self._connection.execute(statement.limit(MAX_EXPIRED))
        return [_read(row) for row in rows]

    def groups(self, solve_id: str, excluding: str | None = None) -> list[WorkGroup]:
        """Count a solve's unfinished slices by group, without the slice `excluding`."""
        values = {"of_solve": solve_id, "excluding": excluding or ""}
        rows = self._connection.execute(_GROUPS, values)
        groups: list[WorkGroup] = []
        try:
            for kind, state, algorithm, heuristic, count, message, oldest in rows:
                if state == SliceState.QUARANTINED and message is None:
                    raise DamagedSolveError(solve_id)
                config = SearchConfig(algorithm, heuristic)
                groups.append(
                    WorkGroup(SliceKind(kind), SliceState(state), config, count, message, oldest)
                )
        except ValueError:
            raise DamagedSolveError(solve_id) from None
        return groups

    def first_priority(self, excluding_solve: str | None) -> float | None:
        """Return the first priority in the queue of long searches, without one solve's slices."""
        values = {"excluding_solve": excluding_solve or ""}
        return self._connection.execute(_FIRST_PRIORITY, values).scalar()

    def has_ready(self, queue: Queue, max_cells: int | None = None) -> bool:
        """Whether a slice of a board of at most ``max_cells`` cells waits in an open queue."""
        values = {"queue": queue, "max_cells": max_cells}
        statement = _SOME if max_cells is None else _SOME_SMALL
        return self._connection.execute(statement, values).first() is not None

    def is_open(self, queue: Queue) -> bool:
        """Whether no operator has suspended a queue."""
        return self._connection.execute(_IS_OPEN, {"queue": queue}).first() is not None

    def count_ready(self, queue: Queue) -> int:
        """Count the waiting slices of a queue, 0 if it is suspended."""
        return self._connection.execute(_COUNT_READY, {"queue": queue}).scalar_one()

    def proven_bound(self, solve_id: str) -> ProvenBound:
        """Return the lower bound of a solve, and what proves it."""
        statement = select(*SOLVE_COLUMNS).where(solve.c.id == solve_id)
        row = self._connection.execute(statement).one()
        check_solve(row)
        # Settling starts a new epoch. Slices of older epochs were discarded.
        epoch = row.epoch - (row.state == SolveState.SETTLED)
        return ProvenBound(epoch, row.lower_bound, parse_iterations(row.iterations))

    def last_threshold(self, solve_id: str, epoch: int, below: int) -> int | None:
        """Return the last threshold below a bound that has finished slices."""
        statement = (
            select(slice_.c.threshold)
            .where(
                slice_.c.solve_id == solve_id,
                slice_.c.state == SliceState.DONE,
                slice_.c.kind == SliceKind.SEARCH,
                slice_.c.epoch == epoch,
                slice_.c.threshold < below,
            )
            .order_by(slice_.c.threshold.desc())
            .limit(1)
        )
        return self._connection.execute(statement).scalar()

    def proof(
        self, solve_id: str, epoch: int, threshold: int, after: str, limit: int
    ) -> list[ProofSlice]:
        """Return finished slices of a threshold in the order of their ids, after an id.

        Raises DamagedSolveError if one is damaged.
        """
        values = {"of_solve": solve_id, "current": epoch, "at": threshold}
        rows = self._connection.execute(_PROOF, values | {"after": after, "limit": limit})
        return [_read_proof(solve_id, row) for row in rows]


def _has_config(config: SearchConfig) -> tuple[ColumnElement[bool], ...]:
    return (
        slice_.c.kind == SliceKind.INITIAL,
        slice_.c.algorithm == config.algorithm,
        slice_.c.heuristic == config.heuristic,
    )


def _read(row: Row[*tuple[Any, ...]]) -> Slice:
    """Read a row that begins with `_COLUMNS`; raise DamagedSolveError if it is damaged."""
    (
        id_, solve_id, epoch, kind, threshold, algorithm, heuristic, target, gap, share, parent_id,
        cursor, checksum, queue, state, priority, attempts, expiries, owner,
    ) = row[:_WIDTH]  # fmt: skip
    if not SLICE.matches(row[:_CHECKED], checksum) or queue not in QUEUES:
        raise DamagedSolveError(solve_id)
    return Slice(
        id=id_,
        solve_id=solve_id,
        epoch=epoch,
        kind=SliceKind(kind),
        queue=Queue(queue),
        state=SliceState(state),
        threshold=threshold,
        cursor=cursor,
        config=SearchConfig(algorithm, heuristic),
        target=Target(TargetKind(target), gap),
        share=share,
        priority=priority,
        attempts=attempts,
        expiries=expiries,
        parent_id=parent_id,
        owner=owner,
    )


_SAME = (
    *("id", "solve_id", "epoch", "kind", "queue", "state", "priority", "threshold", "share"),
    *("attempts", "expiries", "parent_id", "cursor"),
)


def _serialize(new: Slice, now: float, holder: Holder | None = None) -> dict[str, object]:
    is_leased = holder is not None and new.state is SliceState.LEASED
    values = {name: getattr(new, name) for name in _SAME} | {
        "algorithm": new.config.algorithm,
        "heuristic": new.config.heuristic,
        "target": new.target.kind,
        "gap": new.target.gap,
        "owner": holder.owner if holder and is_leased else None,
        "lease_until": holder.until if holder and is_leased else None,
        "nodes": 0,
        "seconds": 0.0,
        "created_at": now,
        "updated_at": now,
    }
    is_done = new.state is SliceState.DONE
    return values | {
        "checksum": SLICE.compute(values),
        "end_checksum": SLICE_END.compute(values) if is_done else None,
    }


@reads
def _read_running(values: Sequence[Any]) -> RunningSlice:
    slice_id, kind, threshold, nodes, since, cursor = values
    trial = None if cursor is None else Trial.from_bytes(cursor)
    return RunningSlice(slice_id, SliceKind(kind), threshold, nodes, since, trial)


def _read_proof(solve_id: str, row: Row[*tuple[Any, ...]]) -> ProofSlice:
    end = (row.id, *row[_CHECKED + 1 : -1])
    intact = SLICE.matches(row[:_CHECKED], row.checksum)
    if not (intact and SLICE_END.matches(end, row.end_checksum)):
        raise DamagedSolveError(solve_id)
    return ProofSlice(
        *(row.id, row.parent_id, row.threshold, row.cursor),
        *(row.nodes, row.next_threshold, row.engine, row.seconds),
    )
