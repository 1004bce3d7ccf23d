"""``/batches``: submitting many boards in one request, as JSON or as lines of text."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import islice
from typing import Any, Final, Literal

from flask import Response, request
from flask_openapi import APIBlueprint, RequestBody, Tag
from pydantic import BaseModel, Field

from tilework.core.assembly import Services
from tilework.core.errors import InputError, OptionError, OverloadError
from tilework.core.formats.board_list import BoardLine, board_lines, describe_line_error
from tilework.core.formats.downloads import board_cell, csv_lines, stream_zip
from tilework.core.formats.solutions import format_letters, format_runs
from tilework.core.formats.spellings import decode
from tilework.core.links import API_ROOT, batch_url, with_batch_links
from tilework.core.messages import Message, plural
from tilework.core.model.batches import BatchResult, BatchView
from tilework.core.model.job_options import JobOptions
from tilework.core.model.jobs import JobView
from tilework.core.model.views import list_tiles
from tilework.core.puzzle.board import Board, Size
from tilework.core.puzzle.moves import to_letters
from tilework.core.services.jobs.submit import Submission, check_board
from tilework.web.api.documents import RETRY_AFTER_S, json_response
from tilework.web.api.jobs import IdempotencyHeader
from tilework.web.api.operation_decorator import operation, poll_responses
from tilework.web.api.polling import Since, Wait, poll_response
from tilework.web.api.request_parsing import (
    BoardInput,
    GoalField,
    Id,
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
from tilework.web.clients import current_client_id, services
from tilework.web.events import STREAM_RESPONSES, LastEventHeader, SeenVersion, respond_with_events
from tilework.web.i18n import set_language_headers, translate
from tilework.web.limits import batch_json_limits
from tilework.web.problems import BODY_NOT_TEXT, INVALID_LINES, UNSUPPORTED_TYPE, ProblemError

Items = list[tuple[Board, Board]]

_ARCHIVE_SLOTS: Final = threading.BoundedSemaphore(2)
"""Limits how many archives this process sends at the same time; each can take minutes."""

_EXTENSIONS: Final = {"udlr": "txt", "runs": "txt"}
_TEXT: Final = "text/plain"
_OBJECT: Final = re.compile(rb"\s*\{")

_LINES_PER_BOARD: Final = 10
"""How many lines of text, empty ones and comments included, are accepted per board."""


api = APIBlueprint(
    "batches", __name__, url_prefix=f"{API_ROOT}/batches", abp_tags=[Tag(name="batches")]
)


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
        (f"/boards/{index}", partial(parse_board, value, options.width))
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

    readers = ((line.number, partial(_read_line, line)) for line in lines)
    return _parse_all(len(lines), "line", readers, options)


def _read_line(line: BoardLine) -> Board:
    return line.read().board


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


class BatchResultsQuery(BaseModel, extra="forbid"):
    """The format of the results."""

    format: Literal["csv", "jsonl", "udlr", "runs"] = "jsonl"


@operation(
    api.post,
    "",
    "submitBatch",
    {202: BatchView},
    400,
    409,
    413,
    415,
    503,
    request_body=batch_body(),
)
def submit(header: IdempotencyHeader, query: BatchOptions) -> Response:
    """Submit up to 10,000 boards, as JSON or as text with one board per line.

    A line is a board in any format that fits on one line, or a name, the width, the height and
    the tiles. The query has the options for text and for a list of boards. If any board is
    invalid, all invalid boards are reported and nothing is submitted. Unsolvable boards become
    failed jobs.
    """
    options, items = parse_batch(query)
    submission = Submission(
        client_id=current_client_id(), boards=items, options=options, idempotency_key=header.key
    )
    view = services().submit_batch(submission)
    return json_response(
        with_batch_links(view),
        202,
        Location=batch_url(view.id),
        Retry_After=RETRY_AFTER_S,
    )


@operation(api.get, "/<uuid:batch_id>", "readBatch", poll_responses(BatchView))
def batch(batch_id: Id, wait: Wait = 0, since: Since = None) -> Response:
    """Retrieve a batch and its progress. With wait, the response is sent once it has changed."""
    reader = services().read_batch
    return poll_response(wait, since, reader, batch_id, with_batch_links)


@operation(api.get, "/<uuid:batch_id>/events", "followBatch", STREAM_RESPONSES, 401, 429, 503)
def events(batch_id: Id, header: LastEventHeader, since: SeenVersion = None) -> Response:
    """Stream the versions of a batch as server-sent events until all its jobs have ended.

    The data of an event is the batch, and its id is the version. The stream of a job has details.
    """
    reader = services().read_batch
    last_version = header.last_event_id or since
    return respond_with_events(last_version, reader, batch_id, reader.view, with_batch_links)


@operation(
    api.get,
    "/<uuid:batch_id>/results",
    "readResults",
    {
        200: {
            "description": "One line per board, in the order of submission",
            "content": {
                "application/jsonl": {"schema": {"type": "string"}},
                "text/csv": {"schema": {"type": "string"}},
                "text/plain": {"schema": {"type": "string"}},
            },
        }
    },
)
def results(batch_id: Id, query: BatchResultsQuery) -> Response:
    """Stream the results of a batch. The formats ``udlr`` and ``runs`` contain only the moves.

    ``index`` counts from 1. ``upper_bound`` is the length of the solution, ``optimal`` says
    whether it is proven optimal, and ``moves`` is the solution itself. ``algorithm`` and
    ``heuristic`` found it. ``nodes`` and ``seconds`` are the effort of the search, without
    ``wait_seconds``, the time that the job waited for a worker.
    """
    batch_results = services().read_batch.results(batch_id)
    if query.format == "csv":
        response = Response(format_table(batch_results), content_type="text/csv; charset=utf-8")
    elif query.format == "jsonl":
        response = Response(format_json_lines(batch_results), content_type="application/jsonl")
    else:
        lines = format_move_lines(batch_results, in_runs=query.format == "runs")
        response = Response(lines, content_type="text/plain; charset=utf-8")
    name = f"tilework-batch-{batch_id}.{_EXTENSIONS.get(query.format, query.format)}"
    response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return set_language_headers(response)


@operation(
    api.get,
    "/<uuid:batch_id>/certificates",
    "readCertificates",
    {
        200: {
            "description": "One JSON file for each board with a solution",
            "content": {"application/zip": {"schema": {"type": "string", "format": "binary"}}},
        }
    },
    503,
)
def certificates(batch_id: Id) -> Response:
    """Download the certificates of all solved boards of a batch as a ZIP file.

    File names begin with the number of the board, from 1.
    """
    view = services().read_batch.view(batch_id)
    if not _ARCHIVE_SLOTS.acquire(blocking=False):
        raise OverloadError(
            "archives-at-once",
            "other certificates are being downloaded right now; try again in a minute",
            retry_after_s=60,
        )
    files = _certificate_files(services(), view.id)
    response = Response(stream_zip(files), content_type="application/zip")
    response.call_on_close(_ARCHIVE_SLOTS.release)
    name = f"tilework-certificates-{batch_id}.zip"
    response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


def _certificate_files(
    app_services: Services, batch_id: str
) -> Iterator[tuple[str, Iterable[str]]]:
    reader = app_services.read_batch
    figures = reader.figures(batch_id)
    solved = [job.batch_index for job in figures if job.is_solved]
    for job in reader.jobs(batch_id, solved):
        certificate = app_services.certificate(job.id)
        if certificate is not None:
            size, moves = f"{job.width}x{job.height}", len(certificate.solution.moves)
            yield f"{_number(job):05}-{size}-{moves}.json", certificate.chunks


_COLUMNS: Final = (
    "index",
    "job_id",
    "state",
    "width",
    "height",
    "lower_bound",
    "upper_bound",
    "optimal",
    "moves",
    "message",
    "board",
    "size",
    "goal",
    "target",
    "algorithm",
    "heuristic",
    "nodes",
    "seconds",
    "wait_seconds",
)


def format_table(results: Iterable[BatchResult]) -> Iterator[str]:
    return csv_lines(_COLUMNS, map(_make_row, results))


def _make_row(result: BatchResult) -> Iterable[object]:
    boards = {"board": result.job.board, "goal": result.job.goal}
    cells = {name: board_cell(list_tiles(board), board.size) for name, board in boards.items()}
    return (_make_record(result) | cells).values()


def format_json_lines(results: Iterable[BatchResult]) -> Iterator[str]:
    for result in results:
        message = result.job.message
        record = _make_record(result) | {"message_code": None if message is None else message.code}
        yield json.dumps(record, ensure_ascii=False, separators=(",", ":")) + "\n"


def format_move_lines(results: Iterable[BatchResult], *, in_runs: bool) -> Iterator[str]:
    """Yield one line of moves per board, empty for a board without a solution."""
    write = format_runs if in_runs else format_letters
    for result in results:
        if result.moves is not None:
            yield from write(result.moves)
        yield "\n"


def _make_record(result: BatchResult) -> dict[str, Any]:
    job, board = result.job, result.job.board
    values = (
        *(_number(job), job.id, job.state, job.width, job.height),
        *(job.lower_bound, job.upper_bound, result.optimal),
        None if result.moves is None else to_letters(result.moves),
        None if job.message is None else translate(job.message),
        *(list_tiles(board), str(board.size), list_tiles(job.goal)),
        *(job.options.target, result.algorithm, result.heuristic),
        *(job.nodes, job.search_s, result.wait_seconds),
    )
    return dict(zip(_COLUMNS, values, strict=True))


def _number(job: JobView) -> int:
    """Return the number of the board, from 1, as on the page of the batch."""
    return (job.batch_index or 0) + 1
