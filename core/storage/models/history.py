"""How clients call what they asked for."""

from __future__ import annotations

from sqlalchemy import Boolean, Column, Double, ForeignKey, Index, String, Table

from tilework.core.storage.models.columns import ID, metadata

# Of a job, batch, comparison or analysis of the same id, where there is something to say of it.
entry_mark = Table(
    "entry_mark",
    metadata,
    Column("id", ID, primary_key=True),
    Column("client_id", ID, ForeignKey("client.id"), nullable=False),
    Column("name", String(80)),
    Column("removed", Boolean, nullable=False),
    Column("created_at", Double, nullable=False),
    Index("ix_entry_mark_client", "client_id"),
)
