"""The ``comparison`` and ``comparison_run`` tables: comparisons and their runs, which are tasks."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, cast

from sqlalchemy import bindparam, exists, func, literal, select, update

from tilework.core.lab.methods import Method
from tilework.core.lab.result import TraceWindow
from tilework.core.model.comparisons import (
    ComparedRun,
    Comparison,
    Run,
    Sweep,
    version_text,
)
from tilework.core.model.states import RunState
from tilework.core.model.tasks import RunSpec, TaskKind, parse_spec
from tilework.core.puzzle.packing import pack_board, unpack_board
from tilework.core.search.limits import Limits
from tilework.core.storage.models import comparison, comparison_run, task
from tilework.core.storage.repository import Repository, insert_if_absent, readable, reads
from tilework.core.storage.tasks import TaskRepository, read_document, unfinished_task

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
_RUN_COLUMNS = (
    task.c.id,
    task.c.version,
    task.c.state,
    task.c.message,
    task.c.spec,
    task.c.result,
    task.c.solutions.is_not(None),
    task.c.detail.is_not(None),
)
_FIND = select(*COMPARISON).where(comparison.c.id == bindparam("comparison_id"))
_FIND_BY_KEY = select(*COMPARISON).where(
    comparison.c.client_id == bindparam("client_id"), comparison.c.key == bindparam("key")
)
# The key stays unlocked, so that rows that refer to this one can be inserted.
_LOCK = _FIND.with_for_update(key_share=True)
_LOCK_BY_KEY = _FIND_BY_KEY.with_for_update(key_share=True)
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
        *_RUN_COLUMNS,
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
_RUN = select(*_RUN_COLUMNS).where(task.c.id == bindparam("run_id"), task.c.kind == TaskKind.RUN)
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

    def add_runs(self, comparison_id: str, runs: Iterable[tuple[str, int, bool]]) -> None:
        """Add runs in order: their ids, the indexes of their boards, and whether they existed."""
        rows = [
            {
                "comparison_id": comparison_id,
                "place": place,
                "run_id": run_id,
                "board_index": board_index,
                "shared": shared,
            }
            for place, (run_id, board_index, shared) in enumerate(runs)
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

    def runs(self, comparison_ids: Collection[str]) -> Mapping[str, list[ComparedRun]]:
        runs: dict[str, list[ComparedRun]] = {id_: [] for id_ in comparison_ids}
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

    def run(self, run_id: str) -> tuple[Run, RunSpec] | None:
        row = self._connection.execute(_RUN, {"run_id": run_id}).first()
        if row is None:
            return None
        return _read_run(row, board_index=0, shared=False), _read_spec(row.spec)

    def count_unfinished_runs(self, client_id: str) -> int:
        return self._connection.execute(_UNFINISHED_RUNS, {"client_id": client_id}).scalar_one()


@reads
def _read_spec(text: str) -> RunSpec:
    return cast(RunSpec, parse_spec(TaskKind.RUN, text))


@reads
def _read_run(row: Sequence[Any], **placement: Any) -> ComparedRun:
    """Read values of `_RUN_COLUMNS`, with the board's index and whether the run is shared."""
    id_, version, state, message, spec, result, has_moves, has_trace = row
    outcome = read_document(result) or {}
    if has_moves != (outcome.get("length") is not None):
        raise ValueError("a length without moves, or moves without a length")
    return ComparedRun(
        id=id_,
        version=version,
        method=Method.from_text(json.loads(spec)["method"]),
        state=RunState(state),
        message=message,
        has_trace=has_trace,
        **outcome,
        **placement,
    )


def _read_placed(row: Sequence[Any]) -> tuple[str, ComparedRun]:
    comparison_id, board_index, shared, *values = row
    return comparison_id, _read_run(values, board_index=board_index, shared=shared)


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
        limits=Limits(seconds, nodes, memory),
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
