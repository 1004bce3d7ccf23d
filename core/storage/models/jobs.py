"""Tables of clients and of their requests."""

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
)

from tilework.core.storage.models.columns import ENGINE, ID, MESSAGE, WORD, metadata, only

client = Table(
    "client",
    metadata,
    Column("id", ID, primary_key=True),
    Column("created_at", Double, nullable=False),
    Column("priority", Double, nullable=False, default=0.0),
    # Its webhook secret is derived from this.
    Column("webhook_salt", String(64)),
    Column("webhook_secret_at", Double),
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
    # "operator", or empty.
    Column("role", WORD),
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
    Column("metric", WORD, nullable=False),
    Column("target", WORD, nullable=False),
    Column("gap", Double, nullable=False),
    Column("algorithm", WORD, nullable=False),
    Column("heuristic", WORD, nullable=False),
    Column("time_limit_s", Double, nullable=False),
    Column("deadline", Double, nullable=False),
    Column("queue", WORD, nullable=False),
    # The rank of its `Priority`.
    Column("priority", Integer, nullable=False),
    Column("state", WORD, nullable=False),
    Column("cached", Boolean, nullable=False),
    Column("version", Integer, nullable=False),
    Column("lower_bound", Integer, nullable=False),
    Column("upper_bound", Integer),
    Column("created_at", Double, nullable=False),
    Column("started_at", Double),
    Column("finished_at", Double),
    # The effort spent on its solve when the job ended; the solve may continue for other jobs.
    Column("nodes", BigInteger),
    Column("wall_s", Double),
    Column("threshold", Integer),
    Column("covered", Double),
    Column("engine", ENGINE),
    Column("message", MESSAGE),
    # Called when the job ends.
    Column("callback_url", Text),
    Column("transform", Text, nullable=False),
    Column("board", LargeBinary, nullable=False),
    Column("goal", LargeBinary, nullable=False),
    Index("ix_job_client", "client_id", "id"),
    Index("ix_job_solve", "solve_id", "state"),
    Index("ix_job_state", "state", "client_id"),
    Index("ix_job_due", "state", "deadline"),
    Index("ix_job_priority", "client_id", "priority", **only("finished_at IS NULL")),
    # Jobs outside of batches, which a client's history lists.
    Index("ix_job_single", "client_id", "id", **only("batch_id IS NULL")),
    # Without the jobs outside of batches, which would look like one large batch to a planner.
    Index("ix_job_batch", "batch_id", "batch_index", **only("batch_id IS NOT NULL")),
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
    Index("ix_idempotency_created", "created_at"),
)
