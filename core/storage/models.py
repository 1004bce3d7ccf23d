"""The tables. Migrations make them; a test compares the two.

Blobs and long texts stand last in their rows: SQLite then reads the short columns of a row
without walking through the pages of the long ones.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Double,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    PrimaryKeyConstraint,
    String,
    Table,
    Text,
    UniqueConstraint,
    text,
)

from core.storage.messages import StoredMessage

metadata = MetaData(
    naming_convention={
        "pk": "pk_%(table_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "uq": "uq_%(table_name)s_%(column_0_name)s",
        "ix": "ix_%(table_name)s_%(column_0_name)s",
    }
)

ID = String(36)
WORD = String(24)
ENGINE = String(60)
METHOD = String(120)
TOLD = StoredMessage()


def _only(condition: str) -> dict[str, Any]:
    """Return the options of a partial index for both dialects."""
    return {"sqlite_where": text(condition), "postgresql_where": text(condition)}


solve = Table(
    "solve",
    metadata,
    Column("id", ID, primary_key=True),
    Column("key", String(500), nullable=False, unique=True),
    Column("width", Integer, nullable=False),
    Column("height", Integer, nullable=False),
    Column("goal_blank", Integer, nullable=False),
    Column("lower_bound", Integer, nullable=False),
    Column("upper_bound", Integer),
    Column("state", WORD, nullable=False),
    Column("threshold", Integer),
    Column("next_threshold", Integer),
    Column("covered", Double, nullable=False),
    Column("epoch", Integer, nullable=False),
    Column("nodes", BigInteger, nullable=False),
    Column("seconds", Double, nullable=False),
    Column("algorithm", WORD),
    Column("version", Integer, nullable=False),
    Column("created_at", Double, nullable=False),
    Column("updated_at", Double, nullable=False),
    # Whom the search is charged to. No foreign key: it only affects the order of work.
    Column("client_id", ID),
    Column("engine", ENGINE),
    Column("wall_s", Double, nullable=False),
    Column("recent_nodes", Double, nullable=False),
    Column("recent_s", Double, nullable=False),
    Column("rate_at", Double),
    Column("iterations", Text),
    # The courses that have done all they can, separated by spaces.
    Column("tried", Text, nullable=False, server_default=""),
    Column("improvement", Text),
    Column("board", LargeBinary, nullable=False),
    Column("goal", LargeBinary, nullable=False),
    Column("moves", LargeBinary),
    Index("ix_solve_state", "state"),
)

# Long solutions, in chunks of equally many moves; their solve's moves say of which solution.
solution_chunk = Table(
    "solution_chunk",
    metadata,
    Column("solve_id", ID, ForeignKey("solve.id"), nullable=False),
    Column("number", Integer, nullable=False),
    Column("data", LargeBinary, nullable=False),
    PrimaryKeyConstraint("solve_id", "number"),
)

client = Table(
    "client",
    metadata,
    Column("id", ID, primary_key=True),
    Column("created_at", Double, nullable=False),
    Column("turn", Double, nullable=False, server_default="0"),
)

api_key = Table(
    "api_key",
    metadata,
    Column("id", ID, primary_key=True),
    Column("client_id", ID, ForeignKey("client.id"), nullable=False, index=True),
    Column("name", String(200), nullable=False),
    Column("hash", String(64), nullable=False, unique=True),
    Column("created_at", Double, nullable=False),
    Column("revoked_at", Double),
)

batch = Table(
    "batch",
    metadata,
    Column("id", ID, primary_key=True),
    Column("client_id", ID, ForeignKey("client.id"), nullable=False, index=True),
    Column("total", Integer, nullable=False),
    Column("created_at", Double, nullable=False),
)

job = Table(
    "job",
    metadata,
    Column("id", ID, primary_key=True),
    Column("client_id", ID, ForeignKey("client.id"), nullable=False),
    Column("solve_id", ID, ForeignKey("solve.id")),
    Column("batch_id", ID, ForeignKey("batch.id")),
    Column("batch_index", Integer),
    Column("width", Integer, nullable=False),
    Column("height", Integer, nullable=False),
    Column("target", WORD, nullable=False),
    Column("gap", Double, nullable=False),
    Column("algorithm", WORD, nullable=False),
    Column("heuristic", WORD, nullable=False),
    Column("time_limit_s", Double, nullable=False),
    Column("deadline", Double, nullable=False),
    Column("queue", WORD, nullable=False),
    Column("state", WORD, nullable=False),
    Column("cached", Boolean, nullable=False),
    Column("version", Integer, nullable=False),
    Column("lower_bound", Integer, nullable=False),
    Column("upper_bound", Integer),
    Column("created_at", Double, nullable=False),
    Column("started_at", Double),
    Column("finished_at", Double),
    # What had been spent on its solve when it ended; the solve may go on for others.
    Column("nodes", BigInteger),
    Column("wall_s", Double),
    Column("threshold", Integer),
    Column("covered", Double),
    Column("engine", ENGINE),
    Column("message", TOLD),
    # What is called when it ends.
    Column("callback_url", Text),
    Column("transform", Text, nullable=False),
    Column("board", LargeBinary, nullable=False),
    Column("goal", LargeBinary, nullable=False),
    Index("ix_job_client", "client_id", "id"),
    Index("ix_job_solve", "solve_id", "state"),
    Index("ix_job_state", "state", "client_id"),
    Index("ix_job_due", "state", "deadline"),
    # Without the jobs of no batch, which would make every batch look large to a planner.
    Index("ix_job_batch", "batch_id", "batch_index", **_only("batch_id IS NOT NULL")),
)

slice_ = Table(
    "slice",
    metadata,
    Column("id", ID, primary_key=True),
    Column("solve_id", ID, ForeignKey("solve.id"), nullable=False),
    Column("epoch", Integer, nullable=False),
    Column("kind", WORD, nullable=False),
    Column("queue", WORD, nullable=False),
    Column("state", WORD, nullable=False),
    Column("turn", Double, nullable=False),
    Column("threshold", Integer, nullable=False),
    Column("algorithm", WORD, nullable=False),
    Column("heuristic", WORD, nullable=False),
    Column("target", WORD, nullable=False),
    Column("gap", Double, nullable=False),
    Column("share", Double, nullable=False),
    Column("owner", String(200)),
    Column("lease_until", Double),
    Column("attempts", Integer, nullable=False),
    Column("expiries", Integer, nullable=False),
    Column("nodes", BigInteger, nullable=False),
    Column("next_threshold", Integer),
    Column("created_at", Double, nullable=False),
    Column("updated_at", Double, nullable=False),
    # No foreign key: a parent is never deleted before its children, and each delete would look.
    Column("parent_id", ID),
    Column("engine", ENGINE),
    Column("seconds", Double, nullable=False),
    Column("message", TOLD),
    Column("cursor", LargeBinary, nullable=False),
    Index("ix_slice_turn", "queue", "state", "turn"),
    Index("ix_slice_solve", "solve_id", "state", "threshold", "id"),
    Index("ix_slice_lease", "state", "lease_until"),
)

callback = Table(
    "callback",
    metadata,
    Column("id", ID, primary_key=True),
    Column("job_id", ID, ForeignKey("job.id"), nullable=False),
    Column("state", WORD, nullable=False),
    # When it is to be made; of one that is being made, since when.
    Column("due_at", Double, nullable=False),
    Column("owner", String(200)),
    Column("lease_until", Double),
    Column("attempts", Integer, nullable=False),
    Column("created_at", Double, nullable=False),
    Column("url", Text, nullable=False),
    Index("ix_callback_due", "state", "due_at"),
)

bound_event = Table(
    "bound_event",
    metadata,
    Column("id", ID, primary_key=True),
    Column("solve_id", ID, ForeignKey("solve.id"), nullable=False),
    Column("time", Double, nullable=False),
    Column("lower_bound", Integer, nullable=False),
    Column("upper_bound", Integer),
    Column("nodes", BigInteger, nullable=False),
    # Its place among all events of the solve: some of those before may have been deleted.
    Column("number", Integer, nullable=False, server_default="0"),
    Index("ix_bound_event_number", "solve_id", "number"),
)

worker = Table(
    "worker",
    metadata,
    Column("name", String(200), primary_key=True),
    Column("seen_at", Double, nullable=False),
    # By how much its host's clock is ahead of the database's (seconds).
    Column("skew_s", Double, nullable=False, server_default="0"),
)

idempotency = Table(
    "idempotency",
    metadata,
    Column("client_id", ID, ForeignKey("client.id"), nullable=False),
    Column("key", String(255), nullable=False),
    Column("fingerprint", String(64), nullable=False),
    Column("job_id", ID),
    Column("batch_id", ID),
    Column("created_at", Double, nullable=False),
    PrimaryKeyConstraint("client_id", "key"),
)

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
    Index("ix_search_run_unfinished", "state", **_only("state IN ('queued', 'running')")),
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
