"""Store the method of each improvement."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0024"
down_revision = "0023"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("bound_event", sa.Column("method", sa.String(24)))


def downgrade() -> None:
    op.drop_column("bound_event", "method")
