"""The first tables: clients, jobs, solves, slices and what belongs to them."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "client",
        sa.Column("id", sa.String(length=36), nullable=False),
        sa.Column("created_at", sa.Double(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_client")),
    )
    op.create_table(
        "solve",
        sa.Column("id", sa.String(length=36), nullable=False),
        sa.Column("key", sa.String(length=500), nullable=False),
        sa.Column("width", sa.Integer(), nullable=False),
        sa.Column("height", sa.Integer(), nullable=False),
        sa.Column("goal_blank", sa.Integer(), nullable=False),
        sa.Column("lower_bound", sa.Integer(), nullable=False),
        sa.Column("upper_bound", sa.Integer(), nullable=True),
        sa.Column("state", sa.String(length=24), nullable=False),
        sa.Column("threshold", sa.Integer(), nullable=True),
        sa.Column("least_over", sa.Integer(), nullable=True),
        sa.Column("covered", sa.Double(), nullable=False),
        sa.Column("epoch", sa.Integer(), nullable=False),
        sa.Column("nodes", sa.BigInteger(), nullable=False),
        sa.Column("seconds", sa.Double(), nullable=False),
        sa.Column("algorithm", sa.String(length=24), nullable=True),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.Double(), nullable=False),
        sa.Column("updated_at", sa.Double(), nullable=False),
        sa.Column("board", sa.LargeBinary(), nullable=False),
        sa.Column("goal", sa.LargeBinary(), nullable=False),
        sa.Column("moves", sa.LargeBinary(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_solve")),
        sa.UniqueConstraint("key", name=op.f("uq_solve_key")),
    )
    op.create_table(
        "api_key",
        sa.Column("id", sa.String(length=36), nullable=False),
        sa.Column("client_id", sa.String(length=36), nullable=False),
        sa.Column("name", sa.String(length=200), nullable=False),
        sa.Column("hash", sa.String(length=64), nullable=False),
        sa.Column("created_at", sa.Double(), nullable=False),
        sa.Column("revoked_at", sa.Double(), nullable=True),
        sa.ForeignKeyConstraint(["client_id"], ["client.id"], name=op.f("fk_api_key_client_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_api_key")),
        sa.UniqueConstraint("hash", name=op.f("uq_api_key_hash")),
    )
    op.create_index("ix_api_key_client_id", "api_key", ["client_id"])

    op.create_table(
        "batch",
        sa.Column("id", sa.String(length=36), nullable=False),
        sa.Column("client_id", sa.String(length=36), nullable=False),
        sa.Column("total", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.Double(), nullable=False),
        sa.ForeignKeyConstraint(["client_id"], ["client.id"], name=op.f("fk_batch_client_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_batch")),
    )
    op.create_index("ix_batch_client_id", "batch", ["client_id"])

    op.create_table(
        "bound_event",
        sa.Column("id", sa.String(length=36), nullable=False),
        sa.Column("solve_id", sa.String(length=36), nullable=False),
        sa.Column("time", sa.Double(), nullable=False),
        sa.Column("lower_bound", sa.Integer(), nullable=False),
        sa.Column("upper_bound", sa.Integer(), nullable=True),
        sa.Column("nodes", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["solve_id"], ["solve.id"], name=op.f("fk_bound_event_solve_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_bound_event")),
    )
    op.create_index("ix_bound_event_solve_id", "bound_event", ["solve_id"])

    op.create_table(
        "idempotency",
        sa.Column("client_id", sa.String(length=36), nullable=False),
        sa.Column("key", sa.String(length=255), nullable=False),
        sa.Column("fingerprint", sa.String(length=64), nullable=False),
        sa.Column("job_id", sa.String(length=36), nullable=True),
        sa.Column("batch_id", sa.String(length=36), nullable=True),
        sa.Column("created_at", sa.Double(), nullable=False),
        sa.ForeignKeyConstraint(
            ["client_id"], ["client.id"], name=op.f("fk_idempotency_client_id")
        ),
        sa.PrimaryKeyConstraint("client_id", "key", name=op.f("pk_idempotency")),
    )
    op.create_table(
        "slice",
        sa.Column("id", sa.String(length=36), nullable=False),
        sa.Column("solve_id", sa.String(length=36), nullable=False),
        sa.Column("epoch", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(length=24), nullable=False),
        sa.Column("queue", sa.String(length=24), nullable=False),
        sa.Column("state", sa.String(length=24), nullable=False),
        sa.Column("turn", sa.Double(), nullable=False),
        sa.Column("threshold", sa.Integer(), nullable=False),
        sa.Column("algorithm", sa.String(length=24), nullable=False),
        sa.Column("heuristic", sa.String(length=24), nullable=False),
        sa.Column("target", sa.String(length=24), nullable=False),
        sa.Column("gap", sa.Double(), nullable=False),
        sa.Column("share", sa.Double(), nullable=False),
        sa.Column("owner", sa.String(length=200), nullable=True),
        sa.Column("lease_until", sa.Double(), nullable=True),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("expiries", sa.Integer(), nullable=False),
        sa.Column("nodes", sa.BigInteger(), nullable=False),
        sa.Column("least_over", sa.Integer(), nullable=True),
        sa.Column("created_at", sa.Double(), nullable=False),
        sa.Column("updated_at", sa.Double(), nullable=False),
        sa.Column("message", sa.Text(), nullable=True),
        sa.Column("cursor", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(["solve_id"], ["solve.id"], name=op.f("fk_slice_solve_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_slice")),
    )
    op.create_index("ix_slice_lease", "slice", ["state", "lease_until"])
    op.create_index("ix_slice_solve", "slice", ["solve_id", "state"])
    op.create_index("ix_slice_turn", "slice", ["queue", "state", "turn"])

    op.create_table(
        "job",
        sa.Column("id", sa.String(length=36), nullable=False),
        sa.Column("client_id", sa.String(length=36), nullable=False),
        sa.Column("solve_id", sa.String(length=36), nullable=True),
        sa.Column("batch_id", sa.String(length=36), nullable=True),
        sa.Column("batch_index", sa.Integer(), nullable=True),
        sa.Column("width", sa.Integer(), nullable=False),
        sa.Column("height", sa.Integer(), nullable=False),
        sa.Column("target", sa.String(length=24), nullable=False),
        sa.Column("gap", sa.Double(), nullable=False),
        sa.Column("algorithm", sa.String(length=24), nullable=False),
        sa.Column("heuristic", sa.String(length=24), nullable=False),
        sa.Column("time_limit_s", sa.Double(), nullable=False),
        sa.Column("deadline", sa.Double(), nullable=False),
        sa.Column("queue", sa.String(length=24), nullable=False),
        sa.Column("state", sa.String(length=24), nullable=False),
        sa.Column("cached", sa.Boolean(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("lower_bound", sa.Integer(), nullable=False),
        sa.Column("upper_bound", sa.Integer(), nullable=True),
        sa.Column("created_at", sa.Double(), nullable=False),
        sa.Column("started_at", sa.Double(), nullable=True),
        sa.Column("finished_at", sa.Double(), nullable=True),
        sa.Column("message", sa.Text(), nullable=True),
        sa.Column("transform", sa.Text(), nullable=False),
        sa.Column("board", sa.LargeBinary(), nullable=False),
        sa.Column("goal", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(["batch_id"], ["batch.id"], name=op.f("fk_job_batch_id")),
        sa.ForeignKeyConstraint(["client_id"], ["client.id"], name=op.f("fk_job_client_id")),
        sa.ForeignKeyConstraint(["solve_id"], ["solve.id"], name=op.f("fk_job_solve_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_job")),
    )
    op.create_index("ix_job_batch", "job", ["batch_id", "batch_index"])
    op.create_index("ix_job_client", "job", ["client_id", "id"])
    op.create_index("ix_job_solve", "job", ["solve_id", "state"])
    op.create_index("ix_job_state", "job", ["state", "client_id"])


def downgrade() -> None:
    op.drop_index("ix_job_state", "job")
    op.drop_index("ix_job_solve", "job")
    op.drop_index("ix_job_client", "job")
    op.drop_index("ix_job_batch", "job")

    op.drop_table("job")
    op.drop_index("ix_slice_turn", "slice")
    op.drop_index("ix_slice_solve", "slice")
    op.drop_index("ix_slice_lease", "slice")

    op.drop_table("slice")
    op.drop_table("idempotency")
    op.drop_index("ix_bound_event_solve_id", "bound_event")

    op.drop_table("bound_event")
    op.drop_index("ix_batch_client_id", "batch")

    op.drop_table("batch")
    op.drop_index("ix_api_key_client_id", "api_key")

    op.drop_table("api_key")
    op.drop_table("solve")
    op.drop_table("client")
