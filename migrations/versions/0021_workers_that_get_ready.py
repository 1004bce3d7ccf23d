"""When a worker that still compiles its kernels will be ready."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0021"
down_revision = "0020"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("worker", sa.Column("ready_at", sa.Double(), nullable=True))


def downgrade() -> None:
    op.drop_column("worker", "ready_at")
