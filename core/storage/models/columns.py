"""Shared parts of all tables: metadata, column types, partial indexes."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Dialect, MetaData, String, Text, TypeDecorator, text

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
