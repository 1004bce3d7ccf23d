"""The ``slice`` table: units of work, from their creation and claims to their end."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import asdict
from typing import Any

from sqlalchemy import Row

from tilework.core.errors import DamagedSolveError
from tilework.core.messages import Message
from tilework.core.model.farm.activity import RunningSlice
from tilework.core.model.farm.changes import Revival, WorkGroup
from tilework.core.model.farm.solves import Claim, Puzzle, SearchConfig, Slice, SliceResult
from tilework.core.model.leases import Holder, Lease
from tilework.core.model.states import Queue, SliceKind, SliceState
from tilework.core.solver.target import Target, TargetKind
from tilework.core.solver.trial import Trial
from tilework.core.storage.checksums import SLICE, SLICE_END
from tilework.core.storage.farm import slice_statements as statements
from tilework.core.storage.farm.slice_statements import COLUMNS
from tilework.core.storage.leases import LeasedRepository, lease_values
from tilework.core.storage.repository import readable, reads

_QUEUES = frozenset(map(str, Queue))
_CHECKED = slice(len(COLUMNS) - len(SLICE.columns) - 1, len(COLUMNS) - 1)


class SliceRepository(LeasedRepository):
    """Reads and writes slices over one connection."""

    leases = statements.LEASES

    def add(self, slices: Sequence[Slice], now: float, holder: Holder | None = None) -> None:
        """Insert slices; leased ones belong to this holder."""
        if slices:
            rows = [serialize_slice(new, now, holder) for new in slices]
            self._connection.execute(statements.ADD, rows)

    def next(self, queue: Queue, limit: int, max_cells: int | None = None) -> list[Claim]:
        """Return and lock the next slices of a queue, skipping locked ones."""
        values = {"queue": queue, "limit": limit}
        if max_cells is None:
            rows = self._connection.execute(statements.NEXT, values)
        else:
            rows = self._connection.execute(
                statements.NEXT_SMALL, values | {"max_cells": max_cells}
            )
        start = len(COLUMNS)
        return [Claim(read_slice(row), Puzzle(*row[start:-1]), row[-1]) for row in rows]

    def needed(self, ids: Collection[str], owner: str) -> set[str]:
        """Return which of these slices are still held, and serve an unfinished job."""
        values = {"ids": list(ids), "holder": owner}
        return set(self._connection.execute(statements.NEEDED, values).scalars())

    def finish(self, lease: Lease, result: SliceResult, now: float) -> bool:
        """Mark a slice done; return False if the lease is lost."""
        values = lease_values(lease) | {
            "result_nodes": result.nodes,
            "result_threshold": result.next_threshold,
            "result_engine": result.engine,
            "result_seconds": result.seconds,
            "now": now,
            "end_checksum": SLICE_END.compute({"id": lease.id, **asdict(result)}),
        }
        return self._connection.execute(statements.FINISH, values).rowcount == 1

    def add_nodes(self, lease: Lease, nodes: int) -> bool:
        """Add nodes to those of a running slice; return False if the lease is lost."""
        values = lease_values(lease) | {"generated": nodes}
        return self._connection.execute(statements.ADD_NODES, values).rowcount == 1

    def running(self, solve_id: str) -> list[RunningSlice]:
        """Return the slices of a solve that workers hold, oldest claim first."""
        rows = self._connection.execute(statements.RUNNING, {"of_solve": solve_id})
        return list(readable(read_running, rows))

    def drop(self, lease: Lease) -> bool:
        """Delete a slice; return False if the lease is lost."""
        return self._connection.execute(statements.DROP, lease_values(lease)).rowcount == 1

    def requeue(
        self,
        lease: Lease,
        state: SliceState,
        expiries: int,
        now: float,
        message: Message | None = None,
    ) -> bool:
        """Requeue or quarantine a slice; return False if the lease is lost."""
        values = lease_values(lease) | {
            "new_state": state,
            "new_expiries": expiries,
            "reason": message,
            "now": now,
        }
        return self._connection.execute(statements.REQUEUE, values).rowcount == 1

    def drop_all(self, solve_id: str) -> None:
        """Delete every unfinished slice of a solve."""
        self._connection.execute(statements.DROP_ALL, {"of_solve": solve_id})

    def delete_from(self, solve_id: str, threshold: int = 0) -> None:
        """Delete the slices of a solve, by default all, starting with a threshold."""
        self._connection.execute(statements.FORGET, {"of_solve": solve_id, "lowest": threshold})

    def withdraw(self, solve_id: str, configs: Iterable[SearchConfig]) -> None:
        """Delete the waiting initial searches of these configs."""
        for config in sorted(configs):
            self._connection.execute(
                statements.WITHDRAW, _config_values(config) | {"of_solve": solve_id}
            )

    def drop_trials(self, solve_id: str) -> None:
        """Delete the waiting trials."""
        self._connection.execute(statements.DROP_TRIALS, {"of_solve": solve_id})

    def park(self, solve_id: str, now: float) -> None:
        """Park the waiting slices of a solve's search."""
        self._connection.execute(statements.PARK, {"of_solve": solve_id, "now": now})

    def revive(self, solve_id: str, revival: Revival, now: float) -> int:
        """Requeue parked slices, and some quarantined ones; return how many."""
        values: dict[str, object] = {
            "of_solve": solve_id,
            "priority": revival.priority,
            "quarantined_before": revival.quarantined_before,
            "now": now,
        }
        if revival.config is None:
            return self._connection.execute(statements.REVIVE_SEARCH, values).rowcount
        values |= _config_values(revival.config)
        return self._connection.execute(statements.REVIVE_CONFIG, values).rowcount

    def expedite(self, solve_id: str, config: SearchConfig, priority: float, now: float) -> int:
        """Move the initial search of a config that waits in a batch; return how many moved."""
        values = {"of_solve": solve_id, "priority": priority, "now": now} | _config_values(config)
        return self._connection.execute(statements.EXPEDITE, values).rowcount

    def expired(self, now: float) -> list[Slice]:
        """Return slices whose lease has expired, at most 100."""
        expired = self._connection.execute(self.leases.expired, {"now": now})
        leases = {row[0]: Lease(*row) for row in expired}
        if not leases:
            return []
        rows = self._connection.execute(statements.BY_IDS, {"ids": list(leases)})
        # A slice that was claimed again between the two reads has another lease.
        return [slice_ for slice_ in map(read_slice, rows) if slice_.lease == leases[slice_.id]]

    def groups(self, solve_id: str, excluding: str | None = None) -> list[WorkGroup]:
        """Count a solve's unfinished slices by group, without the slice `excluding`."""
        values = {"of_solve": solve_id, "excluding": excluding or ""}
        rows = self._connection.execute(statements.GROUPS, values)
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
        return self._connection.execute(
            statements.FIRST_PRIORITY, {"excluding_solve": excluding_solve or ""}
        ).scalar()

    def has_ready(self, queue: Queue, max_cells: int | None = None) -> bool:
        """Whether a slice of a board of at most ``max_cells`` cells waits in an open queue."""
        if max_cells is None:
            rows = self._connection.execute(statements.SOME, {"queue": queue})
        else:
            values = {"queue": queue, "max_cells": max_cells}
            rows = self._connection.execute(statements.SOME_SMALL, values)
        return rows.first() is not None

    def is_open(self, queue: Queue) -> bool:
        """Whether no operator has suspended a queue."""
        return self._connection.execute(statements.IS_OPEN, {"queue": queue}).first() is not None

    def count_ready(self, queue: Queue) -> int:
        """Count the waiting slices of a queue, 0 if it is suspended."""
        return self._connection.execute(statements.READY, {"queue": queue}).scalar_one()


