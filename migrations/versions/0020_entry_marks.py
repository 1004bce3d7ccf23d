"""Names of what clients asked for, and what they removed from their history."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0020"
down_revision = "0019"
branch_labels = None
depends_on = None

_SINGLE = sa.text("batch_id IS NULL")


def upgrade() -> None:
    op.create_table(
        "entry_mark",
        sa.Column("id", sa.String(length=36), nullable=False),
        sa.Column("client_id", sa.String(length=36), nullable=False),
        sa.Column("name", sa.String(length=80), nullable=True),
        sa.Column("removed", sa.Boolean(), nullable=False),
        sa.Column("created_at", sa.Double(), nullable=False),
        sa.ForeignKeyConstraint(["client_id"], ["client.id"], name=op.f("fk_entry_mark_client_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_entry_mark")),
    )
    op.create_index("ix_entry_mark_client", "entry_mark", ["client_id"])
    op.create_index(
        "ix_job_single",
        "job",
        ["client_id", "id"],
        sqlite_where=_SINGLE,
        postgresql_where=_SINGLE,
    )


def downgrade() -> None:
    op.drop_index("ix_job_single", table_name="job")
    op.drop_table("entry_mark")
