"""Boards beyond a proof are searched anew: `auto` has better solutions of them now."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None

PROVABLE_CELLS = 36
NEW = "auto:auto"

SOLVE = sa.table(
    "solve",
    sa.column("id"),
    sa.column("tried", sa.Text()),
    sa.column("width", sa.Integer()),
    sa.column("height", sa.Integer()),
)


def upgrade() -> None:
    connection = op.get_bind()
    rows = connection.execute(
        sa.select(SOLVE.c.id, SOLVE.c.tried).where(
            SOLVE.c.width * SOLVE.c.height > PROVABLE_CELLS, SOLVE.c.tried.contains(NEW)
        )
    ).all()
    for id_, tried in rows:
        courses = " ".join(course for course in tried.split() if course != NEW)
        connection.execute(sa.update(SOLVE).where(SOLVE.c.id == id_).values(tried=courses))


def downgrade() -> None:
    """Nothing: what was forgotten is tried once more."""
