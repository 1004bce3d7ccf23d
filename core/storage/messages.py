"""Messages in columns: as JSON, so that they can be told in any language."""

from __future__ import annotations

from sqlalchemy import Dialect, Text, TypeDecorator

from tilework.core.messages import Message


class StoredMessage(TypeDecorator[Message]):
    """Text that holds a message."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: Message | None, dialect: Dialect) -> str | None:
        return None if value is None else value.to_json()

    def process_result_value(self, value: str | None, dialect: Dialect) -> Message | None:
        return None if value is None else Message.from_json(value)
