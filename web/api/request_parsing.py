"""Parsing requests into the models that a view is annotated with; errors become problems.

flask-openapi's own parsing builds the JSON schema of the query for each request, and treats any
body as JSON.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from http import HTTPStatus
from reprlib import Repr
from typing import Any, Final, TypeVar, get_type_hints

from flask import request
from pydantic import BaseModel, ValidationError
from pydantic_core import from_json

from tilework.core.messages import Message, untranslated
from tilework.core.services.jobs.document import API_ROOT
from tilework.web.clients import services
from tilework.web.limits import BodyLimits, board_json_limits, find_costly_content
from tilework.web.problems import (
    BODY_NOT_JSON,
    BODY_TYPE,
    FIELDS,
    MEDIA_TYPE,
    TOO_LARGE,
    ProblemError,
)

Model = TypeVar("Model", bound=BaseModel)

CUSTOM_ERROR: Final = "custom"
"""The type of a validation error whose message is already a complete sentence."""

_MAX_ERRORS: Final = 50
_LONGEST_NAME: Final = 60
_NON_FINITE: Final = (b"NaN", b"Infinity")
_SHORT: Final = Repr()
_SHORT.maxstring = _SHORT.maxother = 60


def parsed_request(view: Callable[..., Any]) -> Callable[..., Any]:
    """Pass ``path``, ``query``, ``header`` and ``body`` to a view as the annotated models."""
    hints = get_type_hints(view)
    path, query, header, body = (hints.get(part) for part in ("path", "query", "header", "body"))

    @wraps(view)
    def parse_and_call(**route: Any) -> Any:
        parts: dict[str, BaseModel] = {}
        if path:
            parts["path"] = parse(path, route)
        if query:
            parts["query"] = parse(query, request.args.to_dict())
        if header:
            names = [field.alias or name for name, field in header.model_fields.items()]
            sent = {name: request.headers[name] for name in names if name in request.headers}
            parts["header"] = parse(header, sent)
        if body:
            if not request.is_json:
                raise ProblemError(BODY_TYPE, unsupported_media_type("application/json"))
            parts["body"] = parse_json(body, read_body(board_json_limits(services().settings)))
        return view(**parts)

    parse_and_call.__delay_validate_request__ = True  # type: ignore[attr-defined]
    return parse_and_call


def parse(model: type[Model], values: Any) -> Model:
    try:
        return model.model_validate(values)
    except ValidationError as error:
        raise _fields_problem(error) from None


def parse_json(model: type[Model], body: bytes) -> Model:
    """Parse JSON strictly: a boolean or a string is not accepted as a number."""
    # Searching for a single letter is ten times as fast as searching for a word.
    if any(word[:1] in body and word in body for word in _NON_FINITE):
        decode_json(body)  # rejects them unless they are inside a string
    try:
        return model.model_validate_json(body, strict=True)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        if first["type"] == "json_invalid":
            raise ProblemError(BODY_NOT_JSON, untranslated(first["ctx"]["error"])) from None
        raise _fields_problem(error) from None


def decode_json(body: bytes) -> Any:
    try:
        return from_json(body, allow_inf_nan=False)
    except ValueError as error:
        raise ProblemError(BODY_NOT_JSON, untranslated(str(error))) from None


def read_body(limits: BodyLimits) -> bytes:
    request.max_content_length = limits.size
    body = request.get_data(cache=False)
    fault = find_costly_content(body, limits)
    if fault is not None:
        raise ProblemError(TOO_LARGE, fault)
    return body


def unsupported_media_type(offered: str) -> Message:
    if request.mimetype.startswith("image/") and "image/" not in offered:
        return Message(
            "body-picture",
            "send pictures to {address}, check the board it returns, and send that here",
            address=f"{API_ROOT}/pictures",
        )
    return Message(
        "body-type",
        "a body of type {given!r} is not accepted here; send one of: {offered}",
        given=request.mimetype[:100],
        offered=offered,
    )


def _fields_problem(error: ValidationError) -> ProblemError:
    errors = error.errors(include_url=False, include_context=False)[:_MAX_ERRORS]
    places = [{"pointer": _pointer(item["loc"]), "detail": _sentence(item)} for item in errors]
    return ProblemError(
        FIELDS,
        Message(
            "fields",
            "{faults}",
            faults="; ".join(": ".join(filter(None, place.values())) for place in places),
        ),
        errors=places,
    )


def _pointer(location: tuple[int | str, ...]) -> str:
    """Return a JSON pointer (RFC 6901) with shortened names."""
    pointer = ""
    for part in map(str, location):
        name = part if len(part) <= _LONGEST_NAME else f"{part[:_LONGEST_NAME]}…"
        pointer += "/" + name.replace("~", "~0").replace("/", "~1")
    return pointer


def _sentence(item: Any) -> str:
    # pydantic's own message contains the name of a Python class.
    words: str = "Input should be an object" if item["type"] == "model_type" else item["msg"]
    if item["type"] in {"missing", CUSTOM_ERROR}:
        return words
    return f"{words}, not {_SHORT.repr(item['input'])}"


_SCHEMA: Final = {
    "type": "object",
    "required": ["type", "title", "status", "detail", "instance"],
    "properties": {
        "type": {"type": "string", "format": "uri"},
        "title": {"type": "string"},
        "status": {"type": "integer"},
        "detail": {"type": "string"},
        "instance": {"type": "string"},
    },
}


def problem_responses(*statuses: int) -> dict[str | int, Any]:
    """Describe the responses that are problem details (RFC 9457)."""
    return {
        status: {
            "description": HTTPStatus(status).phrase,
            "content": {MEDIA_TYPE: {"schema": _SCHEMA}},
        }
        for status in statuses
    }


NOT_MODIFIED: Final = {"description": "Not modified: the version is still the same"}


def submit_responses(document: type[BaseModel]) -> dict[str | int, Any]:
    """Describe the responses to a submission of work, which may have been done before."""
    rejected = problem_responses(400, 401, 403, 413, 415, 422, 429, 503)
    return {200: document, 202: document, **rejected}


def read_responses(document: type[BaseModel]) -> dict[str | int, Any]:
    """Describe the responses to a poll."""
    return {200: document, 304: NOT_MODIFIED, **problem_responses(404, 422)}


def cancel_responses(document: type[BaseModel]) -> dict[str | int, Any]:
    """Describe the responses to a cancellation."""
    return {200: document, **problem_responses(401, 403, 404, 429)}
