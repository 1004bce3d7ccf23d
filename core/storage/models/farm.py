"""Tables of solves and of the work on them."""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
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

from tilework.core.storage.models.columns import CHECKSUM, ENGINE, ID, MESSAGE, WORD, metadata

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
