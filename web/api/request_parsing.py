"""Parsing requests, and the boards in them, into the models that a view is annotated with.

Errors become problem details. flask-openapi's own parsing builds the JSON schema of the query for
each request, and treats any body as JSON.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from inspect import Parameter, signature
from typing import Annotated, Any, Final, TypeVar, get_type_hints

from flask import g, request
from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    ValidationError,
    WithJsonSchema,
    create_model,
)
from pydantic_core import from_json

from tilework.core.errors import BoardError
from tilework.core.formats.board_text import read_goal
from tilework.core.formats.board_values import read_board_json
from tilework.core.links import API_ROOT
from tilework.core.messages import Message, untranslated
from tilework.core.puzzle.board import MAX_SIDE, Board, Size
from tilework.core.puzzle.goals import GoalName
from tilework.core.puzzle.phrases import goal_size
from tilework.core.services.tasks.questions import MAX_SECONDS
from tilework.core.validation import describe_error
from tilework.web.clients import services
from tilework.web.i18n import LANGUAGE_PARAMETER, translate
from tilework.web.limits import BodyLimits, board_json_limits, find_costly_content
from tilework.web.problems import (
    BODY_NOT_JSON,
    BODY_TOO_LARGE,
    INVALID_FIELDS,
    UNSUPPORTED_TYPE,
    ProblemError,
)

Model = TypeVar("Model", bound=BaseModel)

Id = Annotated[str, BeforeValidator(str), WithJsonSchema({"type": "string", "format": "uuid"})]
"""An id in a path, whose form the route has checked."""

_MAX_ERRORS: Final = 50
_MAX_NAME: Final = 60


_NO_OTHERS: Final = ConfigDict(extra="forbid")


def parsed_request(view: Callable[..., Any]) -> Callable[..., Any]:
    """Pass the parts of a request as a view is annotated.

    ``body``, ``header`` and ``query`` are models. Other parameters are parameters of the query if
    they have a default, and otherwise parts of the path.
    """
    hints = get_type_hints(view, include_extras=True)
    del hints["return"]
    query, header, body = (hints.pop(part, None) for part in ("query", "header", "body"))
    defaults = {name: part.default for name, part in signature(view).parameters.items()}
    in_query: dict[str, Any] = {
        name: (kind, defaults[name])
        for name, kind in hints.items()
        if defaults[name] is not Parameter.empty
    }
    in_path: dict[str, Any] = {
        name: (kind, ...) for name, kind in hints.items() if name not in in_query
    }
    path = create_model("Path", **in_path)
    options = create_model("Query", __config__=_NO_OTHERS, **in_query)
    header_fields = header.model_fields if header else {}
    names = [field.alias or name for name, field in header_fields.items()]

    @wraps(view)
    def parse_and_call(**route: Any) -> Any:
        parts: dict[str, Any] = dict(parse(path, route)) if route else {}
        if query:
            parts["query"] = parse(query, query_values(query))
        else:
            parts |= dict(parse(options, query_values(options)))
        if header:
            headers = {name: request.headers[name] for name in names if name in request.headers}
            parts["header"] = parse(header, headers)
        if body:
            if not request.is_json:
                raise ProblemError(UNSUPPORTED_TYPE, unsupported_media_type("application/json"))
            settings = services().settings
            limits = board_json_limits(settings.max_cells, settings.max_body_bytes)
            parts["body"] = parse_json(body, read_body(limits))
        return view(**parts)

    parse_and_call.__delay_validate_request__ = True  # type: ignore[attr-defined]
    # The library describes the models that these annotations name.
    models = {"path": path, "query": query or options, "header": header, "body": body}
    parse_and_call.__annotations__ = {part: model for part, model in models.items() if model}
    return parse_and_call


def query_values(model: type[BaseModel]) -> dict[str, str]:
    """Return the query, without the language if it is not in the model: any request can have it."""
    if not request.query_string:
        return {}
    values = request.args.to_dict()
    if LANGUAGE_PARAMETER not in model.model_fields:
        values.pop(LANGUAGE_PARAMETER, None)
    return values


def parse(model: type[Model], values: Any) -> Model:
    try:
        return model.model_validate(values)
    except ValidationError as error:
        raise _fields_problem(error) from None


def parse_json(model: type[Model], body: bytes) -> Model:
    """Parse JSON strictly: a boolean or a string is not accepted as a number."""
    # Searching for a single letter is ten times as fast as searching for a word.
    if (b"N" in body and b"NaN" in body) or (b"I" in body and b"Infinity" in body):
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
    message = find_costly_content(body, limits)
    if message is not None:
        raise ProblemError(BODY_TOO_LARGE, message)
    return body


def unsupported_media_type(media_types: str) -> Message:
    if request.mimetype.startswith("image/") and "image/" not in media_types:
        return Message(
            "body-picture",
            "send pictures to {address}, check the board it returns, and send that here",
            address=f"{API_ROOT}/pictures",
        )
    return Message(
        "body-type",
        "a body of type {given!r} is not accepted here; send one of: {choices}",
        given=request.mimetype[:100],
        choices=media_types,
    )


def _fields_problem(error: ValidationError) -> ProblemError:
    errors = error.errors(include_url=False)[:_MAX_ERRORS]
    problems = [
        {"pointer": _pointer(item["loc"]), "detail": translate(describe_error(item))}
        for item in errors
    ]
    return ProblemError(
        INVALID_FIELDS,
        Message(
            "fields",
            "{errors}",
            errors="; ".join(": ".join(filter(None, problem.values())) for problem in problems),
        ),
        errors=problems,
    )


def _pointer(location: tuple[int | str, ...]) -> str:
    """Return a JSON pointer (RFC 6901) with shortened names."""
    pointer = ""
    for part in map(str, location):
        name = part if len(part) <= _MAX_NAME else f"{part[:_MAX_NAME]}…"
        pointer += "/" + name.replace("~", "~0").replace("/", "~1")
    return pointer


_TILES: Final = {"type": "array", "items": {"type": "integer", "minimum": 0}, "minItems": 1}
_TEXT: Final = {"type": "string", "minLength": 1, "examples": ["1 2 3 4 5 6 7 0 8"]}

# pydantic leaves boards to the shared reader, whose errors name the row and the column. pydantic
# itself would report every number once for each form that a board can have.
BoardInput = Annotated[
    Any,
    WithJsonSchema(
        {
            "description": "The board as text in any supported format, as a flat list of tiles, "
            "or as a list of rows. 0 is the blank.",
            "anyOf": [_TEXT, _TILES, {"type": "array", "items": _TILES, "minItems": 1}],
        }
    ),
]
GoalInput = Annotated[
    Any,
    WithJsonSchema(
        {
            "description": f"The goal: {', '.join(GoalName)}, or a board.",
            "default": str(GoalName.BLANK_LAST),
            "anyOf": [
                {"type": "string", "minLength": 1},
                _TILES,
                {"type": "array", "items": _TILES, "minItems": 1},
            ],
        }
    ),
]
Width = Annotated[
    int | None,
    Field(ge=1, le=MAX_SIDE, description="The number of columns of a flat, non-square list."),
]


TaskSeconds = Annotated[
    float | None,
    Field(gt=0, le=MAX_SECONDS, allow_inf_nan=False, description="The time limit, in seconds."),
]


class BoardFields(BaseModel):
    """A board and its goal."""

    model_config = ConfigDict(extra="forbid")

    board: BoardInput = Field()
    goal: GoalInput = GoalName.BLANK_LAST
    width: Width = None

    def puzzle(self) -> tuple[Board, Board]:
        start = parse_board(self.board, self.width)
        return start, parse_goal(self.goal, start.size)


class GoalField(BaseModel):
    """The goal of the boards in a request."""

    goal: GoalInput = GoalName.BLANK_LAST


def parse_board(value: object, width: int | None) -> Board:
    """Read a board, and note for the answer how it was read if that is not the plain form."""
    reading = read_board_json(value, width, max_cells=services().settings.max_cells)
    g.read_as = reading.describe()
    return reading.board


def parse_goal(value: object, size: Size) -> Board:
    if isinstance(value, str):
        return read_goal(value, size)
    goal = read_board_json(value, size.width, max_cells=size.cells).board
    if goal.size != size:
        raise BoardError(goal_size(goal.size, size))
    return goal