def _config_values(config: SearchConfig) -> dict[str, object]:
    return {"of_algorithm": config.algorithm, "of_heuristic": config.heuristic}


def read_slice(row: Row[*tuple[Any, ...]]) -> Slice:
    """Read a row that begins with `COLUMNS`.

    Raises DamagedSolveError if it is damaged.
    """
    (
        id_, solve_id, epoch, kind, queue, state, threshold, cursor, algorithm, heuristic,
        target, gap, share, priority, attempts, expiries, parent_id, owner, *_,
    ) = row  # fmt: skip
    if not SLICE.matches(row[_CHECKED], row[_CHECKED.stop]) or queue not in _QUEUES:
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


def serialize_slice(new: Slice, now: float, holder: Holder | None = None) -> dict[str, object]:
    lease_holder = holder if new.state is SliceState.LEASED else None
    values = {
        "id": new.id,
        "solve_id": new.solve_id,
        "epoch": new.epoch,
        "kind": new.kind,
        "queue": new.queue,
        "state": new.state,
        "priority": new.priority,
        "threshold": new.threshold,
        "algorithm": new.config.algorithm,
        "heuristic": new.config.heuristic,
        "target": new.target.kind,
        "gap": new.target.gap,
        "share": new.share,
        "owner": None if lease_holder is None else lease_holder.owner,
        "lease_until": None if lease_holder is None else lease_holder.until,
        "attempts": new.attempts,
        "expiries": new.expiries,
        "nodes": 0,
        "next_threshold": None,
        "created_at": now,
        "updated_at": now,
        "parent_id": new.parent_id,
        "engine": None,
        "seconds": 0.0,
        "message": None,
        "cursor": new.cursor,
    }
    is_done = new.state is SliceState.DONE
    return values | {
        "checksum": SLICE.compute(values),
        "end_checksum": SLICE_END.compute(values) if is_done else None,
    }


@reads
def read_running(values: Sequence[Any]) -> RunningSlice:
    """Read values of `RUNNING_COLUMNS`."""
    slice_id, kind, threshold, nodes, since, cursor = values
    trial = None if cursor is None else Trial.from_bytes(cursor)
    return RunningSlice(slice_id, SliceKind(kind), threshold, nodes, since, trial)
