"""``/jobs``: submitting a board, following it, cancelling it."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from functools import partial
from typing import Final
from uuid import UUID

from flask import Flask, Response, current_app, url_for
from flask_openapi import APIBlueprint, Tag
from pydantic import BaseModel, Field, RootModel

from tilework.core.model.job_options import MethodOptions
from tilework.core.model.job_views import JobView
from tilework.core.puzzle.board import MAX_SIDE
from tilework.core.services.jobs.document import API_ROOT, job_address
from tilework.core.services.jobs.submission import Submission
from tilework.web.api.board_inputs import BoardInput, GoalField, Width, parse_board, parse_goal
from tilework.web.api.documents import (
    BoundEventDocument,
    BriefJobDocument,
    BriefJobsDocument,
    BriefSolvedJobDocument,
    HistoryDocument,
    JobDocument,
    JobsDocument,
    SolvedJobDocument,
    json_response,
)
from tilework.web.api.polling import (
    FollowQuery,
    respond_to_poll,
    respond_unless_seen,
    wait_for_change,
    with_etag,
)
from tilework.web.api.request_parsing import parsed_request, problem_responses
from tilework.web.clients import current_client_id, known_client_id, services
from tilework.web.i18n import language, set_language_headers

_MOST_BYTES: Final = 4 << 20
_ENTRY: Final = 500
"""Bytes that an answer takes beside its body."""

_LONGEST: Final = 1 << 16
"""Bytes of an answer that is kept: larger ones take their time on the way to the client anyway."""


@dataclass(frozen=True, slots=True)
class Told:
    version: str
    body: bytes


Key = tuple[str, bool, str]
"""A job's id, whether it is without boards, and the language."""


class ResponseCache:
    """Answers of this process, none of them once they are too many."""

    def __init__(self) -> None:
        self._told: dict[Key, Told] = {}
        self._bytes = 0
        self._lock = threading.Lock()

    def get(self, key: Key) -> Told | None:
        """Return what was answered; it holds if the job is still of that version."""
        return self._told.get(key)

    def keep(self, key: Key, told: Told) -> None:
        if len(told.body) > _LONGEST:
            return
        with self._lock:
            before = self._told.pop(key, None)
            if before is not None:
                self._bytes -= _size(before)
            if self._bytes + _size(told) > _MOST_BYTES:
                self._told.clear()
                self._bytes = 0
            self._bytes += _size(told)
            self._told[key] = told


def _size(told: Told) -> int:
    return _ENTRY + len(told.body)


LONGEST_MOVES: Final = 10_000
"""Longer solutions are not put into the answer to a submission; they have an address."""

LONGEST_PAGE: Final = 200
_RETRY_AFTER_S: Final = 1
_ENDED: Final = "tilework-ended-jobs"

api = APIBlueprint("jobs", __name__, url_prefix=f"{API_ROOT}/jobs", abp_tags=[Tag(name="jobs")])


def install_jobs(app: Flask) -> None:
    app.extensions[_ENDED] = ResponseCache()


class JobRequest(MethodOptions, GoalField):
    """A board to solve."""

    board: BoardInput = Field()
    width: Width = None
    callback_url: str | None = Field(
        None,
        min_length=1,
        description="Called by POST when the job ends, with the job as with brief; only where the "
        "service's operator allows its scheme, host and port",
        examples=["https://example.com/solved"],
    )
    fresh: bool = Field(
        False,
        description="Search even if the answer is already known, for the algorithm's own figures. "
        "The result is not shared with other jobs",
    )


class JobPath(BaseModel):
    """A job's address."""

    job_id: UUID


class IdempotencyHeader(BaseModel):
    """A request repeated with the same key gets the answer of the first."""

    key: str | None = Field(None, alias="Idempotency-Key", min_length=1, max_length=255)


class BriefQuery(BaseModel):
    """How much to return."""

    brief: bool = Field(
        False, description="Leave out board and goal, which never change and may be large"
    )


class PollQuery(FollowQuery, BriefQuery):
    """How long to wait, for what, and how much to return."""


class ShownJob(RootModel[JobDocument | BriefJobDocument]):
    """A job and where it stands; with brief, without its boards."""


class ShownSolvedJob(RootModel[SolvedJobDocument | BriefSolvedJobDocument]):
    """A job that was answered at once, with its solution; with brief, without its boards."""


