"""The lab: runs of textbook searches, and the comparisons that share them."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "search_run",
        sa.Column("id", sa.String(length=36), nullable=False),
        sa.Column("key", sa.String(length=64), nullable=False),
        sa.Column("width", sa.Integer(), nullable=False),
        sa.Column("height", sa.Integer(), nullable=False),
        sa.Column("method", sa.String(length=120), nullable=False),
        *_limits(),
        sa.Column("state", sa.String(length=24), nullable=False),
        sa.Column("turn", sa.Double(), nullable=False),
        sa.Column("owner", sa.String(length=200), nullable=True),
        sa.Column("lease_until", sa.Double(), nullable=True),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("length", sa.Integer(), nullable=True),
        sa.Column("stopped_by", sa.String(length=24), nullable=True),
        sa.Column("created_at", sa.Double(), nullable=False),
        sa.Column("updated_at", sa.Double(), nullable=False),
        sa.Column("started_at", sa.Double(), nullable=True),
        sa.Column("finished_at", sa.Double(), nullable=True),
        sa.Column("statistics", sa.Text(), nullable=True),
        sa.Column("message", sa.Text(), nullable=True),
        sa.Column("board", sa.LargeBinary(), nullable=False),
        sa.Column("goal", sa.LargeBinary(), nullable=False),
        sa.Column("moves", sa.LargeBinary(), nullable=True),
        sa.Column("trace", sa.LargeBinary(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_search_run")),
        sa.UniqueConstraint("key", name=op.f("uq_search_run_key")),
    )
    op.create_index("ix_search_run_turn", "search_run", ["state", "turn"])
    op.create_table(
        "comparison",
        sa.Column("id", sa.String(length=36), nullable=False),
        sa.Column("client_id", sa.String(length=36), nullable=False),
        sa.Column("key", sa.String(length=64), nullable=False),
        *_limits(),
        sa.Column("sweep", sa.String(length=60), nullable=True),
        sa.Column("total", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.Double(), nullable=False),
        sa.Column("cancelled_at", sa.Double(), nullable=True),
        sa.Column("methods", sa.Text(), nullable=False),
        sa.Column("goal", sa.LargeBinary(), nullable=False),
        sa.Column("board", sa.LargeBinary(), nullable=True),
        sa.ForeignKeyConstraint(["client_id"], ["client.id"], name=op.f("fk_comparison_client_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_comparison")),
        sa.UniqueConstraint("client_id", "key", name=op.f("uq_comparison_client_id")),
    )
    op.create_index("ix_comparison_client", "comparison", ["client_id", "id"])
    op.create_table(
        "comparison_run",
        sa.Column("comparison_id", sa.String(length=36), nullable=False),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column("run_id", sa.String(length=36), nullable=False),
        sa.Column("board_index", sa.Integer(), nullable=False),
        sa.Column("shared", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(
            ["comparison_id"], ["comparison.id"], name=op.f("fk_comparison_run_comparison_id")
        ),
        sa.ForeignKeyConstraint(
            ["run_id"], ["search_run.id"], name=op.f("fk_comparison_run_run_id")
        ),
        sa.PrimaryKeyConstraint("comparison_id", "place", name=op.f("pk_comparison_run")),
    )
    op.create_index("ix_comparison_run_run", "comparison_run", ["run_id"])


def downgrade() -> None:
    op.drop_table("comparison_run")
    op.drop_table("comparison")
    op.drop_table("search_run")


def _limits() -> tuple[sa.Column, ...]:
    return (
        sa.Column("time_limit_s", sa.Double(), nullable=False),
        sa.Column("node_limit", sa.BigInteger(), nullable=False),
        sa.Column("memory_limit", sa.BigInteger(), nullable=False),
        sa.Column("window", sa.String(length=24), nullable=True),
    )
