"""Indexes by which old rows are found, and those that refer to them."""

from __future__ import annotations

from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_index("ix_callback_job", "callback", ["job_id"])
    op.create_index("ix_idempotency_created", "idempotency", ["created_at"])


def downgrade() -> None:
    op.drop_index("ix_idempotency_created", "idempotency")
    op.drop_index("ix_callback_job", "callback")
