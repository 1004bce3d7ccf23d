"""The schema of version 0.1.0, the first one that can be upgraded."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0022"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "client",
        sa.Column("id", sa.String(length=36), nullable=False),
        sa.Column("created_at", sa.Double(), nullable=False),
        sa.Column("turn", sa.Double(), server_default="0", nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_client")),
    )
    op.create_table(
        "search_run",
        sa.Column("id", sa.String(length=36), nullable=False),
        sa.Column("key", sa.String(length=64), nullable=False),
        sa.Column("width", sa.Integer(), nullable=False),
        sa.Column("height", sa.Integer(), nullable=False),
        sa.Column("method", sa.String(length=120), nullable=False),
        sa.Column("time_limit_s", sa.Double(), nullable=False),
        sa.Column("node_limit", sa.BigInteger(), nullable=False),
        sa.Column("memory_limit", sa.BigInteger(), nullable=False),
        sa.Column("window", sa.String(length=24)),
        sa.Column("state", sa.String(length=24), nullable=False),
        sa.Column("turn", sa.Double(), nullable=False),
        sa.Column("owner", sa.String(length=200)),
        sa.Column("lease_until", sa.Double()),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("length", sa.Integer()),
        sa.Column("stopped_by", sa.String(length=24)),
        sa.Column("created_at", sa.Double(), nullable=False),
        sa.Column("updated_at", sa.Double(), nullable=False),
        sa.Column("started_at", sa.Double()),
        sa.Column("finished_at", sa.Double()),
        sa.Column("statistics", sa.Text()),
        sa.Column("message", sa.Text()),
        sa.Column("board", sa.LargeBinary(), nullable=False),
        sa.Column("goal", sa.LargeBinary(), nullable=False),
        sa.Column("moves", sa.LargeBinary()),
        sa.Column("trace", sa.LargeBinary()),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_search_run")),
        sa.UniqueConstraint("key", name=op.f("uq_search_run_key")),
    )
    op.create_index("ix_search_run_turn", "search_run", ["state", "turn"])
    op.create_index(
        "ix_search_run_unfinished",
        "search_run",
        ["state"],
        **_only("state IN ('queued', 'running')"),
    )
    op.create_table(
        "set_aside",
        sa.Column("number", sa.Integer(), autoincrement=True, nullable=False),
        sa.Column("of_table", sa.String(length=24), nullable=False),
        sa.Column("row_id", sa.String(length=36), nullable=False),
        sa.Column("found_at", sa.Double(), nullable=False),
        sa.Column("reason", sa.String(length=480), nullable=False),
        sa.Column("content", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("number", name=op.f("pk_set_aside")),
    )
    op.create_index(op.f("ix_set_aside_row_id"), "set_aside", ["row_id"])
    op.create_table(
        "solve",
        sa.Column("id", sa.String(length=36), nullable=False),
        sa.Column("key", sa.String(length=500), nullable=False),
        sa.Column("width", sa.Integer(), nullable=False),
        sa.Column("height", sa.Integer(), nullable=False),
        sa.Column("goal_blank", sa.Integer(), nullable=False),
        sa.Column("lower_bound", sa.Integer(), nullable=False),
        sa.Column("upper_bound", sa.Integer()),
        sa.Column("state", sa.String(length=24), nullable=False),
        sa.Column("threshold", sa.Integer()),
        sa.Column("next_threshold", sa.Integer()),
        sa.Column("covered", sa.Double(), nullable=False),
        sa.Column("epoch", sa.Integer(), nullable=False),
        sa.Column("nodes", sa.BigInteger(), nullable=False),
        sa.Column("seconds", sa.Double(), nullable=False),
        sa.Column("algorithm", sa.String(length=24)),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.Double(), nullable=False),
        sa.Column("updated_at", sa.Double(), nullable=False),
        sa.Column("client_id", sa.String(length=36)),
        sa.Column("engine", sa.String(length=60)),
        sa.Column("wall_s", sa.Double(), nullable=False),
        sa.Column("recent_nodes", sa.Double(), nullable=False),
        sa.Column("recent_s", sa.Double(), nullable=False),
        sa.Column("rate_at", sa.Double()),
        sa.Column("iterations", sa.Text()),
        sa.Column("tried", sa.Text(), server_default="", nullable=False),
        sa.Column("improvement", sa.Text()),
        sa.Column("pending", sa.Integer(), server_default="0", nullable=False),
        sa.Column("seal", sa.String(length=32)),
        sa.Column("board", sa.LargeBinary(), nullable=False),
        sa.Column("goal", sa.LargeBinary(), nullable=False),
        sa.Column("moves", sa.LargeBinary()),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_solve")),
        sa.UniqueConstraint("key", name=op.f("uq_solve_key")),
    )
    op.create_index("ix_solve_state", "solve", ["state"])
    op.create_table(
        "tally",
        sa.Column("name", sa.String(length=50), nullable=False),
        sa.Column("label", sa.String(length=100), nullable=False),
        sa.Column("count", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("name", "label", name=op.f("pk_tally")),
    )
    op.create_table(
        "worker",
        sa.Column("name", sa.String(length=200), nullable=False),
        sa.Column("seen_at", sa.Double(), nullable=False),
        sa.Column("skew_s", sa.Double(), server_default="0", nullable=False),
        sa.Column("version", sa.String(length=40), server_default="", nullable=False),
        sa.Column("ready_at", sa.Double()),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_worker")),
    )
    op.create_table(
        "analysis",
        sa.Column("id", sa.String(length=36), nullable=False),
        sa.Column("client_id", sa.String(length=36), nullable=False),
        sa.Column("key", sa.String(length=64), nullable=False),
        sa.Column("time_limit_s", sa.Double(), nullable=False),
        sa.Column("state", sa.String(length=24), nullable=False),
        sa.Column("turn", sa.Double(), nullable=False),
        sa.Column("owner", sa.String(length=200)),
        sa.Column("lease_until", sa.Double()),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("settled", sa.Integer()),
        sa.Column("total", sa.Integer()),
        sa.Column("lower_bound", sa.Integer()),
        sa.Column("upper_bound", sa.Integer()),
        sa.Column("created_at", sa.Double(), nullable=False),
        sa.Column("updated_at", sa.Double(), nullable=False),
        sa.Column("started_at", sa.Double()),
        sa.Column("finished_at", sa.Double()),
        sa.Column("message", sa.Text()),
        sa.Column("kind", sa.String(length=24), server_default="game", nullable=False),
        sa.Column("queue", sa.String(length=24), server_default="analysis", nullable=False),
        sa.Column("memory_limit", sa.BigInteger()),
        sa.Column("seal", sa.String(length=32)),
        sa.Column("board", sa.LargeBinary(), nullable=False),
        sa.Column("goal", sa.LargeBinary(), nullable=False),
        sa.Column("moves", sa.LargeBinary()),
        sa.Column("times", sa.LargeBinary()),
        sa.Column("result", sa.LargeBinary()),
        sa.Column("solutions", sa.LargeBinary()),
        sa.Column("onward", sa.LargeBinary()),
        sa.ForeignKeyConstraint(["client_id"], ["client.id"], name=op.f("fk_analysis_client_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_analysis")),
        sa.UniqueConstraint("client_id", "key", name=op.f("uq_analysis_client_id")),
    )
    op.create_index("ix_analysis_client", "analysis", ["client_id", "id"])
    op.create_index("ix_analysis_turn", "analysis", ["queue", "state", "turn"])
    op.create_index(
        "ix_analysis_unfinished", "analysis", ["state"], **_only("state IN ('queued', 'running')")
    )
    op.create_table(
        "api_key",
        sa.Column("id", sa.String(length=36), nullable=False),
        sa.Column("client_id", sa.String(length=36), nullable=False),
        sa.Column("name", sa.String(length=200), nullable=False),
        sa.Column("hash", sa.String(length=64), nullable=False),
        sa.Column("created_at", sa.Double(), nullable=False),
        sa.Column("revoked_at", sa.Double()),
        sa.ForeignKeyConstraint(["client_id"], ["client.id"], name=op.f("fk_api_key_client_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_api_key")),
        sa.UniqueConstraint("hash", name=op.f("uq_api_key_hash")),
    )
    op.create_index(op.f("ix_api_key_client_id"), "api_key", ["client_id"])
    op.create_table(
        "batch",
        sa.Column("id", sa.String(length=36), nullable=False),
        sa.Column("client_id", sa.String(length=36), nullable=False),
        sa.Column("total", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.Double(), nullable=False),
        sa.ForeignKeyConstraint(["client_id"], ["client.id"], name=op.f("fk_batch_client_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_batch")),
    )
    op.create_index(op.f("ix_batch_client_id"), "batch", ["client_id"])
    op.create_table(
        "bound_event",
        sa.Column("id", sa.String(length=36), nullable=False),
        sa.Column("solve_id", sa.String(length=36), nullable=False),
        sa.Column("time", sa.Double(), nullable=False),
        sa.Column("lower_bound", sa.Integer(), nullable=False),
        sa.Column("upper_bound", sa.Integer()),
        sa.Column("nodes", sa.BigInteger(), nullable=False),
        sa.Column("number", sa.Integer(), server_default="0", nullable=False),
        sa.ForeignKeyConstraint(["solve_id"], ["solve.id"], name=op.f("fk_bound_event_solve_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_bound_event")),
    )
    op.create_index("ix_bound_event_number", "bound_event", ["solve_id", "number"])
    op.create_table(
        "comparison",
        sa.Column("id", sa.String(length=36), nullable=False),
        sa.Column("client_id", sa.String(length=36), nullable=False),
        sa.Column("key", sa.String(length=64), nullable=False),
        sa.Column("time_limit_s", sa.Double(), nullable=False),
        sa.Column("node_limit", sa.BigInteger(), nullable=False),
        sa.Column("memory_limit", sa.BigInteger(), nullable=False),
        sa.Column("window", sa.String(length=24)),
        sa.Column("sweep", sa.String(length=60)),
        sa.Column("total", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.Double(), nullable=False),
        sa.Column("cancelled_at", sa.Double()),
        sa.Column("methods", sa.Text(), nullable=False),
        sa.Column("goal", sa.LargeBinary(), nullable=False),
        sa.Column("board", sa.LargeBinary()),
        sa.ForeignKeyConstraint(["client_id"], ["client.id"], name=op.f("fk_comparison_client_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_comparison")),
        sa.UniqueConstraint("client_id", "key", name=op.f("uq_comparison_client_id")),
    )
    op.create_index("ix_comparison_client", "comparison", ["client_id", "id"])
    op.create_table(
        "entry_mark",
        sa.Column("id", sa.String(length=36), nullable=False),
        sa.Column("client_id", sa.String(length=36), nullable=False),
        sa.Column("name", sa.String(length=80)),
        sa.Column("removed", sa.Boolean(), nullable=False),
        sa.Column("created_at", sa.Double(), nullable=False),
        sa.ForeignKeyConstraint(["client_id"], ["client.id"], name=op.f("fk_entry_mark_client_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_entry_mark")),
    )
    op.create_index("ix_entry_mark_client", "entry_mark", ["client_id"])
    op.create_table(
        "idempotency",
        sa.Column("client_id", sa.String(length=36), nullable=False),
        sa.Column("key", sa.String(length=255), nullable=False),
        sa.Column("fingerprint", sa.String(length=64), nullable=False),
        sa.Column("job_id", sa.String(length=36)),
        sa.Column("batch_id", sa.String(length=36)),
        sa.Column("created_at", sa.Double(), nullable=False),
        sa.ForeignKeyConstraint(
            ["client_id"], ["client.id"], name=op.f("fk_idempotency_client_id")
        ),
        sa.PrimaryKeyConstraint("client_id", "key", name=op.f("pk_idempotency")),
    )
    op.create_index("ix_idempotency_created", "idempotency", ["created_at"])
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
        sa.Column("owner", sa.String(length=200)),
        sa.Column("lease_until", sa.Double()),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("expiries", sa.Integer(), nullable=False),
        sa.Column("nodes", sa.BigInteger(), nullable=False),
        sa.Column("next_threshold", sa.Integer()),
        sa.Column("created_at", sa.Double(), nullable=False),
        sa.Column("updated_at", sa.Double(), nullable=False),
        sa.Column("parent_id", sa.String(length=36)),
        sa.Column("engine", sa.String(length=60)),
        sa.Column("seconds", sa.Double(), nullable=False),
        sa.Column("message", sa.Text()),
        sa.Column("seal", sa.String(length=32)),
        sa.Column("end_seal", sa.String(length=32)),
        sa.Column("cursor", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(["solve_id"], ["solve.id"], name=op.f("fk_slice_solve_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_slice")),
    )
    op.create_index("ix_slice_lease", "slice", ["state", "lease_until"])
    op.create_index("ix_slice_solve", "slice", ["solve_id", "state", "threshold", "id"])
    op.create_index("ix_slice_turn", "slice", ["queue", "state", "turn"])
    op.create_table(
        "solution_chunk",
        sa.Column("solve_id", sa.String(length=36), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("seal", sa.String(length=32)),
        sa.Column("data", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(
            ["solve_id"], ["solve.id"], name=op.f("fk_solution_chunk_solve_id")
        ),
        sa.PrimaryKeyConstraint("solve_id", "number", name=op.f("pk_solution_chunk")),
    )
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
    op.create_table(
        "job",
        sa.Column("id", sa.String(length=36), nullable=False),
        sa.Column("client_id", sa.String(length=36), nullable=False),
        sa.Column("solve_id", sa.String(length=36)),
        sa.Column("batch_id", sa.String(length=36)),
        sa.Column("batch_index", sa.Integer()),
        sa.Column("width", sa.Integer(), nullable=False),
        sa.Column("height", sa.Integer(), nullable=False),
        sa.Column("metric", sa.String(length=24)),
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
        sa.Column("upper_bound", sa.Integer()),
        sa.Column("created_at", sa.Double(), nullable=False),
        sa.Column("started_at", sa.Double()),
        sa.Column("finished_at", sa.Double()),
        sa.Column("nodes", sa.BigInteger()),
        sa.Column("wall_s", sa.Double()),
        sa.Column("threshold", sa.Integer()),
        sa.Column("covered", sa.Double()),
        sa.Column("engine", sa.String(length=60)),
        sa.Column("message", sa.Text()),
        sa.Column("callback_url", sa.Text()),
        sa.Column("seal", sa.String(length=32)),
        sa.Column("boards_seal", sa.String(length=32)),
        sa.Column("end_seal", sa.String(length=32)),
        sa.Column("told_seal", sa.String(length=32)),
        sa.Column("transform", sa.Text(), nullable=False),
        sa.Column("board", sa.LargeBinary(), nullable=False),
        sa.Column("goal", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(["batch_id"], ["batch.id"], name=op.f("fk_job_batch_id")),
        sa.ForeignKeyConstraint(["client_id"], ["client.id"], name=op.f("fk_job_client_id")),
        sa.ForeignKeyConstraint(["solve_id"], ["solve.id"], name=op.f("fk_job_solve_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_job")),
    )
    op.create_index(
        "ix_job_batch", "job", ["batch_id", "batch_index"], **_only("batch_id IS NOT NULL")
    )
    op.create_index("ix_job_client", "job", ["client_id", "id"])
    op.create_index("ix_job_due", "job", ["state", "deadline"])
    op.create_index("ix_job_single", "job", ["client_id", "id"], **_only("batch_id IS NULL"))
    op.create_index("ix_job_solve", "job", ["solve_id", "state"])
    op.create_index("ix_job_state", "job", ["state", "client_id"])
    op.create_table(
        "callback",
        sa.Column("id", sa.String(length=36), nullable=False),
        sa.Column("job_id", sa.String(length=36), nullable=False),
        sa.Column("state", sa.String(length=24), nullable=False),
        sa.Column("due_at", sa.Double(), nullable=False),
        sa.Column("owner", sa.String(length=200)),
        sa.Column("lease_until", sa.Double()),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.Double(), nullable=False),
        sa.Column("url", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["job_id"], ["job.id"], name=op.f("fk_callback_job_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_callback")),
    )
    op.create_index("ix_callback_due", "callback", ["state", "due_at"])
    op.create_index("ix_callback_job", "callback", ["job_id"])
    op.create_table(
        "job_run",
        sa.Column("job_id", sa.String(length=36), nullable=False),
        sa.Column("run_id", sa.String(length=36), nullable=False),
        sa.ForeignKeyConstraint(["job_id"], ["job.id"], name=op.f("fk_job_run_job_id")),
        sa.ForeignKeyConstraint(["run_id"], ["search_run.id"], name=op.f("fk_job_run_run_id")),
        sa.PrimaryKeyConstraint("job_id", name=op.f("pk_job_run")),
    )
    op.create_index("ix_job_run_run", "job_run", ["run_id"])


def downgrade() -> None:
    for table in (
        "job_run",
        "callback",
        "job",
        "comparison_run",
        "solution_chunk",
        "slice",
        "idempotency",
        "entry_mark",
        "comparison",
        "bound_event",
        "batch",
        "api_key",
        "analysis",
        "worker",
        "tally",
        "solve",
        "set_aside",
        "search_run",
        "client",
    ):
        op.drop_table(table)


def _only(condition: str) -> dict[str, Any]:
    """Return the options of a partial index for both dialects."""
    return {"sqlite_where": sa.text(condition), "postgresql_where": sa.text(condition)}
