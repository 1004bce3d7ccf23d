"""Rows that were found damaged, as they were found."""

from __future__ import annotations

from sqlalchemy import Column, Double, Integer, String, Table, Text

from tilework.core.storage.models.columns import ID, WORD, metadata

set_aside = Table(
    "set_aside",
    metadata,
    # From 1; the last one is how many there have ever been, though the oldest are deleted.
    Column("number", Integer, primary_key=True, autoincrement=True),
    Column("of_table", WORD, nullable=False),
    Column("row_id", ID, nullable=False, index=True),
    Column("found_at", Double, nullable=False),
    Column("reason", String(480), nullable=False),
    # The row as JSON, its blobs in hexadecimal.
    Column("content", Text, nullable=False),
)
