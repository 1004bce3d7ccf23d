"""Comparisons of textbook searches, and their runs."""

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

from tilework.core.storage.models.columns import ID, METHOD, TOLD, WORD, metadata, only

search_run = Table(
    "search_run",
    metadata,
    Column("id", ID, primary_key=True),
    Column("key", String(64), nullable=False, unique=True),
    Column("width", Integer, nullable=False),
    Column("height", Integer, nullable=False),
    Column("method", METHOD, nullable=False),
    Column("time_limit_s", Double, nullable=False),
    Column("node_limit", BigInteger, nullable=False),
    Column("memory_limit", BigInteger, nullable=False),
    Column("window", WORD),
    Column("state", WORD, nullable=False),
    Column("turn", Double, nullable=False),
    Column("owner", String(200)),
    Column("lease_until", Double),
    Column("attempts", Integer, nullable=False),
    Column("version", Integer, nullable=False),
    Column("length", Integer),
    Column("stopped_by", WORD),
    Column("created_at", Double, nullable=False),
    Column("updated_at", Double, nullable=False),
    Column("started_at", Double),
    Column("finished_at", Double),
    Column("statistics", Text),
    Column("message", TOLD),
    Column("board", LargeBinary, nullable=False),
    Column("goal", LargeBinary, nullable=False),
    Column("moves", LargeBinary),
    Column("trace", LargeBinary),
    Index("ix_search_run_turn", "state", "turn"),
    Index("ix_search_run_unfinished", "state", **only("state IN ('queued', 'running')")),
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
    Column("run_id", ID, ForeignKey("search_run.id"), nullable=False),
    Column("board_index", Integer, nullable=False),
    Column("shared", Boolean, nullable=False),
    PrimaryKeyConstraint("comparison_id", "place"),
    Index("ix_comparison_run_run", "run_id"),
)

# The run that answers a job; of jobs that ask for a textbook search.
job_run = Table(
    "job_run",
    metadata,
    Column("job_id", ID, ForeignKey("job.id"), primary_key=True),
    Column("run_id", ID, ForeignKey("search_run.id"), nullable=False),
    Index("ix_job_run_run", "run_id"),
)
