"""Seals of rows, and a place for those that are found damaged.

Rows that are there are sealed as they stand: what was damaged before is not told by a seal, but by
the replay of its moves, and by `tilework audit`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None

PAGE = 500

# By table: the columns of its key, and by the name of a seal what it is made of and which rows
# have it.
SOLVE = (
    "id key width height lower_bound upper_bound state threshold next_threshold covered epoch "
    "nodes seconds client_id engine wall_s recent_nodes recent_s rate_at pending iterations tried "
    "improvement"
)
SLICE = "id solve_id epoch kind threshold algorithm heuristic target gap share parent_id cursor"
JOB = (
    "id client_id solve_id batch_id batch_index width height target gap algorithm heuristic "
    "time_limit_s deadline created_at transform"
)
SEALS: dict[str, tuple[str, dict[str, tuple[str, str | None]]]] = {
    "solve": ("id", {"seal": (SOLVE, None)}),
    "solution_chunk": ("solve_id number", {"seal": ("solve_id number data", None)}),
    "slice": (
        "id",
        {
            "seal": (SLICE, None),
            "end_seal": ("id nodes next_threshold engine seconds", "state = 'done'"),
        },
    ),
    "job": (
        "id",
        {
            "seal": (JOB, None),
            "boards_seal": ("id board goal", None),
            "end_seal": (
                "id state lower_bound upper_bound finished_at",
                "finished_at IS NOT NULL",
            ),
        },
    ),
}
# What the new columns stand after.
AFTER = {
    "solve": "improvement",
    "solution_chunk": "number",
    "slice": "message",
    "job": "callback_url",
}
PENDING = """
UPDATE solve SET pending = (
  SELECT count(*) FROM slice
  WHERE slice.solve_id = solve.id AND slice.kind = 'search'
    AND slice.state IN ('ready', 'leased', 'parked', 'quarantined')
) WHERE threshold IS NOT NULL AND state <> 'settled'
"""


def upgrade() -> None:
    op.create_table(
        "set_aside",
        sa.Column("number", sa.Integer(), autoincrement=True, nullable=False),
        sa.Column("of_table", sa.String(length=24), nullable=False),
        sa.Column("row_id", sa.String(length=36), nullable=False),
        sa.Column("found_at", sa.Double(), nullable=False),
        sa.Column("reason", sa.String(length=480), nullable=False),
        sa.Column("content", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("number", name=op.f("pk_set_aside")),
    )
    op.create_index(op.f("ix_set_aside_row_id"), "set_aside", ["row_id"])
    for table, (_, seals) in SEALS.items():
        columns = [sa.Column(name, sa.String(length=32), nullable=True) for name in seals]
        if table == "solve":
            columns.insert(
                0, sa.Column("pending", sa.Integer(), nullable=False, server_default="0")
            )
        add_before_blobs(table, columns, AFTER[table])
    op.execute(PENDING)
    for table, (keys, seals) in SEALS.items():
        for name, (columns, only) in seals.items():
            seal(table, keys.split(), name, columns.split(), only)


def downgrade() -> None:
    for table, (_, seals) in SEALS.items():
        for name in seals:
            op.drop_column(table, name)
    op.drop_index(op.f("ix_set_aside_row_id"), "set_aside")
    op.drop_table("set_aside")
    op.drop_column("solve", "pending")


def add_before_blobs(table: str, columns: list[sa.Column[Any]], after: str) -> None:
    """Add columns; on SQLite, where the order costs time, the table is copied for it."""
    if op.get_bind().dialect.name != "sqlite":
        for column in columns:
            op.add_column(table, column)
        return
    with op.batch_alter_table(table, recreate="always") as batch:
        for column in columns:
            batch.add_column(column, insert_after=after)
            after = column.name


def seal(table: str, keys: list[str], name: str, columns: list[str], only: str | None) -> None:
    """Seal the rows of a table, a page after the other."""
    connection = op.get_bind()
    rows = sa.table(table, *map(sa.column, {*keys, *columns, name}))
    place = sa.tuple_(*(rows.c[key] for key in keys))
    page = sa.select(*(rows.c[key] for key in keys), *(rows.c[one] for one in columns))
    page = page.order_by(*(rows.c[key] for key in keys)).limit(PAGE)
    if only is not None:
        page = page.where(sa.text(only))
    change = (
        sa.update(rows)
        .where(*(rows.c[key] == sa.bindparam(f"of_{key}") for key in keys))
        .values({name: sa.bindparam("sealed")})
    )
    after: Sequence[Any] | None = None
    while True:
        wanted = page if after is None else page.where(place > sa.tuple_(*map(sa.literal, after)))
        found = connection.execute(wanted).all()
        if not found:
            return
        values = [
            {f"of_{key}": row[index] for index, key in enumerate(keys)}
            | {"sealed": digest(row[len(keys) :])}
            for row in found
        ]
        connection.execute(change, values)
        after = found[-1][: len(keys)]


def digest(values: Sequence[Any]) -> str:
    """Return the digest of a row's values, in their order."""
    values = [bytes(value) if isinstance(value, memoryview) else value for value in values]
    blobs = [value for value in values if isinstance(value, bytes)]
    text = repr(tuple(len(one) if isinstance(one, bytes) else one for one in values))
    made = hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16)
    for blob in blobs:
        made.update(blob)
    return made.hexdigest()
