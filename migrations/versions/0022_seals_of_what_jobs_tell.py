"""A seal of what a job told at its end. Rows that are there keep none."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0022"
down_revision = "0021"
branch_labels = None
depends_on = None


def upgrade() -> None:
    column = sa.Column("told_seal", sa.String(length=32))
    if op.get_bind().dialect.name != "sqlite":
        op.add_column("job", column)
        return
    # Columns after the boards take long to read, so the table is copied.
    with op.batch_alter_table("job", recreate="always") as batch:
        batch.add_column(column, insert_after="end_seal")


def downgrade() -> None:
    op.drop_column("job", "told_seal")
