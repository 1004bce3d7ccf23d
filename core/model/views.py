"""The base of views, whose fields and descriptions are the schema of the API."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    PlainSerializer,
    SerializationInfo,
    WithJsonSchema,
)

from tilework.core.messages import Message
from tilework.core.puzzle.board import Board


class View(BaseModel):
    """A snapshot. Its JSON is in English, unless a function that translates is its context."""

    model_config = ConfigDict(
        frozen=True,
        from_attributes=True,
        arbitrary_types_allowed=True,
        serialize_by_alias=True,
        json_schema_serialization_defaults_required=True,
    )


def is_absent(value: object) -> bool:
    """Whether a field is omitted because it does not apply."""
    return value is None


def _translate(message: Message | None, info: SerializationInfo) -> str | None:
    translate: Callable[[Message], str] = info.context or str
    return None if message is None else translate(message)


def list_tiles(board: Board) -> list[int]:
    """Return the tiles of `board` row by row."""
    values: list[int] = board.cells.tolist()
    return values


_TEXT: Any = WithJsonSchema({"anyOf": [{"type": "string"}, {"type": "null"}]})

Seconds = Annotated[float, Field(description="A time, in seconds since 1970-01-01 UTC.")]
Text = Annotated[
    Message | None,
    PlainSerializer(_translate),
    _TEXT,
    Field(description="The message in the language of the request."),
]
Links = Annotated[dict[str, str], Field(description="URLs of related resources.")]
