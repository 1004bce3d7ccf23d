"""Reading requests: the models that a view is annotated with, filled or refused as a problem.

flask-openapi describes a view by the same annotations. Its own reading is not used: it makes the
JSON schema of the query anew for each request and takes any body for JSON.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any, Final, TypeVar, get_type_hints

from flask import request
from pydantic import BaseModel, ValidationError
from werkzeug.exceptions import UnsupportedMediaType

from web.problems import BODY_NOT_JSON, FIELDS, ProblemError

Model = TypeVar("Model", bound=BaseModel)

_MOST_ERRORS: Final = 50


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
            parts["query"] = fill(query, request.args)
        if header:
            parts["header"] = fill(header, _headers_for(header))
        if body:
            parts["body"] = read_json(body)
        return view(**parts)

    reading.__delay_validate_request__ = True  # type: ignore[attr-defined]
    return reading


def fill(model: type[Model], values: Mapping[str, Any]) -> Model:
    """Make a model of values.

    Raises
    ------
    ProblemError
        With each field that does not fit.
    """
    try:
        return model.model_validate(dict(values.items()))
    except ValidationError as error:
        raise _fields_problem(error) from None


def read_json(model: type[Model]) -> Model:
    """Make a model of the body, which must be JSON.

    Raises
    ------
    UnsupportedMediaType
        If the body is said to be something else.
    ProblemError
        If it is not JSON, or a field does not fit.
    """
    if not request.is_json:
        raise UnsupportedMediaType(
            f"a body of type {request.mimetype!r} is not read here; send application/json"
        )
    try:
        return model.model_validate_json(request.get_data(cache=False))
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False, include_input=False)[0]
        if first["type"] == "json_invalid":
            raise ProblemError(BODY_NOT_JSON, first["msg"]) from None
        raise _fields_problem(error) from None


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
        "; ".join(f"{place['pointer']}: {place['detail']}" for place in places),
        errors=places,
    )


def _pointer(place: tuple[int | str, ...]) -> str:
    return "".join(f"/{part}" for part in place)


def _sentence(item: Any) -> str:
    value = repr(item["input"])
    shown = value if len(value) <= 60 else value[:57] + "…"
    return f"{item['msg']}, not {shown}" if item["type"] != "missing" else item["msg"]
