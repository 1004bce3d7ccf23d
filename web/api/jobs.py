"""``/jobs``: submitting, polling, listing and cancelling jobs."""

from __future__ import annotations

from functools import partial
from typing import Final
from uuid import UUID

from flask import Response
from flask_openapi import APIBlueprint, Tag
from pydantic import BaseModel, Field, RootModel

from tilework.core.model.job_options import JobOptions
from tilework.core.model.jobs import JobView
from tilework.core.puzzle.board import MAX_SIDE
from tilework.core.puzzle.moves import MoveSequence
from tilework.core.services.jobs.document import API_ROOT, job_url
from tilework.core.services.jobs.submission import Submission
from tilework.web.api.documents import (
    MAX_INLINE_MOVES,
    NOT_MODIFIED,
    RETRY_AFTER_S,
    ActivityDocument,
    BoundEventDocument,
    BriefJobDocument,
    BriefJobsDocument,
    BriefSolvedJobDocument,
    HistoryDocument,
    JobDocument,
    JobsDocument,
    SolvedJobDocument,
    json_response,
    next_page,
    problem_responses,
)
from tilework.web.api.polling import (
    FollowQuery,
    respond_to_poll,
    with_etag,
)
from tilework.web.api.request_parsing import (
    BoardInput,
    GoalField,
    Width,
    parse_board,
    parse_goal,
    parsed_request,
)
from tilework.web.clients import current_client_id, known_client_id, services
from tilework.web.events import (
    STREAM_RESPONSES,
    LastEventHeader,
    StreamQuery,
    respond_with_events,
)
from tilework.web.i18n import set_language_headers
from tilework.web.middleware import cache_while_current

MAX_PAGE: Final = 200

api = APIBlueprint("jobs", __name__, url_prefix=f"{API_ROOT}/jobs", abp_tags=[Tag(name="jobs")])


class JobRequest(JobOptions, GoalField):
    """A board to solve, and the options."""

    board: BoardInput = Field()
    width: Width = None
    callback_url: str | None = Field(
        None,
        min_length=1,
        description="A URL that receives the job, without its boards, by POST when the job ends. "
        "Its scheme, host and port must be allowed by the operator of the service.",
        examples=["https://example.com/solved"],
    )
    fresh: bool = Field(
        False,
        description="Search even if the answer is already known, to measure the algorithm. The "
        "result is not shared with other jobs.",
    )


class JobPath(BaseModel):
    """The id of a job."""

    job_id: UUID


class IdempotencyHeader(BaseModel):
    """A repeated request with the same key gets the response to the first one."""

    key: str | None = Field(None, alias="Idempotency-Key", min_length=1, max_length=255)


class BriefQuery(BaseModel):
    """Which fields to return."""

    brief: bool = Field(
        False, description="Whether to omit board and goal, which never change and can be large."
    )


class PollQuery(FollowQuery, BriefQuery):
    """How long to wait, and which fields to return."""


class JobStreamQuery(StreamQuery, BriefQuery):
    """Which version the client already has, and which fields to return."""


class ShownJob(RootModel[JobDocument | BriefJobDocument]):
    """A job. With brief, its boards are omitted."""


class ShownSolvedJob(RootModel[SolvedJobDocument | BriefSolvedJobDocument]):
    """A job that was answered immediately. With brief, its boards are omitted."""


class ShownJobs(RootModel[JobsDocument | BriefJobsDocument]):
    """A page of jobs, newest first. With brief, their boards are omitted."""


class PageQuery(BriefQuery):
    """Which jobs and which fields to return."""

    limit: int = Field(50, ge=1, le=MAX_PAGE)
    before: UUID | None = Field(None, description="The id of the last job of the previous page.")


@api.post(
    "",
    operation_id="submitJob",
    responses={
        200: ShownSolvedJob,
        202: ShownJob,
        **problem_responses(400, 401, 403, 409, 413, 415, 422, 429, 503),
    },
)
@parsed_request
def submit(body: JobRequest, header: IdempotencyHeader, query: BriefQuery) -> Response:
    """Submit a board.

    The status is 200, with the solution, if a good enough solution is already known. Otherwise it
    is 202, and Location is the URL of the job.
    """
    board = parse_board(body.board, body.width)
    submission = Submission(
        client_id=current_client_id(),
        boards=[(board, parse_goal(body.goal, board.size))],
        options=body,
        idempotency_key=header.key,
        callback_url=body.callback_url,
        fresh=body.fresh,
    )
    view = services().submit(submission, brief=query.brief)
    url = job_url(view.id)
    if not view.finished:
        pending_job = _document_type(query).model_validate(view)
        return set_language_headers(
            json_response(pending_job, 202, Location=url, Retry_After=RETRY_AFTER_S)
        )
    document_type = BriefSolvedJobDocument if query.brief else SolvedJobDocument
    document = document_type.model_validate(view)
    if view.upper_bound is not None and view.upper_bound <= MAX_INLINE_MOVES:
        solution = view.solution or services().read.solution(view.id)
        if solution is not None and _is_inline(solution.moves, view):
            document.add_moves(solution.moves)
    return set_language_headers(json_response(document, Location=url))


