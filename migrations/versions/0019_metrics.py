"""Jobs that count in slides."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0019"
down_revision = "0018"
branch_labels = None
depends_on = None

JOB = sa.table("job", sa.column("id"), sa.column("metric"))
SOLVE = sa.table("solve", sa.column("id"), sa.column("key"))


def upgrade() -> None:
    column = sa.Column("metric", sa.String(length=24), nullable=True)
    if op.get_bind().dialect.name != "sqlite":
        op.add_column("job", column)
        return
    # Blobs and long texts stand last in a row; the table is copied for that.
    with op.batch_alter_table("job", recreate="always") as batch:
        batch.add_column(column, insert_after="height")


def downgrade() -> None:
    # Code of before would take all of this for what counts moves.
    in_slides = sa.select(JOB.c.id).where(JOB.c.metric.is_not(None))
    for name in ("callback", "idempotency"):
        of_job = sa.table(name, sa.column("job_id"))
        op.execute(sa.delete(of_job).where(of_job.c.job_id.in_(in_slides)))
    op.execute(sa.delete(JOB).where(JOB.c.metric.is_not(None)))
    slid = SOLVE.c.key.endswith(":slides")
    for name in ("bound_event", "slice", "solution_chunk"):
        of_solve = sa.table(name, sa.column("solve_id"))
        op.execute(
            sa.delete(of_solve).where(of_solve.c.solve_id.in_(sa.select(SOLVE.c.id).where(slid)))
        )
    op.execute(sa.delete(SOLVE).where(slid))
    op.drop_column("job", "metric")
