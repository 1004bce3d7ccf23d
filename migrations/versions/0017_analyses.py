"""Analyses of games."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"
branch_labels = None
depends_on = None

_UNFINISHED = sa.text("state IN ('queued', 'running')")


def upgrade() -> None:
    op.create_table(
        "analysis",
        sa.Column("id", sa.String(length=36), nullable=False),
        sa.Column("client_id", sa.String(length=36), nullable=False),
        sa.Column("key", sa.String(length=64), nullable=False),
        sa.Column("time_limit_s", sa.Double(), nullable=False),
        sa.Column("state", sa.String(length=24), nullable=False),
        sa.Column("turn", sa.Double(), nullable=False),
        sa.Column("owner", sa.String(length=200), nullable=True),
        sa.Column("lease_until", sa.Double(), nullable=True),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("settled", sa.Integer(), nullable=True),
        sa.Column("total", sa.Integer(), nullable=True),
        sa.Column("lower_bound", sa.Integer(), nullable=True),
        sa.Column("upper_bound", sa.Integer(), nullable=True),
        sa.Column("created_at", sa.Double(), nullable=False),
        sa.Column("updated_at", sa.Double(), nullable=False),
        sa.Column("started_at", sa.Double(), nullable=True),
        sa.Column("finished_at", sa.Double(), nullable=True),
        sa.Column("message", sa.Text(), nullable=True),
        sa.Column("board", sa.LargeBinary(), nullable=False),
        sa.Column("goal", sa.LargeBinary(), nullable=False),
        sa.Column("moves", sa.LargeBinary(), nullable=False),
        sa.Column("times", sa.LargeBinary(), nullable=True),
        sa.Column("result", sa.LargeBinary(), nullable=True),
        sa.ForeignKeyConstraint(["client_id"], ["client.id"], name=op.f("fk_analysis_client_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_analysis")),
        sa.UniqueConstraint("client_id", "key", name=op.f("uq_analysis_client_id")),
    )
    op.create_index("ix_analysis_turn", "analysis", ["state", "turn"])
    op.create_index("ix_analysis_client", "analysis", ["client_id", "id"])
    op.create_index(
        "ix_analysis_unfinished",
        "analysis",
        ["state"],
        sqlite_where=_UNFINISHED,
        postgresql_where=_UNFINISHED,
    )


def downgrade() -> None:
    op.drop_table("analysis")
