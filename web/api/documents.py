"""The API's answers as models: their schemas in the description, their JSON on the wire.

Each is filled from the attributes of the view of the same name. Those of jobs are in
``job_documents``.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Annotated, Any, Final

from flask import Response
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, WithJsonSchema, computed_field

from tilework.core.messages import Message
from tilework.core.model.job_views import SolutionView
from tilework.core.model.states import JobState, Queue
from tilework.core.puzzle.board import Board
from tilework.core.puzzle.packing import unpack_board
from tilework.core.puzzle.slides import slides_in
from tilework.core.services.jobs.document import ROOT, Seconds, batch_address
from tilework.web.i18n import say

API: Final = ROOT

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
    return None if message is None else say(message)


Tiles = Annotated[
    list[int],
    BeforeValidator(_tiles),
    Field(description="Row by row, 0 for the blank"),
]
PackedTiles = Annotated[
    list[int],
    BeforeValidator(_packed_tiles),
    Field(description="Row by row, 0 for the blank"),
]
Letters = Annotated[
    str,
    WithJsonSchema({"type": "string", "pattern": "^[UDLR]*$"}),
    Field(description="Each move by the way its tile goes"),
]
Told = Annotated[
    str | None,
    BeforeValidator(_told),
    Field(description="As a sentence, in the language of the request"),
]


class Document(BaseModel):
    """An answer of the API; filled from a view by ``model_validate``."""

    model_config = ConfigDict(from_attributes=True)


class SolutionDocument(Document):
    """A known solution."""

    start: Tiles
    goal: Tiles
    moves: Letters
    lower_bound: int
    optimal: bool
    length: int = Field(description="How many moves there are")
    slides: int = Field(description="Those of tiles of a line that go together count once")

    @classmethod
    def of(cls, solution: SolutionView) -> SolutionDocument:
        """Describe a solution; its moves are written separately."""
        return cls(
            start=solution.start,  # type: ignore[arg-type]
            goal=solution.goal,  # type: ignore[arg-type]
            moves="",
            lower_bound=solution.lower_bound,
            optimal=solution.optimal,
            length=len(solution.moves),
            slides=slides_in(solution.moves),
        )


class BatchDocument(Document):
    """A batch and how many of its jobs are in each state."""

    id: str
    total: int
    unfinished: int
    finished: bool
    progress: float
    states: dict[JobState, int]
    created_at: Seconds

    @computed_field  # type: ignore[prop-decorator]
    @property
    def links(self) -> dict[str, str]:
        """Addresses that belong to the batch."""
        address = batch_address(self.id)
        return {"self": address, "results": f"{address}/results"}


class QueueDocument(Document):
    """A queue: slices ready and under a lease, tickets in the broker."""

    name: Queue
    ready: int
    leased: int
    oldest_wait_s: float
    tickets: int | None = Field(description="null where the broker does not answer")


class QueuesDocument(Document):
    """All queues, in the order in which workers take from them."""

    queues: list[QueueDocument]


class SizeDocument(Document):
    """What is known of one size of board."""

    width: int
    height: int
    puzzles: int
    solved: int
    optimal: int
    longest: int | None
    best_ratio: float | None = Field(
        description="Moves over the lower bound, of the best of the solutions that are not proved "
        "optimal; null up to 16 cells",
        examples=[1.21],
    )
    mean_ratio: float | None = Field(description="The same, of all of them", examples=[1.38])


class StatisticsDocument(Document):
    """The service since its database was made, and what it does now."""

    jobs: dict[JobState, int]
    total_jobs: int
    cached_jobs: int
    nodes: int
    seconds: float
    nodes_per_s: float = Field(
        description="Of the last seconds, over all long searches and all workers"
    )
    workers: int = Field(description="Those that take slices of long searches")
    quarantined: int = Field(
        description="Slices that no worker takes for a while, as they ended several"
    )
    foreign_messages: int = Field(description="Refused by workers: not put there by this service")
    restarts: int = Field(description="Of programs that ended by themselves")
    set_aside: int = Field(
        description="Rows of the database that were found damaged, set aside and made anew"
    )
    sizes: list[SizeDocument]


def answer(document: BaseModel, status: int = 200, **headers: Any) -> Response:
    """Send a document as JSON; headers are named with ``_`` for ``-``."""
    response = Response(
        document.__pydantic_serializer__.to_json(document), status, mimetype="application/json"
    )
    for name, value in headers.items():
        response.headers[name.replace("_", "-")] = str(value)
    return response
