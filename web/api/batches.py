"""``/batches``: submitting many boards in one request."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterable, Iterator
from typing import Any, Final, Literal
from uuid import UUID

from flask import Response
from flask_openapi import APIBlueprint, Tag
from pydantic import BaseModel

from tilework.core.assembly import Services
from tilework.core.errors import OverloadError
from tilework.core.formats.downloads import board_cell, csv_lines, stream_zip
from tilework.core.formats.solutions import format_letters, format_runs
from tilework.core.links import API_ROOT, batch_url, with_batch_links
from tilework.core.model.batches import BatchResult, BatchView
from tilework.core.model.jobs import JobView
from tilework.core.model.views import list_tiles
from tilework.core.puzzle.moves import to_letters
from tilework.core.services.jobs.submit import Submission
from tilework.web.api.batch_boards import BatchOptions, batch_body, parse_batch
from tilework.web.api.documents import (
    RETRY_AFTER_S,
    json_response,
    problem_responses,
    read_responses,
)
from tilework.web.api.jobs import IdempotencyHeader
from tilework.web.api.polling import FollowQuery, poll_response
from tilework.web.api.request_parsing import parsed_request
from tilework.web.clients import current_client_id, services
from tilework.web.events import (
    STREAM_RESPONSES,
    LastEventHeader,
    StreamQuery,
    respond_with_events,
)
from tilework.web.i18n import set_language_headers, translate

_ARCHIVE_SLOTS: Final = threading.BoundedSemaphore(2)
"""Limits how many archives this process sends at the same time; each can take minutes."""

_EXTENSIONS: Final = {"udlr": "txt", "runs": "txt"}

api = APIBlueprint(
    "batches", __name__, url_prefix=f"{API_ROOT}/batches", abp_tags=[Tag(name="batches")]
)


class BatchPath(BaseModel):
    """The id of a batch."""

    batch_id: UUID


class BatchResultsQuery(BaseModel):
    """The format of the results."""

    format: Literal["csv", "jsonl", "udlr", "runs"] = "jsonl"


@api.post(
    "",
    operation_id="submitBatch",
    request_body=batch_body(),
    responses={
        202: BatchView,
        **problem_responses(400, 401, 403, 409, 413, 415, 422, 429, 503),
    },
)
@parsed_request
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


@api.get(
    "/<uuid:batch_id>",
    operation_id="readBatch",
    responses=read_responses(BatchView),
)
@parsed_request
def batch(path: BatchPath, query: FollowQuery) -> Response:
    """Retrieve a batch and its progress. With wait, the response is sent once it has changed."""
    reader = services().read_batch
    return poll_response(query, reader, path.batch_id, with_batch_links)


@api.get("/<uuid:batch_id>/events", operation_id="followBatch", responses=STREAM_RESPONSES)
@parsed_request
def events(path: BatchPath, query: StreamQuery, header: LastEventHeader) -> Response:
    """Stream the versions of a batch as server-sent events until all its jobs have ended.

    The data of an event is the batch, and its id is the version. The stream of a job has details.
    """
    reader = services().read_batch
    last_version = header.last_event_id or query.since
    return respond_with_events(last_version, reader, path.batch_id, reader.view, with_batch_links)


@api.get(
    "/<uuid:batch_id>/results",
    operation_id="readResults",
    responses={
        200: {
            "description": "One line per board, in the order of submission",
            "content": {
                "application/jsonl": {"schema": {"type": "string"}},
                "text/csv": {"schema": {"type": "string"}},
                "text/plain": {"schema": {"type": "string"}},
            },
        },
        **problem_responses(404, 422),
    },
)
@parsed_request
def results(path: BatchPath, query: BatchResultsQuery) -> Response:
    """Stream the results of a batch. The formats ``udlr`` and ``runs`` contain only the moves.

    ``index`` counts from 1. ``upper_bound`` is the length of the solution, ``optimal`` says
    whether it is proven optimal, and ``moves`` is the solution itself. ``algorithm`` and
    ``heuristic`` found it. ``nodes`` and ``seconds`` are the effort of the search, without
    ``wait_seconds``, the time that the job waited for a worker.
    """
    batch_id = str(path.batch_id)
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


@api.get(
    "/<uuid:batch_id>/certificates",
    operation_id="readCertificates",
    responses={
        200: {
            "description": "One JSON file for each board with a solution",
            "content": {"application/zip": {"schema": {"type": "string", "format": "binary"}}},
        },
        **problem_responses(404, 503),
    },
)
@parsed_request
def certificates(path: BatchPath) -> Response:
    """Download the certificates of all solved boards of a batch as a ZIP file.

    File names begin with the number of the board, from 1.
    """
    batch_id = str(path.batch_id)
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
