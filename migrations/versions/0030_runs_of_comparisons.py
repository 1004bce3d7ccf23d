"""Remove jobs for textbook searches: a comparison of one method does the same."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0030"
down_revision = "0029"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.drop_table("job_run")


def downgrade() -> None:
    op.create_table(
        "job_run",
        sa.Column("job_id", sa.String(length=36), nullable=False),
        sa.Column("run_id", sa.String(length=36), nullable=False),
        sa.ForeignKeyConstraint(["job_id"], ["job.id"], name=op.f("fk_job_run_job_id")),
        sa.ForeignKeyConstraint(["run_id"], ["task.id"], name=op.f("fk_job_run_run_id")),
        sa.PrimaryKeyConstraint("job_id", name=op.f("pk_job_run")),
    )
    op.create_index("ix_job_run_run", "job_run", ["run_id"])
