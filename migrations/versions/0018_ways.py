"""All shortest solutions are asked for as games are; results are sealed, quick ones wait apart."""

from __future__ import annotations

import hashlib

import sqlalchemy as sa
from alembic import op

revision = "0018"
down_revision = "0017"
branch_labels = None
depends_on = None

PAGE = 200
ANALYSIS = sa.table(
    "analysis", sa.column("id"), sa.column("kind"), sa.column("result"), sa.column("seal")
)


def upgrade() -> None:
    # Blobs stand last in a row; on SQLite the table is copied for that.
    copied = op.get_bind().dialect.name == "sqlite"
    with op.batch_alter_table("analysis", recreate="always" if copied else "auto") as batch:
        after = "message"
        for column in (
            sa.Column("kind", sa.String(length=24), nullable=False, server_default="game"),
            sa.Column("queue", sa.String(length=24), nullable=False, server_default="analysis"),
            sa.Column("memory_limit", sa.BigInteger(), nullable=True),
            sa.Column("seal", sa.String(length=32), nullable=True),
        ):
            batch.add_column(column, insert_after=after if copied else None)
            after = column.name
        batch.add_column(sa.Column("solutions", sa.LargeBinary(), nullable=True))
        batch.add_column(sa.Column("onward", sa.LargeBinary(), nullable=True))
        batch.alter_column("moves", existing_type=sa.LargeBinary(), nullable=True)
    op.drop_index("ix_analysis_turn", "analysis")
    op.create_index("ix_analysis_turn", "analysis", ["queue", "state", "turn"])
    seal_results()


def downgrade() -> None:
    op.get_bind().execute(sa.delete(ANALYSIS).where(ANALYSIS.c.kind != "game"))
    op.drop_index("ix_analysis_turn", "analysis")
    op.create_index("ix_analysis_turn", "analysis", ["state", "turn"])
    with op.batch_alter_table("analysis") as batch:
        batch.alter_column("moves", existing_type=sa.LargeBinary(), nullable=False)
        for name in ("onward", "solutions", "seal", "memory_limit", "queue", "kind"):
            batch.drop_column(name)


def seal_results() -> None:
    """Seal the results that are there as they stand."""
    connection = op.get_bind()
    page = sa.select(ANALYSIS.c.id, ANALYSIS.c.result).where(ANALYSIS.c.result.is_not(None))
    page = page.order_by(ANALYSIS.c.id).limit(PAGE)
    after = ""
    while found := connection.execute(page.where(ANALYSIS.c.id > after)).all():
        for id_, result in found:
            made = hashlib.blake2b(repr((id_, len(result))).encode(), digest_size=16)
            made.update(result)
            change = sa.update(ANALYSIS).where(ANALYSIS.c.id == id_).values(seal=made.hexdigest())
            connection.execute(change)
        after = found[-1].id
