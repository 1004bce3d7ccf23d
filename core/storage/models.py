"""The tables of the database."""

from __future__ import annotations

from typing import Any

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Dialect,
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
    TypeDecorator,
    UniqueConstraint,
    false,
    text,
)

from tilework.core.messages import Message

metadata = MetaData(
    naming_convention={
        "pk": "pk_%(table_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "uq": "uq_%(table_name)s_%(column_0_name)s",
        "ix": "ix_%(table_name)s_%(column_0_name)s",
    }
)


class MessageText(TypeDecorator[Message]):
    """A message stored as JSON, so that it can be translated when it is shown."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: Message | None, dialect: Dialect) -> str | None:
        return None if value is None else value.to_json()

    def process_result_value(self, value: str | None, dialect: Dialect) -> Message | None:
        return None if value is None else Message.from_json(value)


ID = String(36)
WORD = String(24)
ENGINE = String(60)
CHECKSUM = String(32)
MESSAGE = MessageText()


def only(condition: str) -> dict[str, Any]:
    """Return the options of a partial index for both dialects."""
    return {"sqlite_where": text(condition), "postgresql_where": text(condition)}


solve = Table(
    "solve",
    metadata,
    Column("id", ID, primary_key=True),
    # The board's canonical form as text, as in ``3x3:8:1-2-3-4-0-6-7-5-8``; see `canonical_key`.
    Column("canonical_key", String(500), nullable=False),
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
    # The client charged for the search. No foreign key: it only affects the order of work.
    Column("client_id", ID),
    Column("engine", ENGINE),
    Column("wall_s", Double, nullable=False),
    Column("recent_nodes", Double, nullable=False),
    Column("recent_s", Double, nullable=False),
    Column("rate_at", Double),
    Column("iterations", Text),
    # The exhausted search configs, separated by spaces.
    Column("tried", Text, nullable=False),
    Column("improvement", Text),
    # Unfinished slices of the current search, to detect lost ones.
    Column("pending", Integer, nullable=False),
    Column("checksum", CHECKSUM),
    # The request that last caused work (W3C Trace Context), if requests are traced.
    Column("traceparent", String(55)),
    Column("board", LargeBinary, nullable=False),
    Column("goal", LargeBinary, nullable=False),
    Column("moves", LargeBinary),
    UniqueConstraint("canonical_key", name="uq_solve_key"),
    Index("ix_solve_state", "state"),
)

# Long solutions, in chunks of equal length; the ``moves`` of the solve identify the solution.
solution_chunk = Table(
    "solution_chunk",
    metadata,
    Column("solve_id", ID, ForeignKey("solve.id"), nullable=False),
    Column("number", Integer, nullable=False),
    Column("data", LargeBinary, nullable=False),
    PrimaryKeyConstraint("solve_id", "number"),
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
    Column("priority", Double, nullable=False),
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
    # No foreign key, which would cost a query per delete; parents are never deleted first.
    Column("parent_id", ID),
    Column("engine", ENGINE),
    Column("seconds", Double, nullable=False),
    Column("message", MESSAGE),
    Column("checksum", CHECKSUM),
    # The checksum of its result, once it is done.
    Column("end_checksum", CHECKSUM),
    Column("cursor", LargeBinary, nullable=False),
    Index("ix_slice_priority", "queue", "state", "priority"),
    Index("ix_slice_solve", "solve_id", "state", "threshold", "id"),
    Index("ix_slice_lease", "state", "lease_until"),
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
    # Its number among all events of the solve; earlier ones may have been deleted.
    Column("number", Integer, nullable=False),
    # The method that found the solution; empty if only the lower bound improved.
    Column("method", WORD),
    Index("ix_bound_event_number", "solve_id", "number"),
)

worker = Table(
    "worker",
    metadata,
    Column("name", String(200), primary_key=True),
    Column("seen_at", Double, nullable=False),
    # How far the clock of its host is ahead of the database's (seconds).
    Column("skew_s", Double, nullable=False),
    # The version of Tilework.
    Column("version", String(40), nullable=False),
    # When it is expected to have compiled its kernels; empty once it accepts work.
    Column("ready_at", Double),
)

# The queues, workers and clients that an operator has suspended.
suspension = Table(
    "suspension",
    metadata,
    Column("kind", WORD, nullable=False),
    Column("name", String(200), nullable=False),
    Column("since", Double, nullable=False),
    PrimaryKeyConstraint("kind", "name"),
)

counter = Table(
    "counter",
    metadata,
    Column("name", String(50), nullable=False),
    # What is counted, such as the name of a restarted program.
    Column("label", String(100), nullable=False),
    Column("count", BigInteger, nullable=False),
    PrimaryKeyConstraint("name", "label"),
)

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
    # Needed for a hint, not submitted; not listed in the client's history.
    Column("is_hint", Boolean, nullable=False, server_default=false()),
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
