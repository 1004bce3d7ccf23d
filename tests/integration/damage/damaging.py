"""Damaging rows at random, as a disk, a restore or a careless statement does."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Column, LargeBinary, Table, select, type_coerce, update
from sqlalchemy.exc import DBAPIError
from sqlalchemy.types import NullType

from tilework.core.storage.database import Database
from tilework.core.storage.models import job, slice_, solution_chunk, solve

# By table: what is damaged. Not ids: nobody finds a row without its own.
TARGETS: dict[Table, Sequence[str]] = {
    solve: (
        "key",
        "width",
        "height",
        "goal_blank",
        "lower_bound",
        "upper_bound",
        "state",
        "threshold",
        "next_threshold",
        "covered",
        "epoch",
        "pending",
        "nodes",
        "iterations",
        "tried",
        "improvement",
        "board",
        "goal",
        "moves",
        "seal",
    ),
    job: (
        "solve_id",
        "width",
        "height",
        "target",
        "gap",
        "algorithm",
        "queue",
        "state",
        "lower_bound",
        "upper_bound",
        "finished_at",
        "deadline",
        "message",
        "transform",
        "board",
        "goal",
        "seal",
        "end_seal",
    ),
    slice_: (
        "solve_id",
        "epoch",
        "kind",
        "queue",
        "state",
        "threshold",
        "algorithm",
        "target",
        "share",
        "nodes",
        "next_threshold",
        "message",
        "cursor",
        "seal",
        "end_seal",
    ),
    solution_chunk: ("number", "data", "seal"),
}
_SOLVE = {solve: "id", slice_: "solve_id", solution_chunk: "solve_id"}
WORDS = ("", "idle", "active", "settled", "queued", "running", "optimal", "bounded", "failed")
SLICE_WORDS = ("ready", "leased", "done", "parked", "quarantined", "open", "search", "improve")


@dataclass(frozen=True)
class Blow:
    """What was done to a row."""

    table: str
    row_id: str
    column: str
    before: Any
    after: Any

    def __str__(self) -> str:
        return f"{self.table}.{self.column} of {self.row_id}: {self.before!r} → {self.after!r}"


def damage(database: Database, dice: random.Random, jobs: Sequence[str]) -> Blow | None:
    """Change one value of one row that some jobs rest on; None where the database refuses."""
    table = dice.choice([solve, solve, solve, job, job, slice_, slice_, solution_chunk])
    column = table.c[dice.choice(TARGETS[table])]
    first = next(iter(table.primary_key.columns))
    raw = type_coerce(column, NullType())
    with database.engine(writes=False).connect() as connection:
        of_jobs = select(job.c.solve_id).where(job.c.id.in_(jobs))
        near = first.in_(jobs) if table is job else table.c[_SOLVE[table]].in_(of_jobs)
        rows = connection.execute(select(first, raw).where(near).order_by(first)).all()
    if not rows:
        return None
    row_id, before = dice.choice(rows)
    others = [value for _, value in rows if value != before]
    after = _other(column, before, others, dice)
    if after == before or (after is None and not column.nullable):
        return None
    changed = update(table).where(first == row_id).values({column: type_coerce(after, NullType())})
    try:
        with database.engine(writes=True).begin() as connection:
            connection.execute(changed)
    except DBAPIError:
        return None
    return Blow(table.name, str(row_id), column.name, before, after)


def _other(column: Column[Any], before: Any, others: Sequence[Any], dice: random.Random) -> Any:
    if column.foreign_keys:
        return dice.choice(others) if others else before
    if others and dice.random() < 0.2:
        return dice.choice(others)
    if column.nullable and dice.random() < 0.1:
        return None
    if isinstance(column.type, LargeBinary):
        return _bytes(bytes(before or b""), dice)
    if isinstance(before, str) or column.type.python_type is str:
        return _text(before or "", column, dice)
    return _number(before or 0, dice)


def _bytes(before: bytes, dice: random.Random) -> bytes:
    kind = dice.randrange(4)
    if kind == 0 or not before:
        return dice.randbytes(dice.randrange(40))
    if kind == 1:
        return before[: dice.randrange(len(before))]
    place = dice.randrange(len(before))
    return before[:place] + bytes([before[place] ^ (1 << dice.randrange(8))]) + before[place + 1 :]


def _text(before: str, column: Column[Any], dice: random.Random) -> str:
    words = SLICE_WORDS if column.table is slice_ else WORDS
    if dice.random() < 0.4 or not before:
        found = dice.choice(words)
    else:
        place = dice.randrange(len(before))
        found = before[:place] + dice.choice('0123456789abz{}["') + before[place + 1 :]
    most = getattr(column.type, "length", None)
    return found if most is None else found[:most]


def _number(before: float, dice: random.Random) -> float:
    return dice.choice([before - 2, before + 2, before + 1, 0, -1, before * 2, 10**6])
