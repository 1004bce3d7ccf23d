"""Store the priority of each job."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0026"
down_revision = "0025"
branch_labels = None
depends_on = None

_UNFINISHED = sa.text("finished_at IS NULL")


def upgrade() -> None:
    column = sa.Column("priority", sa.Integer, nullable=False, server_default="0")
    if op.get_bind().dialect.name == "sqlite":
        # Copy the table, because a column after the boards would be read through the boards.
        with op.batch_alter_table("job", recreate="always") as job:
            job.add_column(column, insert_after="queue")
    else:
        op.add_column("job", column)
    op.create_index(
        "ix_job_priority",
        "job",
        ["client_id", "priority"],
        sqlite_where=_UNFINISHED,
        postgresql_where=_UNFINISHED,
    )


def downgrade() -> None:
    op.drop_index("ix_job_priority", "job")
    with op.batch_alter_table("job") as job:
        job.drop_column("priority")
