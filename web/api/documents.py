"""The API's responses: their JSON, shared fields, and descriptions of statuses."""

from __future__ import annotations

from typing import Annotated, Any, Final

from flask import Response, g, has_app_context, request, url_for
from pydantic import AliasPath, BaseModel, BeforeValidator, ConfigDict, Field, WithJsonSchema
from werkzeug.http import HTTP_STATUS_CODES

from tilework.core.messages import Message
from tilework.core.model.states import RunState
from tilework.core.model.views import Seconds, Text, list_tiles
from tilework.core.puzzle.moves import MoveSequence, to_letters
from tilework.web.i18n import LANGUAGE_PARAMETER, translate
from tilework.web.limits import MEBIBYTE
from tilework.web.problems import MEDIA_TYPE, PROBLEM_REFERENCE

RETRY_AFTER_S: Final = 1
"""When clients should ask again for what has not ended."""

MAX_INLINE_MOVES: Final = 10_000
"""Longer solutions, which can be megabytes, are not included in other documents."""

Tiles = Annotated[
    list[int],
    BeforeValidator(list_tiles),
    Field(description="The tiles row by row, with 0 for the blank."),
]
Letters = Annotated[
    str,
    WithJsonSchema({"type": "string", "pattern": "^[UDLR]*$"}),
    Field(description="The moves. Each letter is the direction in which a tile moves."),
]


def _inline_letters(moves: MoveSequence | None) -> str | None:
    return None if moves is None or len(moves) > MAX_INLINE_MOVES else to_letters(moves)


InlineLetters = Annotated[Letters | None, BeforeValidator(_inline_letters), Field(examples=["LL"])]
"""The moves of a solution; null without one, or if there are too many."""


def current_reading() -> Message | None:
    """Return how the text of this request's board was read, if it is not in the plain form."""
    return g.get("read_as") if has_app_context() else None


ReadAs = Annotated[
    Text,
    Field(
        default_factory=current_reading,
        description="How the text of the board was read, if it is not in the plain form.",
        examples=["3×3, one digit or letter a tile, blank -"],
    ),
]


def _mebibytes(count: int) -> int:
    return count // MEBIBYTE


Mebibytes = Annotated[int, BeforeValidator(_mebibytes)]


def _code(message: Message | None) -> str | None:
    return None if message is None else message.code


Code = Annotated[
    str | None,
    BeforeValidator(_code),
    Field(description="The code of the message, for programs.", examples=["time-is-up"]),
]


class Document(BaseModel):
    """A response body, created from a view by ``model_validate``."""

    model_config = ConfigDict(from_attributes=True, arbitrary_types_allowed=True)


def to_json(document: BaseModel) -> bytes:
    """Return a document as JSON, with its messages in the language of the request."""
    return document.__pydantic_serializer__.to_json(document, context=translate)


def json_response(document: BaseModel, status: int = 200, **headers: Any) -> Response:
    """Return `document` as JSON. An underscore in the name of a header stands for a hyphen."""
    response = Response(to_json(document), status, mimetype="application/json")
    for name, value in headers.items():
        response.headers[name.replace("_", "-")] = str(value)
    return response


NextPage = Annotated[
    str | None, Field(description="The URL of the next page, or null on the last page.")
]


def next_page(before: str, **query: Any) -> str:
    """Return the URL of this page's next one, in the language of this request."""
    lang = request.args.get(LANGUAGE_PARAMETER)
    return url_for(request.endpoint or "", **query, before=before, lang=lang)


class QuestionDocument(Document):
    """A task about a board, created from a `Task`."""

    model_config = ConfigDict(json_schema_serialization_defaults_required=True)

    id: str
    state: RunState
    version: str
    width: int = Field(validation_alias=AliasPath("spec", "start", "width"))
    height: int = Field(validation_alias=AliasPath("spec", "start", "height"))
    board: Tiles = Field(validation_alias=AliasPath("spec", "start"))
    goal: Tiles = Field(validation_alias=AliasPath("spec", "goal"))
    time_limit_s: float = Field(validation_alias=AliasPath("spec", "seconds"))
    created_at: Seconds
    started_at: Seconds | None
    finished_at: Seconds | None
    message: Text = Field(description="Why the task failed.")
    message_code: Code = Field(validation_alias="message")


def problem_responses(*statuses: int) -> dict[str | int, Any]:
    """Describe the responses that are problem details (RFC 9457).

    Every request can be answered with 422: unknown parameters are refused everywhere.
    """
    return {
        status: {
            # Unlike those of http.HTTPStatus, these do not depend on the version of Python.
            "description": HTTP_STATUS_CODES[status],
            "content": {MEDIA_TYPE: {"schema": PROBLEM_REFERENCE}},
        }
        for status in sorted({*statuses, 422})
    }
