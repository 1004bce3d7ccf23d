"""Indexes by which old rows are found, and those that refer to them; versions of workers."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_index("ix_callback_job", "callback", ["job_id"])
    op.create_index("ix_idempotency_created", "idempotency", ["created_at"])
    op.add_column(
        "worker", sa.Column("version", sa.String(length=40), nullable=False, server_default="")
    )


def downgrade() -> None:
    with op.batch_alter_table("worker") as worker:
        worker.drop_column("version")
    op.drop_index("ix_idempotency_created", "idempotency")
    op.drop_index("ix_callback_job", "callback")
