"""Store the trace of the request that last caused work on a solve."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0027"
down_revision = "0026"
branch_labels = None
depends_on = None


def upgrade() -> None:
    column = sa.Column("traceparent", sa.String(55))
    if op.get_bind().dialect.name == "sqlite":
        # Copy the table, because a column after the boards would be read through the boards.
        with op.batch_alter_table("solve", recreate="always") as solve:
            solve.add_column(column, insert_after="seal")
    else:
        op.add_column("solve", column)


def downgrade() -> None:
    with op.batch_alter_table("solve") as solve:
        solve.drop_column("traceparent")
