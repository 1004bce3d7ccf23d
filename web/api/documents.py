"""The API's responses: models for jobs and tasks, shared fields, and descriptions of statuses."""

from __future__ import annotations

from functools import lru_cache
from typing import Annotated, Any, Final

from flask import Response, g, has_app_context, request, url_for
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, WithJsonSchema
from werkzeug.http import HTTP_STATUS_CODES

from tilework.core.messages import Message
from tilework.core.model.states import RunState
from tilework.core.model.tasks import Question, Task
from tilework.core.puzzle.board import Board
from tilework.core.puzzle.metric import count_slides
from tilework.core.puzzle.moves import MoveSequence, to_letters
from tilework.core.puzzle.packing import unpack_board
from tilework.core.services.jobs.document import Code, JobOutline, Seconds
from tilework.web.i18n import LANGUAGE_PARAMETER, translate
from tilework.web.problems import MEDIA_TYPE, PROBLEM_REFERENCE

RETRY_AFTER_S: Final = 1
"""When clients should ask again for what has not ended."""

MAX_INLINE_MOVES: Final = 10_000
"""Longer solutions, which can be megabytes, are not included in other documents."""

_CACHED_BYTES: Final = 128
"""The largest packed board whose tiles are cached: jobs are polled many times."""


def list_tiles(board: Board) -> list[int]:
    """Return the tiles of `board` row by row."""
    values: list[int] = board.cells.tolist()
    return values


def _unpack(packed: bytes) -> list[int]:
    return list_tiles(unpack_board(packed))


_unpack_with_cache = lru_cache(maxsize=4_096)(_unpack)


def _unpack_tiles(packed: bytes) -> list[int]:
    return (_unpack_with_cache if len(packed) <= _CACHED_BYTES else _unpack)(packed)


def _translate(message: Message | None) -> str | None:
    return None if message is None else translate(message)


_TILES_DESCRIPTION: Final = "The tiles row by row, with 0 for the blank."
Tiles = Annotated[list[int], BeforeValidator(list_tiles), Field(description=_TILES_DESCRIPTION)]
PackedTiles = Annotated[
    list[int], BeforeValidator(_unpack_tiles), Field(description=_TILES_DESCRIPTION)
]
Letters = Annotated[
    str,
    WithJsonSchema({"type": "string", "pattern": "^[UDLR]*$"}),
    Field(description="The moves. Each letter is the direction in which a tile moves."),
]
TranslatedMessage = Annotated[
    str | None,
    BeforeValidator(_translate),
    Field(description="The message in the language of the request."),
]


def _current_reading() -> str | None:
    return _translate(g.get("read_as")) if has_app_context() else None


ReadAs = Annotated[
    str | None,
    Field(
        default_factory=_current_reading,
        description="How the text of the board was read, if it is not in the plain form.",
        examples=["3×3, one digit or letter a tile, blank -"],
    ),
]


class Document(BaseModel):
    """A response body, created from a view by ``model_validate``."""

    model_config = ConfigDict(from_attributes=True)


def json_response(document: BaseModel, status: int = 200, **headers: Any) -> Response:
    """Return `document` as JSON. An underscore in the name of a header stands for a hyphen."""
    response = Response(
        document.__pydantic_serializer__.to_json(document), status, mimetype="application/json"
    )
    for name, value in headers.items():
        response.headers[name.replace("_", "-")] = str(value)
    return response


class BriefJobDocument(JobOutline):
    """A job without its boards."""

    message: TranslatedMessage
    read_as: ReadAs


class JobDocument(BriefJobDocument):
    """A job."""

    board: PackedTiles = Field(validation_alias="board_bytes")
    goal: PackedTiles = Field(validation_alias="goal_bytes")


class SolutionFields(BaseModel):
    """The solution of a job that was answered immediately."""

    moves: str | None = Field(
        None,
        description="The moves of the solution. null if it is long, or if a better one has "
        "replaced it: use links.solution instead.",
    )

    slides: int | None = Field(
        None,
        description="The number of slides. Adjacent tiles that move together count as one slide.",
    )

    def add_moves(self, moves: MoveSequence) -> None:
        self.moves = to_letters(moves)
        self.slides = count_slides(moves)


class SolvedJobDocument(SolutionFields, JobDocument):
    """A job that was answered immediately, with its solution."""


class BriefSolvedJobDocument(SolutionFields, BriefJobDocument):
    """A job that was answered immediately, with its solution but without its boards."""


NextPage = Annotated[
    str | None, Field(description="The URL of the next page, or null on the last page.")
]


