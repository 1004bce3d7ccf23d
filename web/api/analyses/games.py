"""``/analyses``: having games analysed, and following that."""

from __future__ import annotations

from typing import Annotated, Final, Literal
from uuid import UUID

from flask import Response
from flask_openapi import APIBlueprint, Tag
from pydantic import BaseModel, ConfigDict, Field, computed_field

from tilework.core.formats.moves_text import MOST_CHARACTERS, read_moves
from tilework.core.model.task_specs import GameSpec
from tilework.core.model.tasks import Task
from tilework.core.puzzle.moves import to_letters
from tilework.core.services.jobs.document import API_ROOT
from tilework.web.api.board_inputs import BoardFields
from tilework.web.api.documents import (
    Document,
    Letters,
    QuestionDocument,
    json_response,
    task_fields,
)
from tilework.web.api.polling import FollowQuery, accepted_response, poll_response, with_etag
from tilework.web.api.request_parsing import (
    cancel_responses,
    parsed_request,
    read_responses,
    submit_responses,
)
from tilework.web.clients import current_client_id, known_client_id, services

Positions = Annotated[
    list[int], Field(description="By position, from the one before the first move")
]


class LossDocument(Document):
    """A move after which more remains than before it: two moves are lost by it."""

    move: int = Field(description="Its number, from 1", examples=[2])
    remaining: int = Field(description="Moves of the better way from before it", examples=[1])
    way: str | None = Field(
        description="That way, by the ways of the tiles; null where all ways together are too long",
        examples=["L"],
    )


class LoopDocument(Document):
    """The position after first moves is that after last: the moves between came to nothing."""

    first: int
    last: int


class AnalysisResultDocument(Document):
    """What remains along a game, and where moves were lost; every bound is proved."""

    length: int = Field(description="Moves of the game")
    is_solution: bool = Field(description="Whether it ends at its goal")
    exact: bool = Field(description="Whether both bounds meet at every position")
    lower: Positions
    upper: Annotated[
        list[int | None], Field(description="Moves of the shortest solution that is known")
    ]
    lost_at_least: int
    lost_at_most: int | None = Field(description="null where no solution is known")
    losses: list[LossDocument] = Field(description="All of an exact analysis, else those proved")
    loops: list[LoopDocument]
    slides: int = Field(description="Moves, where those of one direction in a row count as one")
    nodes: int
    seconds: float
    stopped_by: Literal["time", "nodes", "memory"] | None = Field(
        description="The limit that ended it before all bounds met"
    )


class AnalysisDocument(QuestionDocument):
    """A game that is analysed, or was."""

    moves: Letters
    times_ms: list[int] | None = Field(
        description="When each move was made, in milliseconds since the first"
    )
    settled: int | None = Field(description="Boards whose remaining length is known so far")
    total: int | None = Field(description="Boards that the game met")
    lower_bound: int | None = Field(description="Of the first position, while it lasts")
    upper_bound: int | None
    result: AnalysisResultDocument | None = Field(description="Once it is done")

    @computed_field  # type: ignore[prop-decorator]
    @property
    def links(self) -> dict[str, str]:
        """Addresses that belong to the analysis."""
        return {"self": analysis_address(self.id)}


def analysis_fields(view: Task[GameSpec]) -> AnalysisDocument:
    spec, standing = view.spec, view.progress
    fields = task_fields(view) | {
        "moves": to_letters(spec.moves),
        "times_ms": None if spec.times_ms is None else list(spec.times_ms),
        "settled": None if standing is None else standing.settled,
        "total": None if standing is None else standing.total,
        "lower_bound": None if standing is None else standing.lower,
        "upper_bound": None if standing is None else standing.upper,
    }
    return AnalysisDocument.model_validate(fields)


def analysis_address(analysis_id: str) -> str:
    return f"{API_ROOT}/analyses/{analysis_id}"


_MOST_TIMES: Final = 20_000

api = APIBlueprint(
    "analyses", __name__, url_prefix=f"{API_ROOT}/analyses", abp_tags=[Tag(name="games")]
)


class GameFields(BoardFields):
    """A game: a board and the moves that were made on it, whether or not they solve it."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"board": "1 2 3 4 5 6 0 7 8", "moves": "LRLL"}]}
    )

    moves: Annotated[
        str,
        Field(
            max_length=MOST_CHARACTERS,
            description="At most 10,000, in any format that solutions are written in: LURD, L2U, "
            "arrows, the tiles that slide, JSON, or every board",
            examples=["LRLL"],
        ),
    ]
    named_by: Literal["tile", "blank"] = Field(
        "tile", description="Whose way letters and arrows name"
    )
    times_ms: list[int] | None = Field(
        None,
        max_length=_MOST_TIMES,
        description="When each move was made, in milliseconds since the first",
    )
    time_limit_s: float | None = Field(
        None, gt=0, allow_inf_nan=False, description="What the analysis may take, in seconds"
    )

    def submit(self, client_id: str) -> Task[GameSpec]:
        start, goal = self.puzzle()
        return services().games.submit(
            client_id,
            start,
            goal,
            read_moves(self.moves, start, blank_moves=self.named_by == "blank"),
            times_ms=None if self.times_ms is None else tuple(self.times_ms),
            seconds=self.time_limit_s,
        )


class AnalysisPath(BaseModel):
    """An analysis's address."""

    analysis_id: UUID


@api.post("", operation_id="submitAnalysis", responses=submit_responses(AnalysisDocument))
@parsed_request
def submit(body: GameFields) -> Response:
    """Have a game analysed: what remains at each of its positions, where moves were lost, loops.

    202, and the analysis is at Location. The same game of the same client is the same analysis: 200
    where it has ended.
    """
    view = body.submit(current_client_id())
    return accepted_response(
        analysis_fields(view), analysis_address(view.id), finished=view.finished
    )


@api.get(
    "/<uuid:analysis_id>", operation_id="readAnalysis", responses=read_responses(AnalysisDocument)
)
@parsed_request
def analysis(path: AnalysisPath, query: FollowQuery) -> Response:
    """Show where an analysis stands; with wait, once that has changed.

    The ETag is the version, with the language where that is not English. Anyone who has the
    address may look.
    """
    return poll_response(query, services().games, path.analysis_id, analysis_fields)


@api.delete(
    "/<uuid:analysis_id>",
    operation_id="cancelAnalysis",
    responses=cancel_responses(AnalysisDocument),
)
@parsed_request
def cancel(path: AnalysisPath) -> Response:
    """Cancel an analysis of this client."""
    view = services().games.cancel(str(path.analysis_id), known_client_id() or "")
    return with_etag(json_response(analysis_fields(view)), view.version)
