"""The ``comparison`` and ``comparison_run`` tables: comparisons and their runs, which are tasks."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, cast

from sqlalchemy import bindparam, exists, func, literal, select, update

from tilework.core.lab.methods import Method
from tilework.core.lab.result import TraceWindow
from tilework.core.model.comparisons import (
    Comparison,
    PlacedRun,
    Run,
    RunLimits,
    RunPosition,
    Sweep,
    version_text,
)
from tilework.core.model.tasks import RunSpec, Spec, TaskKind, parse_spec
from tilework.core.puzzle.packing import pack_board, unpack_board
from tilework.core.storage.models import comparison, comparison_run, task
from tilework.core.storage.repository import Repository, insert_if_absent, readable, reads
from tilework.core.storage.tasks import (
    RUN,
    TaskRepository,
    read_run,
    unfinished_task,
)

COMPARISON = (
    comparison.c.id,
    comparison.c.client_id,
    comparison.c.key,
    comparison.c.board,
    comparison.c.goal,
    comparison.c.methods,
    comparison.c.time_limit_s,
    comparison.c.node_limit,
    comparison.c.memory_limit,
    comparison.c.window,
    comparison.c.sweep,
    comparison.c.total,
    comparison.c.created_at,
    comparison.c.cancelled_at,
)
_FIND = select(*COMPARISON).where(comparison.c.id == bindparam("comparison_id"))
_FIND_BY_KEY = select(*COMPARISON).where(
    comparison.c.client_id == bindparam("client_id"), comparison.c.key == bindparam("key")
)
# The key stays unlocked, so that rows that refer to this one can be inserted.
_LOCK = _FIND.with_for_update(key_share=True)
_LOCK_BY_KEY = _FIND_BY_KEY.with_for_update(key_share=True)
_BY_CLIENT = (
    select(*COMPARISON)
    .where(comparison.c.client_id == bindparam("client_id"))
    .order_by(comparison.c.id.desc())
    .limit(bindparam("limit"))
)
_AMONG = select(*COMPARISON).where(comparison.c.id.in_(bindparam("ids", expanding=True)))
_SET_CANCELLED = (
    update(comparison)
    .where(comparison.c.id == bindparam("comparison_id"))
    .values(cancelled_at=bindparam("at"))
)
_RUNS = (
    select(
        comparison_run.c.comparison_id,
        comparison_run.c.board_index,
        comparison_run.c.shared,
        *RUN,
    )
    .join_from(comparison_run, task, comparison_run.c.run_id == task.c.id)
    .where(comparison_run.c.comparison_id.in_(bindparam("ids", expanding=True)))
    .order_by(comparison_run.c.comparison_id, comparison_run.c.place)
)
_versions = (
    select(func.sum(task.c.version))
    .join_from(comparison_run, task, comparison_run.c.run_id == task.c.id)
    .where(comparison_run.c.comparison_id == comparison.c.id)
    .scalar_subquery()
)
_VERSION = select(_versions, comparison.c.cancelled_at.is_not(None)).where(
    comparison.c.id == bindparam("comparison_id")
)
_of_comparisons = (
    select(literal(1))
    .join_from(comparison_run, comparison, comparison_run.c.comparison_id == comparison.c.id)
    .where(comparison_run.c.run_id == task.c.id, comparison.c.cancelled_at.is_(None))
)
_RUN = select(*RUN).where(task.c.id == bindparam("run_id"), task.c.kind == TaskKind.RUN)
_SPEC = select(task.c.kind, task.c.spec).where(task.c.id == bindparam("run_id"))
_LOCK_UNFINISHED = (
    select(task.c.id)
    .where(
        task.c.id.in_(
            select(comparison_run.c.run_id).where(
                comparison_run.c.comparison_id == bindparam("comparison_id")
            )
        ),
        unfinished_task(),
    )
    .order_by(task.c.key)
    .with_for_update(key_share=True)
)
_UNWANTED = select(task.c.id).where(
    task.c.id.in_(bindparam("ids", expanding=True)), ~exists(_of_comparisons)
)
_UNFINISHED_RUNS = (
    select(func.count())
    .select_from(task)
    .where(
        unfinished_task(),
        task.c.kind == TaskKind.RUN,
        exists(_of_comparisons.where(comparison.c.client_id == bindparam("client_id"))),
    )
)


class ComparisonRepository(Repository):
    """Reads and writes comparisons over one connection."""

    def get_or_create(self, new: Comparison) -> Comparison:
        """Return a client's comparison by its key, locked; insert it if it is new."""
        insert_if_absent(self._connection, comparison, serialize_comparison(new))
        values = {"client_id": new.client_id, "key": new.key}
        row = self._connection.execute(_LOCK_BY_KEY, values).first()
        if row is None:
            # It was purged in between; the new row is locked and cannot be.
            insert_if_absent(self._connection, comparison, serialize_comparison(new))
            row = self._connection.execute(_LOCK_BY_KEY, values).one()
        return read_comparison(row)

    def add_runs(self, comparison_id: str, positions: Sequence[RunPosition]) -> None:
        """Add runs to a comparison."""
        rows = [
            {
                "comparison_id": comparison_id,
                "place": position.position,
                "run_id": position.run_id,
                "board_index": position.board_index,
                "shared": position.shared,
            }
            for position in positions
        ]
        self._connection.execute(comparison_run.insert(), rows)

    def set_cancelled(self, comparison_id: str, at: float | None) -> None:
        """Record that a comparison is cancelled, or active again."""
        self._connection.execute(_SET_CANCELLED, {"comparison_id": comparison_id, "at": at})

    def lock(self, comparison_id: str) -> Comparison | None:
        """Return a comparison, locked until the transaction ends."""
        row = self._connection.execute(_LOCK, {"comparison_id": comparison_id}).first()
        return None if row is None else read_comparison(row)

    def find_by_key(self, client_id: str, key: str) -> Comparison | None:
        row = self._connection.execute(_FIND_BY_KEY, {"client_id": client_id, "key": key}).first()
        return None if row is None else read_comparison(row)

    def list_by_ids(self, ids: Collection[str]) -> list[Comparison]:
        rows = self._connection.execute(_AMONG, {"ids": list(ids)}) if ids else ()
        return list(readable(read_comparison, rows))

    def list_by_client(self, client_id: str, limit: int) -> list[Comparison]:
        """Return a client's comparisons, newest first."""
        rows = self._connection.execute(_BY_CLIENT, {"client_id": client_id, "limit": limit})
        return list(readable(read_comparison, rows))

    def runs(self, comparison_ids: Collection[str]) -> Mapping[str, list[PlacedRun]]:
        runs: dict[str, list[PlacedRun]] = {id_: [] for id_ in comparison_ids}
        rows = self._connection.execute(_RUNS, {"ids": list(comparison_ids)})
        for comparison_id, placed in readable(_read_placed, rows):
            runs[comparison_id].append(placed)
        return runs

    def version(self, comparison_id: str) -> str | None:
        """Return a string that changes with every change to a comparison; None if there is none."""
        row = self._connection.execute(_VERSION, {"comparison_id": comparison_id}).first()
        return None if row is None else version_text(row[0] or 0, row[1])

    def lock_unfinished(self, comparison_id: str) -> list[str]:
        """Return the unfinished runs of a comparison, locked, so that none of them can end."""
        values = {"comparison_id": comparison_id}
        return list(self._connection.execute(_LOCK_UNFINISHED, values).scalars())

    def cancel_unwanted(self, run_ids: Sequence[str], now: float) -> None:
        """Cancel those of some locked, unfinished runs that nothing needs any more."""
        # An earlier statement locked them, so this one sees every comparison that needs them.
        unwanted = self._connection.execute(_UNWANTED, {"ids": list(run_ids)}).scalars()
        TaskRepository(self._connection).cancel(list(unwanted), now)

    def run(self, run_id: str) -> Run | None:
        row = self._connection.execute(_RUN, {"run_id": run_id}).first()
        return None if row is None else read_run(row)

    def spec(self, run_id: str) -> RunSpec:
        row = self._connection.execute(_SPEC, {"run_id": run_id}).one()
        return cast(RunSpec, _read_spec(row))

    def count_unfinished_runs(self, client_id: str) -> int:
        return self._connection.execute(_UNFINISHED_RUNS, {"client_id": client_id}).scalar_one()


