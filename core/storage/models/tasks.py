"""Tables of tasks, and of comparisons, whose runs are tasks."""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Double,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    PrimaryKeyConstraint,
    String,
    Table,
    Text,
    UniqueConstraint,
)

from tilework.core.storage.models.columns import ID, MESSAGE, WORD, metadata, only

task = Table(
    "task",
    metadata,
    Column("id", ID, primary_key=True),
    Column("kind", WORD, nullable=False),
    # Empty for runs.
    Column("client_id", ID, ForeignKey("client.id")),
    # The client's id and a hash for a question, a hash for a run, the job's id for a callback.
    Column("key", String(110), nullable=False, unique=True),
    Column("queue", WORD, nullable=False),
    Column("state", WORD, nullable=False),
    Column("priority", Double, nullable=False),
    Column("owner", String(200)),
    Column("lease_until", Double),
    Column("attempts", Integer, nullable=False),
    Column("version", Integer, nullable=False),
    Column("created_at", Double, nullable=False),
    Column("updated_at", Double, nullable=False),
    Column("started_at", Double),
    Column("finished_at", Double),
    Column("progress", String(120)),
    Column("message", MESSAGE),
    Column("spec", Text, nullable=False),  # JSON
    Column("result", LargeBinary),  # compressed JSON
    Column("solutions", LargeBinary),
    Column("detail", LargeBinary),
    Index("ix_task_priority", "state", "queue", "priority"),
    Index("ix_task_unfinished", "state", **only("state IN ('queued', 'running')")),
    Index("ix_task_kind", "kind", "id"),
    Index("ix_task_client", "client_id", "id", **only("client_id IS NOT NULL")),
)

comparison = Table(
    "comparison",
    metadata,
    Column("id", ID, primary_key=True),
    Column("client_id", ID, ForeignKey("client.id"), nullable=False),
    Column("key", String(64), nullable=False),
    Column("time_limit_s", Double, nullable=False),
    Column("node_limit", BigInteger, nullable=False),
    Column("memory_limit", BigInteger, nullable=False),
    Column("window", WORD),
    Column("sweep", String(60)),
    Column("total", Integer, nullable=False),
    Column("created_at", Double, nullable=False),
    Column("cancelled_at", Double),
    Column("methods", Text, nullable=False),
    Column("goal", LargeBinary, nullable=False),
    Column("board", LargeBinary),
    UniqueConstraint("client_id", "key"),
    Index("ix_comparison_client", "client_id", "id"),
)

comparison_run = Table(
    "comparison_run",
    metadata,
    Column("comparison_id", ID, ForeignKey("comparison.id"), nullable=False),
    Column("place", Integer, nullable=False),
    Column("run_id", ID, ForeignKey("task.id"), nullable=False),
    Column("board_index", Integer, nullable=False),
    Column("shared", Boolean, nullable=False),
    PrimaryKeyConstraint("comparison_id", "place"),
    Index("ix_comparison_run_run", "run_id"),
)
