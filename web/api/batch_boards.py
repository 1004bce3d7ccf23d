"""Parsing the boards in a batch: JSON, or text with one board per line."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from itertools import islice
from typing import Any, Final

from flask import request
from flask_openapi import RequestBody
from pydantic import Field

from tilework.core.errors import InputError, OptionError
from tilework.core.formats.board_list import (
    BoardLine,
    board_lines,
    describe_line_error,
)
from tilework.core.formats.spellings import decode
from tilework.core.messages import Message, plural
from tilework.core.model.job_options import JobOptions
from tilework.core.puzzle.board import Board, Size
from tilework.core.services.jobs.submit import check_board
from tilework.web.api.request_parsing import (
    BoardInput,
    GoalField,
    Width,
    decode_json,
    parse,
    parse_board,
    parse_goal,
    parse_json,
    query_values,
    read_body,
    unsupported_media_type,
)
from tilework.web.clients import services
from tilework.web.i18n import translate
from tilework.web.limits import batch_json_limits
from tilework.web.problems import BODY_NOT_TEXT, INVALID_LINES, UNSUPPORTED_TYPE, ProblemError

Items = list[tuple[Board, Board]]

_TEXT: Final = "text/plain"
_OBJECT: Final = re.compile(rb"\s*\{")

_LINES_PER_BOARD: Final = 10
"""How many lines of text, empty ones and comments included, are accepted per board."""


class BatchOptions(JobOptions, GoalField):
    """The options for all boards in a batch. ``width`` is for boards that do not state one."""

    width: Width = None


class BatchRequest(BatchOptions):
    """The boards in a batch and the options for all of them."""

    boards: list[BoardInput] = Field(min_length=1)


def parse_batch(query: BatchOptions) -> tuple[BatchOptions, Items]:
    """Parse the boards of this request. With a list or text, the options are in the query."""
    if request.mimetype == _TEXT:
        return query, _parse_text(query)
    if not request.is_json:
        raise ProblemError(UNSUPPORTED_TYPE, unsupported_media_type(f"application/json, {_TEXT}"))
    body = read_body(batch_json_limits(services().settings))
    if not _OBJECT.match(body):
        options = parse(BatchRequest, {**query_values(BatchOptions), "boards": decode_json(body)})
    elif query.model_fields_set:
        raise OptionError(
            "batch-query",
            "with an object, the options belong in the body; remove {names} from the query",
            names=", ".join(sorted(query.model_fields_set)),
        )
    else:
        options = parse_json(BatchRequest, body)
    readers = (
        (f"/boards/{index}", _make_reader(value, options.width))
        for index, value in enumerate(options.boards)
    )
    return options, _parse_all(len(options.boards), "pointer", readers, options)


def _parse_text(options: BatchOptions) -> Items:
    text = decode(request.get_data(cache=False))
    if text is None:
        raise ProblemError(BODY_NOT_TEXT, Message("body-text", "The body is not text."))
    settings = services().settings
    max_lines = _LINES_PER_BOARD * settings.max_batch
    texts = text.split("\n", max_lines)
    if len(texts) > max_lines:
        raise OptionError(
            "batch-lines",
            "the body has more than {max} lines; remove empty lines and comments",
            max=max_lines,
        )
    # One line over the limit is enough to reject the batch.
    boards = board_lines(texts, options.width, settings.max_cells)
    lines = list(islice(boards, settings.max_batch + 1))
    if not lines:
        raise ProblemError(
            INVALID_LINES,
            Message("no-lines", "The body contains no board; write one per line."),
            errors=[],
        )

    def make_line_reader(line: BoardLine) -> Callable[[], Board]:
        return lambda: line.read().board

    return _parse_all(
        len(lines), "line", ((line.number, make_line_reader(line)) for line in lines), options
    )


def _make_reader(value: object, width: int | None) -> Callable[[], Board]:
    return lambda: parse_board(value, width)


def _parse_all(
    count: int,
    position_name: str,
    readers: Iterable[tuple[int | str, Callable[[], Board]]],
    options: BatchOptions,
) -> Items:
    settings = services().settings
    if count > settings.max_batch:
        raise OptionError(
            "batch-boards",
            "a batch accepts at most {max} boards; send the others in another batch",
            max=settings.max_batch,
        )
    items: Items = []
    goals: dict[Size, Board] = {}
    errors: list[dict[str, Any]] = []
    first_error: Message | None = None
    for position, read in readers:
        try:
            board = read()
            if board.size not in goals:
                goals[board.size] = parse_goal(options.goal, board.size)
            goal = goals[board.size]
            check_board(board, goal, options, settings)
            items.append((board, goal))
        except InputError as error:
            reason = describe_line_error(error)
            first_error = first_error or reason
            errors.append(
                {position_name: position, "detail": translate(reason), "code": reason.code}
            )
    if errors:
        raise ProblemError(
            INVALID_LINES,
            plural(
                "invalid-lines",
                "{count} of {total} boards is invalid, the first at {kind} {position}: {error}",
                "{count} of {total} boards are invalid, the first at {kind} {position}: {error}",
                count=len(errors),
                total=count,
                kind=position_name,
                position=errors[0][position_name],
                error=first_error,
            ),
            errors=errors,
        )
    return items


def batch_body() -> RequestBody:
    template = "#/components/schemas/{model}"
    object_schema = BatchRequest.model_json_schema(ref_template=template)
    # POST /jobs already defines these schemas, so they need not be repeated.
    object_schema.pop("$defs", None)
    boards = object_schema["properties"]["boards"]
    return RequestBody.model_validate(
        {
            "required": True,
            "content": {
                "application/json": {"schema": {"anyOf": [object_schema, boards]}},
                _TEXT: {
                    "schema": {"type": "string"},
                    "example": "1 2 3 4 5 6 7 0 8\nnamed 4 2 1 2 3 4 5 6 0 7\n",
                },
            },
        }
    )
