"""Random damage to rows, like that of a failing disk, a bad restore or a wrong statement."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import LargeBinary, Table, select, type_coerce, update
from sqlalchemy.exc import DBAPIError
from sqlalchemy.types import NullType

from tilework.core.storage.models import job, slice_, solution_chunk, solve


def _split(text):
    return text.split()


# The columns to damage, by table; not ids, because a row with another id cannot
# be found, and not what identifies a puzzle, without which its jobs are lost.
TARGETS: dict[Table, Sequence[str]] = {
    solve: _split(
        "width height goal_blank lower_bound upper_bound state threshold"
        " next_threshold covered epoch pending"
        " nodes iterations tried improvement moves checksum"
    ),
    slice_: _split(
        "solve_id epoch kind queue state threshold algorithm target share nodes next_threshold"
        " message cursor checksum end_checksum"
    ),
    solution_chunk: ("number", "data"),
}
_SOLVE = {solve: "id", slice_: "solve_id", solution_chunk: "solve_id"}
STATES = ("", "idle", "active", "settled", "done")
SLICE_STATES = ("ready", "leased", "done", "parked", "quarantined", "initial", "search", "improve")


@dataclass(frozen=True)
class DamagedValue:
    """A change to a row."""

    table: str
    row_id: str
    column: str
    before: Any
    after: Any

    def __str__(self):
        return f"{self.table}.{self.column} of {self.row_id}: {self.before!r} → {self.after!r}"


def damage(database, rng, jobs):
    """Change one value that some jobs depend on; return None if the database rejects it."""
    table = rng.choice([solve, solve, solve, slice_, slice_, solution_chunk])
    column = table.c[rng.choice(TARGETS[table])]
    id_column = next(iter(table.primary_key.columns))
    raw = type_coerce(column, NullType())
    with database.engine(writes=False).connect() as connection:
        job_solves = select(job.c.solve_id).where(job.c.id.in_(jobs))
        is_related = table.c[_SOLVE[table]].in_(job_solves)
        rows = connection.execute(
            select(id_column, raw).where(is_related).order_by(id_column)
        ).all()
    if not rows:
        return None
    row_id, before = rng.choice(rows)
    other_values = [value for _, value in rows if value != before]
    after = _choose_value(column, before, other_values, rng)
    if after == before or (after is None and not column.nullable):
        return None
    change = (
        update(table).where(id_column == row_id).values({column: type_coerce(after, NullType())})
    )
    try:
        with database.engine(writes=True).begin() as connection:
            connection.execute(change)
    except DBAPIError:
        return None
    return DamagedValue(table.name, str(row_id), column.name, before, after)


def _choose_value(column, before, other_values, rng):
    if column.foreign_keys or (other_values and rng.random() < 0.2):
        return rng.choice(other_values) if other_values else before
    if column.nullable and rng.random() < 0.1:
        return None
    if isinstance(column.type, LargeBinary):
        return _change_bytes(bytes(before or b""), rng)
    if isinstance(before, str) or column.type.python_type is str:
        return _change_text(before or "", column, rng)
    value = before or 0
    return rng.choice([value - 2, value + 2, value + 1, 0, -1, value * 2, 10**6])


def _change_bytes(before, rng):
    if not before or rng.random() < 0.25:
        return rng.randbytes(rng.randrange(40))
    index = rng.randrange(len(before))
    if rng.random() < 0.3:
        return before[:index]
    return before[:index] + bytes([before[index] ^ (1 << rng.randrange(8))]) + before[index + 1 :]


def _change_text(before, column, rng):
    if rng.random() < 0.4 or not before:
        value = rng.choice(SLICE_STATES if column.table is slice_ else STATES)
    else:
        index = rng.randrange(len(before))
        value = before[:index] + rng.choice('0123456789abz{}["') + before[index + 1 :]
    return value[: getattr(column.type, "length", None)]
