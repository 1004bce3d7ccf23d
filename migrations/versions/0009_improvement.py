"""Large boards are improved for as long as somebody asks: how far that has come."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None

LEAST_CELLS = 25

SOLVE = sa.table(
    "solve",
    sa.column("id"),
    sa.column("tried", sa.Text()),
    sa.column("width", sa.Integer()),
    sa.column("height", sa.Integer()),
)
SLICE = sa.table("slice", sa.column("kind"))


def upgrade() -> None:
    connection = op.get_bind()
    if connection.dialect.name == "sqlite":
        # Blobs and long texts stand last in a row; the table is copied for that.
        with op.batch_alter_table("solve", recreate="always") as batch:
            batch.add_column(sa.Column("improvement", sa.Text()), insert_after="tried")
    else:
        op.add_column("solve", sa.Column("improvement", sa.Text()))
    # What these ask for is written otherwise now; nothing depends on them.
    connection.execute(sa.delete(SLICE).where(SLICE.c.kind == "improve"))
    rows = connection.execute(
        sa.select(SOLVE.c.id, SOLVE.c.tried).where(
            SOLVE.c.width * SOLVE.c.height >= LEAST_CELLS, SOLVE.c.tried.contains("auto:")
        )
    ).all()
    for id_, tried in rows:
        courses = " ".join(course for course in tried.split() if not course.startswith("auto:"))
        connection.execute(sa.update(SOLVE).where(SOLVE.c.id == id_).values(tried=courses))


def downgrade() -> None:
    op.get_bind().execute(sa.delete(SLICE).where(SLICE.c.kind == "improve"))
    with op.batch_alter_table("solve") as table:
        table.drop_column("improvement")
