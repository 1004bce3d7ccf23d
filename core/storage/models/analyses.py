"""Analyses: of games, and of all shortest solutions of a board."""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Column,
    Double,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    String,
    Table,
    UniqueConstraint,
)

from tilework.core.storage.models.columns import ID, SEAL, TOLD, WORD, metadata, only

analysis = Table(
    "analysis",
    metadata,
    Column("id", ID, primary_key=True),
    Column("client_id", ID, ForeignKey("client.id"), nullable=False),
    Column("key", String(64), nullable=False),
    Column("time_limit_s", Double, nullable=False),
    Column("state", WORD, nullable=False),
    Column("turn", Double, nullable=False),
    Column("owner", String(200)),
    Column("lease_until", Double),
    Column("attempts", Integer, nullable=False),
    Column("version", Integer, nullable=False),
    Column("settled", Integer),
    Column("total", Integer),
    Column("lower_bound", Integer),
    Column("upper_bound", Integer),
    Column("created_at", Double, nullable=False),
    Column("updated_at", Double, nullable=False),
    Column("started_at", Double),
    Column("finished_at", Double),
    Column("message", TOLD),
    Column("kind", WORD, nullable=False, server_default="game"),
    Column("queue", WORD, nullable=False, server_default="analysis"),
    Column("memory_limit", BigInteger),
    Column("seal", SEAL),
    Column("board", LargeBinary, nullable=False),
    Column("goal", LargeBinary, nullable=False),
    Column("moves", LargeBinary),
    Column("times", LargeBinary),
    Column("result", LargeBinary),
    Column("solutions", LargeBinary),
    Column("onward", LargeBinary),
    UniqueConstraint("client_id", "key"),
    Index("ix_analysis_turn", "queue", "state", "turn"),
    Index("ix_analysis_client", "client_id", "id"),
    Index("ix_analysis_unfinished", "state", **only("state IN ('queued', 'running')")),
)
