"""What all tables share: their metadata, types of columns, partial indexes."""

from __future__ import annotations

from typing import Any

from sqlalchemy import MetaData, String, text

from tilework.core.storage.messages import StoredMessage

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
SEAL = String(32)
TOLD = StoredMessage()


def only(condition: str) -> dict[str, Any]:
    """Return the options of a partial index for both dialects."""
    return {"sqlite_where": text(condition), "postgresql_where": text(condition)}
