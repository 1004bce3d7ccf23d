"""``/analyses``: analysing played games."""

from __future__ import annotations

from typing import Annotated, Final, Literal

from flask import Response
from flask_openapi import APIBlueprint, Tag
from pydantic import AliasPath, BeforeValidator, ConfigDict, Field

from tilework.core.formats.moves_text import MAX_CHARACTERS, read_moves
from tilework.core.links import API_ROOT
from tilework.core.model.tasks import GameSpec, Task
from tilework.core.model.views import Links
from tilework.core.puzzle.board import Board
from tilework.core.puzzle.moves import to_letters
from tilework.web.api.documents import Document, Letters, QuestionDocument, json_response
from tilework.web.api.operation_decorator import operation, poll_responses, submission_responses
from tilework.web.api.polling import Since, Wait, accepted_response, poll_response, with_etag
from tilework.web.api.request_parsing import BoardFields, Id, TaskSeconds
from tilework.web.clients import current_client_id, known_client_id, services

Positions = Annotated[
    list[int], Field(description="One value per position, from the one before the first move.")
]


class LossDocument(Document):
    """A move away from the goal, which costs two moves."""

    move: int = Field(description="The number of the move, from 1.", examples=[2])
    remaining: int = Field(description="The optimal length before the move.", examples=[1])
    way: str | None = Field(
        description="A shortest solution before the move, as directions of tiles. null if all of "
        "them together are too long.",
        examples=["L"],
    )


class LoopDocument(Document):
    """A detour: the positions after the moves ``first`` and ``last`` are the same."""

    first: int
    last: int


class AnalysisResultDocument(Document):
    """The remaining length at every position of a game, and the wasted moves. Bounds are proven."""

    length: int = Field(description="The number of moves in the game.")
    is_solution: bool = Field(description="Whether the game ends at its goal.")
    exact: bool = Field(description="Whether the bounds are equal at every position.")
    lower: Positions
    upper: Annotated[
        list[int | None],
        Field(description="The length of the best known solution from each position."),
    ]
    lost_at_least: int
    lost_at_most: int | None = Field(description="null if no solution is known.")
    losses: list[LossDocument] = Field(
        description="All losses if the analysis is exact, and otherwise the proven ones."
    )
    loops: list[LoopDocument]
    slides: int = Field(
        description="The number of slides. Consecutive moves in one direction count as one slide."
    )
    nodes: int
    seconds: float
    stopped_by: Literal["time", "nodes", "memory"] | None = Field(
        description="The limit that stopped the analysis before it was exact, or null."
    )


class AnalysisDocument(QuestionDocument):
    """The analysis of a game."""

    moves: Annotated[Letters, BeforeValidator(to_letters)] = Field(
        validation_alias=AliasPath("spec", "moves")
    )
    times_ms: list[int] | None = Field(
        validation_alias=AliasPath("spec", "times_ms"),
        description="The time of each move, in milliseconds since the first move.",
    )
    settled: int | None = Field(
        None,
        validation_alias=AliasPath("progress", "settled"),
        description="The number of boards analysed so far.",
    )
    total: int | None = Field(
        None,
        validation_alias=AliasPath("progress", "total"),
        description="The number of different boards in the game.",
    )
    lower_bound: int | None = Field(
        None,
        validation_alias=AliasPath("progress", "lower"),
        description="The lower bound of the first position while the analysis is running.",
    )
    upper_bound: int | None = Field(None, validation_alias=AliasPath("progress", "upper"))
    result: AnalysisResultDocument | None = Field(
        description="The result, once the analysis is done."
    )
    links: Links = Field(default_factory=lambda data: {"self": f"{API_ROOT}/analyses/{data['id']}"})


_MAX_TIMES: Final = 20_000

api = APIBlueprint(
    "analyses", __name__, url_prefix=f"{API_ROOT}/analyses", abp_tags=[Tag(name="games")]
)


class GameFields(BoardFields):
    """A game: a board and the moves made on it, whether or not they solve it."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"board": "1 2 3 4 5 6 0 7 8", "moves": "LRLL"}]}
    )

    moves: Annotated[
        str,
        Field(
            max_length=MAX_CHARACTERS,
            description="The moves, at most 10,000, in any format for solutions: LURD, L2U, "
            "arrows, tile numbers, JSON, or every board.",
            examples=["LRLL"],
        ),
    ]
    named_by: Literal["tile", "blank"] = Field(
        "tile",
        description="Whether letters and arrows are the directions of the tile or of the blank.",
    )
    times_ms: list[int] | None = Field(
        None,
        max_length=_MAX_TIMES,
        description="The time of each move, in milliseconds since the first move.",
    )
    time_limit_s: TaskSeconds = None

    def submit(self, start: Board, goal: Board) -> Task[GameSpec]:
        return services().games.submit(
            current_client_id(),
            start,
            goal,
            read_moves(self.moves, start, blank_moves=self.named_by == "blank"),
            times_ms=None if self.times_ms is None else tuple(self.times_ms),
            seconds=self.time_limit_s,
        )


@operation(api.post, "", "submitAnalysis", submission_responses(AnalysisDocument), 503)
def submit(body: GameFields) -> Response:
    """Analyse a game: the remaining length at every position, wasted moves and loops.

    The status is 202, and Location is the URL of the analysis. Repeating a request returns the same
    analysis, with status 200 once it has ended.
    """
    view = body.submit(*body.puzzle())
    document = AnalysisDocument.model_validate(view)
    return accepted_response(document, document.links["self"], finished=view.finished)


@operation(api.get, "/<uuid:analysis_id>", "readAnalysis", poll_responses(AnalysisDocument))
def analysis(analysis_id: Id, wait: Wait = 0, since: Since = None) -> Response:
    """Retrieve an analysis. With wait, the response is sent once it has changed.

    The ETag is the version, followed by the language if that is not English. Anyone who knows the
    URL can read the analysis.
    """
    return poll_response(
        wait, since, services().games, analysis_id, AnalysisDocument.model_validate
    )


@operation(api.delete, "/<uuid:analysis_id>", "cancelAnalysis", AnalysisDocument)
def cancel(analysis_id: Id) -> Response:
    """Cancel one of this client's analyses."""
    view = services().games.cancel(analysis_id, known_client_id() or "")
    return with_etag(json_response(AnalysisDocument.model_validate(view)), view.version)
