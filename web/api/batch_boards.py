"""The boards of a batch as a body gives them: JSON, or text with one a line."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Final

from flask import request
from flask_openapi import RequestBody
from pydantic import Field
from werkzeug.exceptions import UnsupportedMediaType

from core.errors import BoardSyntaxError, InputError, OptionError
from core.formats.board_lines import board_lines
from core.puzzle.board import Board, Size
from core.services.jobs.submission import check_item
from web.api.boards_in import BoardInput, OptionFields, Width, board_of, goal_of
from web.api.request_models import fill, json_body
from web.clients import services
from web.problems import BODY_NOT_TEXT, LINES, ProblemError

Items = list[tuple[Board, Board]]

_TEXT: Final = "text/plain"


class BatchOptions(OptionFields):
    """How the boards of a batch are to be solved; ``width`` is for those that do not state it."""

    width: Width = None


class BatchRequest(BatchOptions):
    """Boards, and how all of them are to be solved."""

    boards: list[BoardInput] = Field(min_length=1)


def read_batch() -> tuple[BatchOptions, Items]:
    """Read the boards of this request and the options for them.

    JSON is an object with both, or a list of boards; for a list and for text the options are in
    the query.

    Raises
    ------
    ProblemError
        With every board that is none, or every field that does not fit.
    """
    if request.mimetype == _TEXT:
        options = fill(BatchOptions, request.args.to_dict())
        return options, _boards_of_text(options)
    if not request.is_json:
        raise UnsupportedMediaType(
            f"a body of type {request.mimetype!r} is not read here; "
            f"send application/json or {_TEXT}"
        )
    body = json_body()
    if isinstance(body, list):
        body = {**request.args.to_dict(), "boards": body}
    options = fill(BatchRequest, body if isinstance(body, dict) else {"boards": body})
    readers = (
        (f"/boards/{place}", _reader(value, options.width))
        for place, value in enumerate(options.boards)
    )
    return options, _read_all(len(options.boards), "pointer", readers, options)


def _boards_of_text(options: BatchOptions) -> Items:
    try:
        text = request.get_data(cache=False).decode()
    except UnicodeDecodeError as error:
        raise ProblemError(BODY_NOT_TEXT, f"byte {error.start + 1} is not UTF-8") from None
    lines = list(board_lines(text.splitlines()))
    if not lines:
        raise ProblemError(LINES, "The body holds no board; write one a line.", errors=[])

    def reader(line: Any) -> Callable[[], Board]:
        return lambda: line.board(options.width)

    return _read_all(len(lines), "line", ((line.number, reader(line)) for line in lines), options)


def _reader(value: object, width: int | None) -> Callable[[], Board]:
    return lambda: board_of(value, width)


def _read_all(
    count: int,
    place_name: str,
    readers: Iterable[tuple[int | str, Callable[[], Board]]],
    options: BatchOptions,
) -> Items:
    settings = services().settings
    if count > settings.max_batch:
        raise OptionError(
            f"{count} boards are too many; a batch takes at most {settings.max_batch}"
        )
    items: Items = []
    goals: dict[Size, Board] = {}
    errors: list[dict[str, Any]] = []
    for place, read in readers:
        try:
            board = read()
            if board.size not in goals:
                goals[board.size] = goal_of(options.goal, board.size)
            goal = goals[board.size]
            check_item(board, goal, options.algorithm, options.heuristic, settings)
            items.append((board, goal))
        except InputError as error:
            errors.append({place_name: place, "detail": _words(error)})
    if errors:
        raise ProblemError(
            LINES,
            f"{len(errors)} of {count} boards cannot be used, the first at "
            f"{place_name} {errors[0][place_name]}: {errors[0]['detail']}",
            errors=errors,
        )
    return items


def _words(error: InputError) -> str:
    """Return the message without the line: it counts within the board, not within the body."""
    words = str(error)
    if isinstance(error, BoardSyntaxError) and error.line == 1:
        return words.removeprefix("line 1, ")
    return words


def batch_body() -> RequestBody:
    """Describe what ``read_batch`` reads."""
    template = "#/components/schemas/{model}"
    as_object = BatchRequest.model_json_schema(ref_template=template)
    # The description of POST /jobs brings these.
    as_object.pop("$defs", None)
    boards = as_object["properties"]["boards"]
    return RequestBody.model_validate(
        {
            "required": True,
            "content": {
                "application/json": {"schema": {"anyOf": [as_object, boards]}},
                _TEXT: {
                    "schema": {"type": "string"},
                    "example": "1 2 3 4 5 6 7 0 8\nnamed 4 2 1 2 3 4 5 6 0 7\n",
                },
            },
        }
    )