class ShownJobs(RootModel[JobsDocument | BriefJobsDocument]):
    """A page of jobs, newest first; with brief, without their boards."""


class PageQuery(BriefQuery):
    """Which of the jobs, and how much of them."""

    limit: int = Field(50, ge=1, le=LONGEST_PAGE)
    before: UUID | None = Field(None, description="Id of the last job of the page before")


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

    200 with the solution where what is known is good enough; else 202, and the job is at Location.
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
    address = job_address(view.id)
    if not view.finished:
        waiting = _document(query).model_validate(view)
        return set_language_headers(
            json_response(waiting, 202, Location=address, Retry_After=_RETRY_AFTER_S)
        )
    solved = BriefSolvedJobDocument if query.brief else SolvedJobDocument
    document = solved.model_validate(view)
    if view.upper_bound is not None and view.upper_bound <= LONGEST_MOVES:
        solution = view.solution or services().read.solution(view.id)
        if solution is not None:
            document.with_moves(solution.moves)
    return set_language_headers(json_response(document, Location=address))


@api.get("", operation_id="listJobs", responses={200: ShownJobs, **problem_responses(401, 422)})
@parsed_request
def jobs(query: PageQuery) -> Response:
    """List the jobs of this client, newest first."""
    client_id = known_client_id()
    before = str(query.before) if query.before else None
    cells = 0 if query.brief else MAX_SIDE**2
    found = (
        services().read.jobs_of(client_id, query.limit, before, cells=cells) if client_id else []
    )
    next_page = None
    if len(found) == query.limit:
        next_page = url_for(
            ".jobs", limit=query.limit, before=found[-1].id, brief="true" if query.brief else None
        )
    page = (BriefJobsDocument if query.brief else JobsDocument).model_validate(
        {"jobs": found, "next": next_page}
    )
    return set_language_headers(json_response(page, Cache_Control="private, no-store"))


@api.get(
    "/<uuid:job_id>",
    operation_id="readJob",
    responses={
        200: ShownJob,
        304: {"description": "The version is still the one named"},
        **problem_responses(404, 422),
    },
)
@parsed_request
def job(path: JobPath, query: PollQuery) -> Response:
    """Show where a job stands; with wait, once that has changed.

    The ETag is the version, with the language of message where that is not English: it changes
    with all that is kept of the job, not with what is looked up for each answer
    (queue_position, nodes_per_s, seconds_left, threshold_seconds_left, building). Anyone who
    has the address may look.
    """
    job_id = str(path.job_id)
    read = services().read
    version = partial(read.version, job_id)
    ended: ResponseCache = current_app.extensions[_ENDED]
    key = (job_id, query.brief, language())
    if not query.wait and (told := ended.get(key)) is not None and told.version == version():
        return respond_unless_seen(
            told.version, partial(Response, told.body, mimetype="application/json")
        )

    def shown(view: JobView) -> Response:
        written = json_response(_document(query).model_validate(view))
        if view.finished:
            ended.keep(key, Told(view.version, written.get_data()))
        return written

    look = partial(read.view, job_id, brief=query.brief)
    wait = partial(read.wait, job_id, brief=query.brief)
    return respond_to_poll(query, version, partial(wait_for_change, look, wait), shown)


@api.delete(
    "/<uuid:job_id>",
    operation_id="cancelJob",
    responses={200: ShownJob, **problem_responses(401, 403, 404, 422, 429)},
)
@parsed_request
def cancel(path: JobPath, query: BriefQuery) -> Response:
    """Cancel a job of this client; one that has ended stays as it is."""
    view = services().cancel(str(path.job_id), known_client_id() or "", brief=query.brief)
    return with_etag(json_response(_document(query).model_validate(view)), view.version)


@api.get(
    "/<uuid:job_id>/history",
    operation_id="readHistory",
    responses={200: HistoryDocument, **problem_responses(404)},
)
@parsed_request
def history(path: JobPath) -> Response:
    """Show how the bounds improved over time."""
    events = services().read.history(str(path.job_id))
    return json_response(
        HistoryDocument(events=[BoundEventDocument.model_validate(event) for event in events])
    )


def _document(query: BriefQuery) -> type[BriefJobDocument]:
    return BriefJobDocument if query.brief else JobDocument
