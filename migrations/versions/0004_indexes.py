"""Indexes for what is asked all the time, beside a million rows of what has ended."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

_OF_BATCHES = sa.text("batch_id IS NOT NULL")
_UNFINISHED = sa.text("state IN ('queued', 'running')")


def upgrade() -> None:
    op.create_index("ix_solve_state", "solve", ["state"])
    op.create_index("ix_job_due", "job", ["state", "deadline"])
    op.drop_index("ix_job_batch", "job")
    op.create_index(
        "ix_job_batch",
        "job",
        ["batch_id", "batch_index"],
        sqlite_where=_OF_BATCHES,
        postgresql_where=_OF_BATCHES,
    )
    op.drop_index("ix_slice_solve", "slice")
    op.create_index("ix_slice_solve", "slice", ["solve_id", "state", "threshold", "id"])
    op.create_index(
        "ix_search_run_unfinished",
        "search_run",
        ["state"],
        sqlite_where=_UNFINISHED,
        postgresql_where=_UNFINISHED,
    )


def downgrade() -> None:
    op.drop_index("ix_search_run_unfinished", "search_run")
    op.drop_index("ix_slice_solve", "slice")
    op.create_index("ix_slice_solve", "slice", ["solve_id", "state", "threshold"])
    op.drop_index("ix_job_batch", "job")
    op.create_index("ix_job_batch", "job", ["batch_id", "batch_index"])
    op.drop_index("ix_job_due", "job")
    op.drop_index("ix_solve_state", "solve")
