"""The API's answers as models: their schemas in the description, their JSON on the wire."""

from __future__ import annotations

from functools import lru_cache
from typing import Annotated, Any, Final

from flask import Response
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, WithJsonSchema

from tilework.core.messages import Message
from tilework.core.model.states import RunState
from tilework.core.model.task_specs import Question
from tilework.core.model.tasks import Task
from tilework.core.puzzle.board import Board
from tilework.core.puzzle.metric import count_slides
from tilework.core.puzzle.moves import MoveSequence, to_letters
from tilework.core.puzzle.packing import unpack_board
from tilework.core.services.jobs.document import Code, JobOutline, Seconds
from tilework.web.i18n import translate

_SMALL_BYTES: Final = 128


def _tiles(board: Board) -> list[int]:
    tiles: list[int] = board.cells.tolist()
    return tiles


def _packed_tiles(packed: bytes) -> list[int]:
    # A job is polled many times, and unpacking takes longer than reading the row.
    return _small_tiles(packed) if len(packed) <= _SMALL_BYTES else _tiles(unpack_board(packed))


@lru_cache(maxsize=4_096)
def _small_tiles(packed: bytes) -> list[int]:
    return _tiles(unpack_board(packed))


def _told(message: Message | None) -> str | None:
    return None if message is None else translate(message)


Tiles = Annotated[
    list[int], BeforeValidator(_tiles), Field(description="Row by row, 0 for the blank")
]
PackedTiles = Annotated[
    list[int], BeforeValidator(_packed_tiles), Field(description="Row by row, 0 for the blank")
]
Letters = Annotated[
    str,
    WithJsonSchema({"type": "string", "pattern": "^[UDLR]*$"}),
    Field(description="Each move by the way its tile goes"),
]
LocalMessage = Annotated[
    str | None,
    BeforeValidator(_told),
    Field(description="As a sentence, in the language of the request"),
]


class Document(BaseModel):
    """An answer of the API; filled from a view by ``model_validate``."""

    model_config = ConfigDict(from_attributes=True)


def json_response(document: BaseModel, status: int = 200, **headers: Any) -> Response:
    """Send a document as JSON; headers are named with ``_`` for ``-``."""
    response = Response(
        document.__pydantic_serializer__.to_json(document), status, mimetype="application/json"
    )
    for name, value in headers.items():
        response.headers[name.replace("_", "-")] = str(value)
    return response


class BriefJobDocument(JobOutline):
    """A job and where it stands, without its boards."""

    message: LocalMessage


class JobDocument(BriefJobDocument):
    """A job and where it stands."""

    board: PackedTiles = Field(validation_alias="board_bytes")
    goal: PackedTiles = Field(validation_alias="goal_bytes")


class Solved(BaseModel):
    """What is added where a job was answered at once."""

    moves: str | None = Field(
        None, description="As in a solution; null where it is long: follow links.solution"
    )

    slides: int | None = Field(
        None, description="Of the moves: those of tiles of a line that go together count once"
    )

    def with_moves(self, moves: MoveSequence) -> None:
        self.moves = to_letters(moves)
        self.slides = count_slides(moves)


class SolvedJobDocument(Solved, JobDocument):
    """A job that was answered at once, with its solution."""


class BriefSolvedJobDocument(Solved, BriefJobDocument):
    """A job that was answered at once, with its solution and without its boards."""


class JobsDocument(Document):
    """A page of jobs, newest first."""

    jobs: list[JobDocument]
    next: str | None = Field(description="Address of the page after this one")


class BriefJobsDocument(Document):
    """A page of jobs without their boards, newest first."""

    jobs: list[BriefJobDocument]
    next: str | None = Field(description="Address of the page after this one")


class BoundEventDocument(Document):
    """A moment at which a bound improved, and the nodes spent by then."""

    time: Seconds
    lower_bound: int
    upper_bound: int | None
    nodes: int
    number: int = Field(
        description="Counts from 1; where numbers are missing, moments in between are left out"
    )


class HistoryDocument(Document):
    """How a job's bounds improved, in the order of time."""

    events: list[BoundEventDocument] = Field(
        description="At most some hundreds, the first and the last among them"
    )


class QuestionDocument(Document):
    """A question about a board."""

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
    message: str | None = Field(description="Why it failed")
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
