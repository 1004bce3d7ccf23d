"""Calls when a job ends: what a job's client asked to be called, and the calls to be made."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    if op.get_bind().dialect.name == "sqlite":
        # Blobs and long texts stand last in a row; the table is copied for that.
        with op.batch_alter_table("job", recreate="always") as batch:
            batch.add_column(sa.Column("callback_url", sa.Text()), insert_after="message")
    else:
        op.add_column("job", sa.Column("callback_url", sa.Text()))
    op.create_table(
        "callback",
        sa.Column("id", sa.String(length=36), nullable=False),
        sa.Column("job_id", sa.String(length=36), nullable=False),
        sa.Column("state", sa.String(length=24), nullable=False),
        sa.Column("due_at", sa.Double(), nullable=False),
        sa.Column("owner", sa.String(length=200)),
        sa.Column("lease_until", sa.Double()),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.Double(), nullable=False),
        sa.Column("url", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_callback")),
        sa.ForeignKeyConstraint(["job_id"], ["job.id"], name=op.f("fk_callback_job_id")),
    )
    op.create_index("ix_callback_due", "callback", ["state", "due_at"])


def downgrade() -> None:
    op.drop_table("callback")
    op.drop_column("job", "callback_url")
