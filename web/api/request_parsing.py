"""Reading requests: the models that a view is annotated with, filled or refused as a problem.

flask-openapi's own reading makes the JSON schema of the query anew for each request and takes any
body for JSON.
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

OWN_WORDS: Final = "own_words"
"""Type of an error whose message is a whole sentence already."""

_MOST_ERRORS: Final = 50
_LONGEST_NAME: Final = 60
_NO_NUMBERS: Final = (b"NaN", b"Infinity")
_SHORT: Final = Repr()
_SHORT.maxstring = _SHORT.maxother = 60


def parsed_request(view: Callable[..., Any]) -> Callable[..., Any]:
    """Give a view its ``path``, ``query``, ``header`` and ``body`` as the models it names."""
    hints = get_type_hints(view)
    path, query, header, body = (hints.get(part) for part in ("path", "query", "header", "body"))

    @wraps(view)
    def reading(**route: Any) -> Any:
        parts: dict[str, BaseModel] = {}
        if path:
            parts["path"] = parse(path, route)
        if query:
            parts["query"] = parse(query, request.args.to_dict())
        if header:
            parts["header"] = parse(header, _headers_for(header))
        if body:
            parts["body"] = _read_json(body)
        return view(**parts)

    reading.__delay_validate_request__ = True  # type: ignore[attr-defined]
    return reading


def parse(model: type[Model], values: Any) -> Model:
    try:
        return model.model_validate(values)
    except ValidationError as error:
        raise _fields_problem(error) from None


def parse_json(model: type[Model], body: bytes) -> Model:
    """Make a model of JSON, in which a truth value or a text is no number."""
    # A single letter is found ten times as fast as a word.
    if any(word[:1] in body and word in body for word in _NO_NUMBERS):
        decode_json(body)  # which finds those that are not within a text
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


def _read_json(model: type[Model]) -> Model:
    if not request.is_json:
        raise ProblemError(BODY_TYPE, unsupported_media_type("application/json"))
    return parse_json(model, read_json_body(board_json_limits(services().settings)))


def read_json_body(bounds: BodyLimits) -> bytes:
    request.max_content_length = bounds.size
    body = request.get_data(cache=False)
    fault = find_costly_content(body, bounds)
    if fault is not None:
        raise ProblemError(TOO_LARGE, fault)
    return body


def unsupported_media_type(offered: str) -> Message:
    if request.mimetype.startswith("image/") and "image/" not in offered:
        return Message(
            "body-picture",
            "a picture is read at {address}; look at the board that it answers, and send that here",
            address=f"{API_ROOT}/pictures",
        )
    return Message(
        "body-type",
        "a body of type {given!r} is not accepted here; send one of: {offered}",
        given=request.mimetype[:100],
        offered=offered,
    )


def _headers_for(model: type[BaseModel]) -> dict[str, str]:
    found = {}
    for name, field in model.model_fields.items():
        value = request.headers.get(field.alias or name)
        if value is not None:
            found[field.alias or name] = value
    return found


def _fields_problem(error: ValidationError) -> ProblemError:
    errors = error.errors(include_url=False, include_context=False)[:_MOST_ERRORS]
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


def _pointer(place: tuple[int | str, ...]) -> str:
    # As RFC 6901 writes a name that holds its own signs.
    names = (_name(str(part)).replace("~", "~0").replace("/", "~1") for part in place)
    return "".join(f"/{name}" for name in names)


def _name(name: str) -> str:
    return name if len(name) <= _LONGEST_NAME else f"{name[:_LONGEST_NAME]}…"


def _sentence(item: Any) -> str:
    # The library's own words name a class of this program.
    words: str = "Input should be an object" if item["type"] == "model_type" else item["msg"]
    if item["type"] in {"missing", OWN_WORDS}:
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
    """Describe the statuses that are answered with problem details (RFC 9457)."""
    return {
        status: {
            "description": HTTPStatus(status).phrase,
            "content": {MEDIA_TYPE: {"schema": _SCHEMA}},
        }
        for status in statuses
    }


def submit_responses(document: type[BaseModel]) -> dict[str | int, Any]:
    """Describe the answers to a request for work, which may have been done before."""
    refused = problem_responses(400, 401, 403, 413, 415, 422, 429, 503)
    return {200: document, 202: document, **refused}


def read_responses(document: type[BaseModel]) -> dict[str | int, Any]:
    """Describe the answers to a request that may name a version."""
    return {
        200: document,
        304: {"description": "The version is still the one named"},
        **problem_responses(404, 422),
    }


def cancel_responses(document: type[BaseModel]) -> dict[str | int, Any]:
    return {200: document, **problem_responses(401, 403, 404, 429)}
