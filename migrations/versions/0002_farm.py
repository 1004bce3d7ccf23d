"""What a farm of workers needs: proof, rates, turns by client, and which workers there are."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

SOLVE_COLUMNS = (
    ("client_id", sa.String(length=36), None),
    ("engine", sa.String(length=60), None),
    ("wall_s", sa.Double(), "0"),
    ("recent_nodes", sa.Double(), "0"),
    ("recent_s", sa.Double(), "0"),
    ("rate_at", sa.Double(), None),
    ("iterations", sa.Text(), None),
)
SLICE_COLUMNS = (
    ("parent_id", sa.String(length=36), None),
    ("engine", sa.String(length=60), None),
    ("seconds", sa.Double(), "0"),
)


def upgrade() -> None:
    op.create_table(
        "worker",
        sa.Column("name", sa.String(length=200), nullable=False),
        sa.Column("seen_at", sa.Double(), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_worker")),
    )
    op.add_column("client", _column("turn", sa.Double(), "0"))
    _add_before_blobs("solve", SOLVE_COLUMNS, "updated_at")
    _add_before_blobs("slice", SLICE_COLUMNS, "updated_at")
    op.drop_index("ix_slice_solve", "slice")
    op.create_index("ix_slice_solve", "slice", ["solve_id", "state", "threshold"])
    # The wall time is not known of old solves; where one worker did the work it is this.
    op.execute("UPDATE solve SET wall_s = seconds")
    # Whose turn an unfinished search is.
    op.execute(
        "UPDATE solve SET client_id = (SELECT min(job.client_id) FROM job"
        " WHERE job.solve_id = solve.id AND job.state IN ('queued', 'running'))"
        " WHERE state = 'active'"
    )
    # There is a method now that may better these bounds: let the next request have it tried.
    op.execute("UPDATE solve SET state = 'idle' WHERE state = 'exhausted' AND width * height > 16")


def downgrade() -> None:
    # The old schema has no word for this kind of work, and no proof rests on it.
    op.execute("DELETE FROM slice WHERE kind = 'improve'")
    op.drop_index("ix_slice_solve", "slice")
    for name, _, _ in SLICE_COLUMNS:
        op.drop_column("slice", name)
    op.create_index("ix_slice_solve", "slice", ["solve_id", "state"])
    for name, _, _ in SOLVE_COLUMNS:
        op.drop_column("solve", name)
    op.drop_column("client", "turn")
    op.drop_table("worker")


def _column(name: str, kind: sa.types.TypeEngine, default: str | None) -> sa.Column:
    return sa.Column(name, kind, nullable=default is None, server_default=default)


def _add_before_blobs(table: str, columns: tuple, after: str) -> None:
    """Add columns; on SQLite, where the order costs time, the table is copied for it."""
    if op.get_bind().dialect.name != "sqlite":
        for name, kind, default in columns:
            op.add_column(table, _column(name, kind, default))
        return
    with op.batch_alter_table(table, recreate="always") as batch:
        for name, kind, default in columns:
            batch.add_column(_column(name, kind, default), insert_after=after)
            after = name
