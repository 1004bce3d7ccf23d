"""Standard terms: slices are quarantined, and the least f over a threshold is the next one."""

from __future__ import annotations

from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    # Both dialects rename in place: no table is copied.
    for table in ("solve", "slice"):
        op.execute(f"ALTER TABLE {table} RENAME COLUMN least_over TO next_threshold")
    op.execute("UPDATE slice SET state = 'quarantined' WHERE state = 'aside'")


def downgrade() -> None:
    op.execute("UPDATE slice SET state = 'aside' WHERE state = 'quarantined'")
    for table in ("solve", "slice"):
        op.execute(f"ALTER TABLE {table} RENAME COLUMN next_threshold TO least_over")
