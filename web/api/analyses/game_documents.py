"""The API's documents of analyses: the game, how far it has come, what was found."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, computed_field

from tilework.core.model.questions import AnalysisView, GameSpec
from tilework.core.puzzle.moves import to_letters
from tilework.web.api.analyses.question_documents import QuestionDocument, question_fields
from tilework.web.api.documents import API, Document, Letters

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


def analysis_fields(view: AnalysisView[GameSpec]) -> AnalysisDocument:
    """Return the document of an analysis."""
    spec, standing = view.spec, view.standing
    fields = question_fields(view) | {
        "moves": to_letters(spec.moves),
        "times_ms": None if spec.times_ms is None else list(spec.times_ms),
        "settled": None if standing is None else standing.settled,
        "total": None if standing is None else standing.total,
        "lower_bound": None if standing is None else standing.lower,
        "upper_bound": None if standing is None else standing.upper,
    }
    return AnalysisDocument.model_validate(fields)


def analysis_address(analysis_id: str) -> str:
    """Path of an analysis."""
    return f"{API}/analyses/{analysis_id}"