@reads
def _read_spec(row: Sequence[Any]) -> Spec:
    kind, spec = row
    return parse_spec(TaskKind(kind), spec)


def _read_placed(row: Sequence[Any]) -> tuple[str, PlacedRun]:
    comparison_id, board_index, shared, *values = row
    return comparison_id, PlacedRun(board_index, shared, read_run(values))


@reads
def read_comparison(row: Sequence[Any]) -> Comparison:
    (
        id_, client_id, key, board, goal, methods, seconds, nodes, memory, window, sweep,
        total, created_at, cancelled_at,
    ) = row  # fmt: skip
    return Comparison(
        id=id_,
        client_id=client_id,
        key=key,
        start=None if board is None else unpack_board(board),
        goal=unpack_board(goal),
        methods=tuple(Method.from_text(text) for text in methods.split()),
        limits=RunLimits(seconds, nodes, memory),
        window=None if window is None else TraceWindow.from_text(window),
        sweep=None if sweep is None else Sweep.from_text(sweep),
        total=total,
        created_at=created_at,
        cancelled_at=cancelled_at,
    )


def serialize_comparison(new: Comparison) -> dict[str, object]:
    """Return the values of a new row."""
    return {
        "id": new.id,
        "client_id": new.client_id,
        "key": new.key,
        "time_limit_s": new.limits.seconds,
        "node_limit": new.limits.nodes,
        "memory_limit": new.limits.memory_bytes,
        "window": None if new.window is None else new.window.text,
        "sweep": None if new.sweep is None else new.sweep.text,
        "total": new.total,
        "created_at": new.created_at,
        "methods": " ".join(method.text for method in new.methods),
        "goal": pack_board(new.goal),
        "board": None if new.start is None else pack_board(new.start),
    }