def next_page(before: str, **query: Any) -> str:
    """Return the URL of this page's next one, in the language of this request."""
    lang = request.args.get(LANGUAGE_PARAMETER)
    return url_for(request.endpoint or "", **query, before=before, lang=lang)


class JobsDocument(Document):
    """A page of jobs, newest first."""

    jobs: list[JobDocument]
    next: NextPage


class BriefJobsDocument(Document):
    """A page of jobs, newest first, without their boards."""

    jobs: list[BriefJobDocument]
    next: NextPage


class BoundEventDocument(Document):
    """A moment at which a bound improved."""

    time: Seconds
    lower_bound: int
    upper_bound: int | None
    nodes: int
    number: int = Field(
        description="The number of the event, from 1. Numbers are missing where events are omitted."
    )
    method: str | None = Field(
        description="What found the solution: an algorithm, `sweep`, or a search for "
        "shorter solutions, as in the `kind` of an activity. null if only the lower bound "
        "improved, and for events of versions before 0.2.",
        examples=["windows"],
    )


class HistoryDocument(Document):
    """How a job's bounds improved, oldest event first."""

    events: list[BoundEventDocument] = Field(
        description="The events. Some are omitted if there are several hundred, but never the "
        "first or the last."
    )


class WorkDocument(Document):
    """What one worker is doing."""

    kind: str = Field(
        description="`initial`: the initial search. `proof`: the search of a part of the "
        "threshold's tree. `check`: a check of a threshold's record. `aimed`: a beam search for "
        "solutions of the threshold's length. `sweep`, `beam`, `fresh`, `suffix`, `windows`: as in "
        "improvement.trying.",
        examples=["beam"],
    )
    nodes: int = Field(description="The nodes searched so far, as of its last report.")
    since: Seconds = Field(description="The time at which it started.")
    threshold: int | None = Field(
        description="The length up to which solutions are being searched for."
    )
    expected_s: float | None = Field(
        description="For a beam search: its expected duration, based on that of the last one.",
        examples=[42.0],
    )
    width: int | None = Field(description="For a beam search: the number of boards per level.")
    view: int | None = Field(description="For a beam search: which symmetric view is searched.")
    first: int | None = Field(
        description="For windows: the first move of the segment. null once another solution is "
        "the best."
    )
    count: int | None = Field(description="For windows: the number of moves in the segment.")
    length: int | None = Field(description="For windows: the number of moves in each window.")


class ActivityDocument(Document):
    """What the workers are currently doing for a job. They report about every two seconds."""

    nodes: int = Field(
        description="The number of nodes searched so far, including unfinished work."
    )
    work: list[WorkDocument]


class QuestionDocument(Document):
    """A task about a board."""

    id: str
    state: RunState
    version: str
    width: int
    height: int
    board: Tiles
    goal: Tiles
    time_limit_s: float
    created_at: Seconds
    started_at: Seconds | None
    finished_at: Seconds | None
    message: str | None = Field(description="Why the task failed.")
    message_code: Code


def task_fields(view: Task[Any]) -> dict[str, Any]:
    spec: Question = view.spec
    return {
        "id": view.id,
        "state": view.state,
        "version": view.version,
        "width": spec.start.width,
        "height": spec.start.height,
        "board": spec.start,
        "goal": spec.goal,
        "time_limit_s": spec.seconds,
        "created_at": view.created_at,
        "started_at": view.started_at,
        "finished_at": view.finished_at,
        "message": None if view.message is None else translate(view.message),
        "message_code": view.message,
        "result": view.result,
    }


def problem_responses(*statuses: int) -> dict[str | int, Any]:
    """Describe the responses that are problem details (RFC 9457)."""
    return {
        status: {
            # Unlike those of http.HTTPStatus, these do not depend on the version of Python.
            "description": HTTP_STATUS_CODES[status],
            "content": {MEDIA_TYPE: {"schema": PROBLEM_REFERENCE}},
        }
        for status in statuses
    }


NOT_MODIFIED: Final = {"description": "Not modified: the version is still the same"}


def submit_responses(document: type[BaseModel]) -> dict[str | int, Any]:
    """Describe the responses to a submission of work, which may have been done before."""
    rejected = problem_responses(400, 401, 403, 413, 415, 422, 429, 503)
    return {200: document, 202: document, **rejected}


def read_responses(document: type[BaseModel]) -> dict[str | int, Any]:
    """Describe the responses to a poll."""
    return {200: document, 304: NOT_MODIFIED, **problem_responses(404, 422)}


def cancel_responses(document: type[BaseModel]) -> dict[str | int, Any]:
    """Describe the responses to a cancellation."""
    return {200: document, **problem_responses(401, 403, 404, 429)}
