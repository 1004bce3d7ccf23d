"""Name the key of a solve after what it is: the canonical form of its board."""

from __future__ import annotations

from alembic import op

revision = "0029"
down_revision = "0028"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("ALTER TABLE solve RENAME COLUMN key TO canonical_key")


def downgrade() -> None:
    op.execute("ALTER TABLE solve RENAME COLUMN canonical_key TO key")
