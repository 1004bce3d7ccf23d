"""Copies damaged rows for the operator, and repairs or deletes them and what depends on them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping

from sqlalchemy import (
    BindParameter,
    Table,
    bindparam,
    delete,
    func,
    select,
    update,
)

from tilework.core.errors import InputError
from tilework.core.model.farm.solves import Puzzle
from tilework.core.model.operation import DamageView
from tilework.core.model.states import ACTIVE_JOB_STATES, SliceState
from tilework.core.puzzle.board import Board
from tilework.core.puzzle.canonical import canonical_key, canonicalize
from tilework.core.puzzle.metric import Metric
from tilework.core.puzzle.packing import pack_board, unpack_board
from tilework.core.storage.damage import abandoned_jobs, derived_rows
from tilework.core.storage.damage.checksums import JOB, JOB_BOARDS
from tilework.core.storage.damage.column_types import raw_row
from tilework.core.storage.damage.detection import TABLES, find_damage
from tilework.core.storage.models import (
    bound_event,
    damaged_row,
    job,
    slice_,
    solution_chunk,
    solve,
)
from tilework.core.storage.repository import Repository

MAX_KEPT = 1_000
"""Maximum number of copies; the oldest are deleted."""

# Bytes copied of each blob.
_MAX_BLOB = 1 << 16

# Jobs of a solve that are read to find its puzzle.
_MAX_WITNESSES = 20
_PAGE = 500

_TABLES: Mapping[str, Table] = {**TABLES, "work": solve}
_by_id: BindParameter[str] = bindparam("row_id")
_LOCK = select(solve.c.id).where(solve.c.id == _by_id).with_for_update()
_COUNT = select(func.coalesce(func.max(damaged_row.c.number), 0))
_PRUNE = delete(damaged_row).where(damaged_row.c.number <= bindparam("last"))
_NEWEST = (
    select(
        damaged_row.c.of_table, damaged_row.c.row_id, damaged_row.c.reason, damaged_row.c.found_at
    )
    .order_by(damaged_row.c.number.desc())
    .limit(bindparam("limit"))
)
_BOARDS = select(solve.c.canonical_key, solve.c.board, solve.c.goal).where(solve.c.id == _by_id)
_WITNESSES = (
    select(*JOB_BOARDS.columns, job.c.metric)
    .where(job.c.solve_id == _by_id)
    .order_by(job.c.id.desc())
    .limit(_MAX_WITNESSES)
)
_KEY_TAKEN = select(solve.c.id).where(
    solve.c.canonical_key == bindparam("key"), solve.c.id != _by_id
)
_ANY_UNFINISHED = (
    select(job.c.id).where(job.c.solve_id == _by_id, job.c.state.in_(ACTIVE_JOB_STATES)).limit(1)
)
_SOLVE_JOBS = (
    select(job.c.id, job.c.finished_at)
    .where(job.c.solve_id == _by_id)
    .order_by(job.c.id)
    .limit(_PAGE)
)
_EPOCH = select(func.coalesce(func.max(slice_.c.epoch), 0)).where(slice_.c.solve_id == _by_id)
_SLICES = (
    select(slice_.c.id)
    .where(
        slice_.c.solve_id == _by_id,
        slice_.c.state != SliceState.DONE,
        slice_.c.id > bindparam("after"),
    )
    .order_by(slice_.c.id)
    .limit(_PAGE)
)
_SLICE = select(slice_.c.solve_id, slice_.c.state, slice_.c.threshold).where(slice_.c.id == _by_id)
_DROP_SLICE = delete(slice_).where(slice_.c.id == _by_id)
_SOLVE_IDS = {
    table.name: select(table.c.solve_id).where(table.c.id == _by_id) for table in (job, slice_)
}
_TOTALS = {
    name: select(func.count()).select_from(table).where(*derived_rows.PARTS.get(name, ()))
    for name, table in TABLES.items()
}
_IDS = {
    name: select(table.c.id)
    .where(table.c.id > bindparam("after"), *derived_rows.PARTS.get(name, ()))
    .order_by(table.c.id)
    .limit(bindparam("limit"))
    for name, table in TABLES.items()
}
_DETACH = update(job).where(job.c.id == _by_id).values(solve_id=None, seal=bindparam("checksum"))
_JOB_COLUMNS = select(*JOB.columns).where(job.c.id == _by_id)


class DamageRepository(Repository):
    """Finds and replaces damaged rows over one connection."""

    def lock(self, solve_id: str) -> bool:
        """Lock a solve, even if its row is damaged; return False if it does not exist."""
        return self._connection.execute(_LOCK, {"row_id": solve_id}).first() is not None

    def find_damage(self, table: str, row_id: str) -> str | None:
        """Return why a row is damaged; None if it is sound or missing."""
        return find_damage(self._connection, table, row_id)

    def set_aside(self, table: str, row_id: str, reason: str, now: float) -> None:
        """Copy a row unchanged for the operator."""
        source = _TABLES[table]
        row = raw_row(self._connection, source, row_id)
        if row is None:
            return
        content = {name: _readable(value) for name, value in row.items()}
        number = self._connection.execute(
            damaged_row.insert().returning(damaged_row.c.number),
            {
                "of_table": table,
                "row_id": row_id,
                "found_at": now,
                "reason": reason,
                "content": json.dumps(content, ensure_ascii=True),
            },
        ).scalar_one()
        self._connection.execute(_PRUNE, {"last": number - MAX_KEPT})

    def count(self) -> int:
        """Return how many rows were ever set aside."""
        return int(self._connection.execute(_COUNT).scalar_one())

    def list_newest(self, limit: int) -> list[DamageView]:
        """Return the rows that were set aside last, the newest first."""
        return [DamageView(*row) for row in self._connection.execute(_NEWEST, {"limit": limit})]

    def puzzle(self, solve_id: str) -> Puzzle | None:
        """Return the puzzle of a damaged solve; None if nothing identifies it any more.

        The boards of any intact job of the solve identify it; otherwise the solve's own key does.
        """
        values = {"row_id": solve_id}
        for job_id, *boards, metric in self._connection.execute(_WITNESSES, values).all():
            if self.find_damage("job", job_id) is None:
                form = canonicalize(*map(unpack_board, boards))
                key = Metric(metric).key(form.key)
                return _puzzle(key, form.board, form.goal)
        key, packed_board, packed_goal = self._connection.execute(_BOARDS, values).one()
        try:
            board, goal = unpack_board(packed_board), unpack_board(packed_goal)
        except (InputError, TypeError):
            return None
        canonical = canonical_key(board, goal)
        matches_key = canonical is not None and Metric.matches(key, canonical)
        return _puzzle(key, board, goal) if matches_key else None

    def is_key_taken(self, key: str, excluding: str) -> bool:
        """Whether a solve other than `excluding` has this key."""
        values = {"key": key, "row_id": excluding}
        return self._connection.execute(_KEY_TAKEN, values).first() is not None

    def has_unfinished_jobs(self, solve_id: str) -> bool:
        return self._connection.execute(_ANY_UNFINISHED, {"row_id": solve_id}).first() is not None

    def last_epoch(self, solve_id: str) -> int:
        """Return the last epoch of a solve's slices."""
        return int(self._connection.execute(_EPOCH, {"row_id": solve_id}).scalar_one())

    def read_slice(self, slice_id: str) -> tuple[str, str, int] | None:
        """Return a slice's solve, state and threshold, unchecked."""
        row = self._connection.execute(_SLICE, {"row_id": slice_id}).first()
        return None if row is None else (row[0], row[1], row[2])

    def unfinished_slices(self, solve_id: str) -> Iterator[str]:
        """Yield the ids of a solve's unfinished slices, in pages."""
        after = ""
        while True:
            values = {"row_id": solve_id, "after": after}
            page = list(self._connection.execute(_SLICES, values).scalars())
            yield from page
            if len(page) < _PAGE:
                return
            after = page[-1]

    def drop_slice(self, slice_id: str) -> None:
        self._connection.execute(_DROP_SLICE, {"row_id": slice_id})

    def find_solve_id(self, table: str, row_id: str) -> str | None:
        """Return the solve of a job or a slice, unchecked; None for other rows."""
        statement = _SOLVE_IDS.get(table)
        if statement is None:
            return None
        return self._connection.execute(statement, {"row_id": row_id}).scalar()

    def total(self, table: str) -> int:
        return self._connection.execute(_TOTALS[table]).scalar_one()

    def ids(self, table: str, after: str, limit: int) -> list[str]:
        values = {"after": after, "limit": limit}
        return list(self._connection.execute(_IDS[table], values).scalars())

    def abandon_job(self, job_id: str, now: float) -> None:
        """End a job as failed, even if its row is damaged, and detach it from its solve."""
        abandoned_jobs.abandon(self._connection, job_id, now)

    def repair(self, table: str, row_id: str, now: float) -> None:
        """Rebuild a row, or delete it if that is impossible."""
        derived_rows.repair(self._connection, table, row_id, now)

    def abandon_solve(self, solve_id: str, now: float) -> None:
        """Delete a locked solve whose puzzle is unknown; its jobs have no solve afterwards."""
        values = {"row_id": solve_id}
        while page := self._connection.execute(_SOLVE_JOBS, values).all():
            for job_id, finished_at in page:
                if finished_at is None or self.find_damage("job", job_id) is not None:
                    self.set_aside("job", job_id, "its solve could not be saved", now)
                    self.abandon_job(job_id, now)
                    continue
                columns = self._connection.execute(_JOB_COLUMNS, {"row_id": job_id}).one()
                checksum = JOB.compute(dict(columns._mapping) | {"solve_id": None})
                self._connection.execute(_DETACH, {"row_id": job_id, "checksum": checksum})
        for table in (slice_, solution_chunk, bound_event):
            self._connection.execute(delete(table).where(table.c.solve_id == solve_id))
        self._connection.execute(delete(solve).where(solve.c.id == solve_id))


def _puzzle(key: str, board: Board, goal: Board) -> Puzzle:
    packed = pack_board(board), pack_board(goal)
    return Puzzle(key, board.width, board.height, goal.blank, *packed)


def _readable(value: object) -> object:
    if isinstance(value, bytes | memoryview):
        return bytes(value[:_MAX_BLOB]).hex()
    return value if isinstance(value, int | float | bool | None) else str(value)
