"""Store the roles of API keys, and what operators have suspended."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0028"
down_revision = "0027"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("api_key", sa.Column("role", sa.String(24)))
    op.create_table(
        "suspension",
        sa.Column("kind", sa.String(24), nullable=False),
        sa.Column("name", sa.String(200), nullable=False),
        sa.Column("since", sa.Double, nullable=False),
        sa.PrimaryKeyConstraint("kind", "name", name=op.f("pk_suspension")),
    )


def downgrade() -> None:
    op.drop_table("suspension")
    op.drop_column("api_key", "role")