@api.get("", operation_id="listJobs", responses={200: ShownJobs, **problem_responses(401, 422)})
@parsed_request
def jobs(query: PageQuery) -> Response:
    """List this client's jobs, newest first."""
    client_id = known_client_id()
    before = str(query.before) if query.before else None
    cells = 0 if query.brief else MAX_SIDE**2
    views = (
        services().read.list_jobs(client_id, query.limit, before, cells=cells) if client_id else []
    )
    next_url = None
    if len(views) == query.limit:
        brief = "true" if query.brief else None
        next_url = next_page(views[-1].id, limit=query.limit, brief=brief)
    page = (BriefJobsDocument if query.brief else JobsDocument).model_validate(
        {"jobs": views, "next": next_url}
    )
    return set_language_headers(json_response(page, Cache_Control="private, no-store"))


@api.get(
    "/<uuid:job_id>",
    operation_id="readJob",
    responses={
        200: ShownJob,
        304: NOT_MODIFIED,
        **problem_responses(404, 422),
    },
)
@parsed_request
def job(path: JobPath, query: PollQuery) -> Response:
    """Retrieve a job. With wait, the response is sent once the job has changed.

    The ETag is the version, followed by the language of the message if that is not English. It
    does not change with the fields that are computed for each response: queue_position,
    nodes_per_s, seconds_left, threshold_seconds_left, their factors, building, preparing_s and,
    after the end, improvement. Anyone who knows the URL can read the job.
    """
    job_id = str(path.job_id)
    read = services().read
    version = partial(read.version, job_id)

    def render(view: JobView) -> Response:
        if view.finished and not query.wait:
            cache_while_current(view.version, version)
        return json_response(_document_type(query).model_validate(view))

    view = partial(read.view, job_id, brief=query.brief)
    wait = partial(read.wait, job_id, brief=query.brief)
    return respond_to_poll(query, version, view, wait, render)


@api.get("/<uuid:job_id>/events", operation_id="followJob", responses=STREAM_RESPONSES)
@parsed_request
def events(path: JobPath, query: JobStreamQuery, header: LastEventHeader) -> Response:
    """Stream the versions of a job as server-sent events until it ends.

    The data of an event is the job, and its id is the version. Versions that replace each other
    quickly may be skipped, but never the last one. A stream ends after a few minutes; connect
    again with the header Last-Event-ID, as browsers do.
    """
    read = services().read
    view = partial(read.view, brief=query.brief)
    last_version = header.last_event_id or query.since
    return respond_with_events(
        last_version, read, path.job_id, view, _document_type(query).model_validate
    )


@api.delete(
    "/<uuid:job_id>",
    operation_id="cancelJob",
    responses={200: ShownJob, **problem_responses(401, 403, 404, 422, 429)},
)
@parsed_request
def cancel(path: JobPath, query: BriefQuery) -> Response:
    """Cancel one of this client's jobs. A job that has ended does not change."""
    view = services().cancel(str(path.job_id), known_client_id() or "", brief=query.brief)
    return with_etag(json_response(_document_type(query).model_validate(view)), view.version)


@api.get(
    "/<uuid:job_id>/history",
    operation_id="readHistory",
    responses={200: HistoryDocument, **problem_responses(404)},
)
@parsed_request
def history(path: JobPath) -> Response:
    """Retrieve the bounds of a job over time."""
    events = services().read.history(str(path.job_id))
    return json_response(
        HistoryDocument(events=[BoundEventDocument.model_validate(event) for event in events])
    )


@api.get(
    "/<uuid:job_id>/activity",
    operation_id="readActivity",
    responses={200: ActivityDocument, **problem_responses(404)},
)
@parsed_request
def activity(path: JobPath) -> Response:
    """Retrieve the current activity of the workers on a job."""
    view = services().read.activity(str(path.job_id))
    return json_response(ActivityDocument.model_validate(view), Cache_Control="no-store")


def _is_inline(moves: MoveSequence, view: JobView) -> bool:
    # If the submission was repeated, a better solution may have been found since the job ended.
    is_current = view.options.metric.length(moves) == view.upper_bound
    return is_current and len(moves) <= MAX_INLINE_MOVES


def _document_type(query: BriefQuery) -> type[BriefJobDocument]:
    return BriefJobDocument if query.brief else JobDocument
