"""Reading requests: the models that a view is annotated with, filled or refused as a problem.

flask-openapi describes a view by the same annotations. Its own reading is not used: it makes the
JSON schema of the query anew for each request and takes any body for JSON.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from reprlib import Repr
from typing import Any, Final, TypeVar, get_type_hints

from flask import request
from pydantic import BaseModel, ValidationError
from pydantic_core import from_json

from tilework.core.messages import Message, as_told
from tilework.web.api.documents import API
from tilework.web.bodies import Bounds, json_of_a_board, why_costly
from tilework.web.clients import services
from tilework.web.problems import BODY_NOT_JSON, BODY_TYPE, FIELDS, TOO_LARGE, ProblemError

Model = TypeVar("Model", bound=BaseModel)

OWN_WORDS: Final = "own_words"
"""Type of an error whose message is a whole sentence already."""

_MOST_ERRORS: Final = 50
_LONGEST_NAME: Final = 60
_NO_NUMBERS: Final = (b"NaN", b"Infinity")
_SHORT: Final = Repr()
_SHORT.maxstring = _SHORT.maxother = 60


def checked(view: Callable[..., Any]) -> Callable[..., Any]:
    """Give a view its ``path``, ``query``, ``header`` and ``body`` as the models it names.

    The view takes those of the four that it needs; parameters of the route are in ``path``.
    """
    hints = get_type_hints(view)
    path, query, header, body = (hints.get(part) for part in ("path", "query", "header", "body"))

    @wraps(view)
    def reading(**route: Any) -> Any:
        parts: dict[str, BaseModel] = {}
        if path:
            parts["path"] = fill(path, route)
        if query:
            parts["query"] = fill(query, request.args.to_dict())
        if header:
            parts["header"] = fill(header, _headers_for(header))
        if body:
            parts["body"] = _read_json(body)
        return view(**parts)

    reading.__delay_validate_request__ = True  # type: ignore[attr-defined]
    return reading


def fill(model: type[Model], values: Any) -> Model:
    """Make a model of a mapping of values.

    Raises
    ------
    ProblemError
        With each field that does not fit.
    """
    try:
        return model.model_validate(values)
    except ValidationError as error:
        raise _fields_problem(error) from None


def fill_from_json(model: type[Model], body: bytes) -> Model:
    """Make a model of JSON, in which a truth value or a text is no number.

    Raises
    ------
    ProblemError
        If it is not JSON, or with each field that does not fit.
    """
    # A single letter is found ten times as fast as a word.
    if any(word[:1] in body and word in body for word in _NO_NUMBERS):
        decoded(body)  # which finds those that are not within a text
    try:
        return model.model_validate_json(body, strict=True)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        if first["type"] == "json_invalid":
            raise ProblemError(BODY_NOT_JSON, as_told(first["ctx"]["error"])) from None
        raise _fields_problem(error) from None


def decoded(body: bytes) -> Any:
    """Decode JSON.

    Raises
    ------
    ProblemError
        If it is not JSON.
    """
    try:
        return from_json(body, allow_inf_nan=False)
    except ValueError as error:
        raise ProblemError(BODY_NOT_JSON, as_told(str(error))) from None


def _read_json(model: type[Model]) -> Model:
    """Make a model of the body, which must be JSON.

    Raises
    ------
    ProblemError
        If the body is said to be something else or is not JSON, is too large, or a field does
        not fit.
    """
    if not request.is_json:
        raise ProblemError(BODY_TYPE, body_type("application/json"))
    return fill_from_json(model, sent_json(json_of_a_board(services().settings)))


def sent_json(bounds: Bounds) -> bytes:
    """Return the body, which is within bounds.

    Raises
    ------
    ProblemError
        If it would cost more to parse than any that is needed.
    """
    request.max_content_length = bounds.size
    body = request.get_data(cache=False)
    fault = why_costly(body, bounds)
    if fault is not None:
        raise ProblemError(TOO_LARGE, fault)
    return body


def body_type(offered: str) -> Message:
    """Say that the body is of another type than those offered."""
    if request.mimetype.startswith("image/") and "image/" not in offered:
        return Message(
            "body-picture",
            "a picture is read at {address}; look at the board that it answers, and send that here",
            address=f"{API}/pictures",
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
