"""Remove the names of history entries, and the marks of removed ones."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0031"
down_revision = "0030"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.drop_table("entry_mark")


def downgrade() -> None:
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
