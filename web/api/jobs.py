"""``/jobs``: submitting, polling, listing and cancelling jobs."""

from __future__ import annotations

from functools import partial
from typing import Annotated, Final
from uuid import UUID

from flask import Response
from flask_openapi import APIBlueprint, Tag
from pydantic import BaseModel, Field

from tilework.core.links import API_ROOT, job_url, with_job_links
from tilework.core.model.activity import ActivityView
from tilework.core.model.farm.solves import BoundEventView
from tilework.core.model.job_options import JobOptions
from tilework.core.model.jobs import JobView
from tilework.core.puzzle.board import MAX_SIDE
from tilework.core.puzzle.metric import count_slides
from tilework.core.puzzle.moves import MoveSequence, to_letters
from tilework.core.services.jobs.submit import Submission
from tilework.web.api.documents import (
    MAX_INLINE_MOVES,
    Document,
    NextPage,
    current_reading,
    json_response,
    next_page,
)
from tilework.web.api.operation_decorator import operation, poll_responses, submission_responses
from tilework.web.api.polling import (
    Since,
    Wait,
    WaitSeconds,
    accepted_response,
    respond_to_poll,
    wait_for_end,
    with_etag,
)
from tilework.web.api.request_parsing import (
    BoardInput,
    GoalField,
    Id,
    Width,
    parse_board,
    parse_goal,
)
from tilework.web.clients import current_client_id, known_client_id, services
from tilework.web.events import STREAM_RESPONSES, LastEventHeader, SeenVersion, respond_with_events
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


class IdempotencyHeader(BaseModel):
    """A repeated request with the same key gets the response to the first one."""

    key: str | None = Field(None, alias="Idempotency-Key", min_length=1, max_length=255)


Brief = Annotated[
    bool,
    Field(description="Whether to omit board and goal, which never change and can be large."),
]


WaitForEnd = Annotated[
    WaitSeconds,
    Field(description="How many seconds to wait, up to 20, for the end of the search."),
]


class JobPage(Document):
    """A page of jobs, newest first."""

    jobs: list[JobView]
    next: NextPage


class BoundsHistory(Document):
    """How a job's bounds improved, oldest event first."""

    events: list[BoundEventView] = Field(
        description="The events. Some are omitted if there are several hundred, but never the "
        "first or the last."
    )


@operation(api.post, "", "submitJob", submission_responses(JobView), 409, 503)
def submit(
    body: JobRequest, header: IdempotencyHeader, brief: Brief = False, wait: WaitForEnd = 0
) -> Response:
    """Submit a board.

    The status is 200, with the solution, if a good enough solution is already known or is found
    within the time to wait. Otherwise it is 202, and Location is the URL of the job.
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
    view = services().submit(submission, brief=brief)
    if wait and not view.finished:
        view = wait_for_end(view.id, wait, brief=brief)
    shown: dict[str, object] = {"read_as": current_reading()}
    if view.finished and view.upper_bound is not None and view.upper_bound <= MAX_INLINE_MOVES:
        solution = view.solution or services().read.solution(view.id)
        if solution is not None and _is_inline(solution.moves, view):
            moves = solution.moves
            shown |= {"moves": to_letters(moves), "slides": count_slides(moves)}
    return accepted_response(
        with_job_links(view, **shown), job_url(view.id), finished=view.finished
    )


@operation(api.get, "", "listJobs", JobPage, 401)
def jobs(
    brief: Brief = False,
    limit: Annotated[int, Field(ge=1, le=MAX_PAGE)] = 50,
    before: Annotated[
        UUID | None, Field(description="The id of the last job of the previous page.")
    ] = None,
) -> Response:
    """List this client's jobs, newest first."""
    client_id = known_client_id()
    views, next_url = [], None
    if client_id is not None:
        cells = 0 if brief else MAX_SIDE**2
        before_id = None if before is None else str(before)
        views = services().read.list_jobs(client_id, limit, before_id, cells=cells)
    if len(views) == limit:
        next_url = next_page(views[-1].id, limit=limit, brief="true" if brief else None)
    page = JobPage(jobs=list(map(with_job_links, views)), next=next_url)
    return set_language_headers(json_response(page, Cache_Control="private, no-store"))


@operation(api.get, "/<uuid:job_id>", "readJob", poll_responses(JobView))
def job(job_id: Id, brief: Brief = False, wait: Wait = 0, since: Since = None) -> Response:
    """Retrieve a job. With wait, the response is sent once the job has changed.

    The ETag is the version, followed by the language of the message if that is not English.
    Anyone who knows the URL can read the job. Its activity has the details of running work.
    """
    read = services().read
    version = partial(read.version, job_id)

    def render(view: JobView) -> Response:
        if view.finished and not wait:
            cache_while_current(view.version, version)
        return json_response(with_job_links(view))

    view = partial(read.view, job_id, brief=brief)
    wait_for = partial(read.wait, job_id, brief=brief)
    return respond_to_poll(wait, since, version, view=view, wait=wait_for, render=render)


@operation(api.get, "/<uuid:job_id>/events", "followJob", STREAM_RESPONSES, 401, 429, 503)
def events(
    job_id: Id, header: LastEventHeader, brief: Brief = False, since: SeenVersion = None
) -> Response:
    """Stream the versions of a job as server-sent events until it ends.

    The data of an event is the job, and its id is the version. Versions that replace each other
    quickly may be skipped, but never the last one. A stream ends after a few minutes; connect
    again with the header Last-Event-ID, as browsers do.
    """
    read = services().read
    view = partial(read.view, brief=brief)
    last_version = header.last_event_id or since
    return respond_with_events(last_version, read, job_id, view, with_job_links)


@operation(api.delete, "/<uuid:job_id>", "cancelJob", JobView)
def cancel(job_id: Id, brief: Brief = False) -> Response:
    """Cancel one of this client's jobs. A job that has ended does not change."""
    view = services().cancel(job_id, known_client_id() or "", brief=brief)
    return with_etag(json_response(with_job_links(view)), view.version)


@operation(api.get, "/<uuid:job_id>/history", "readHistory", BoundsHistory)
def history(job_id: Id) -> Response:
    """Retrieve the bounds of a job over time."""
    events = services().read.history(job_id)
    return json_response(BoundsHistory(events=events))


@operation(api.get, "/<uuid:job_id>/activity", "readActivity", ActivityView)
def activity(job_id: Id) -> Response:
    """Retrieve what the workers do for a job, what they have tried, and how long it may take."""
    return json_response(services().read.activity(job_id), Cache_Control="no-store")


def _is_inline(moves: MoveSequence, view: JobView) -> bool:
    # If the submission was repeated, a better solution may have been found since the job ended.
    is_current = view.options.metric.length(moves) == view.upper_bound
    return is_current and len(moves) <= MAX_INLINE_MOVES
