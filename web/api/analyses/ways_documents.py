"""The API's documents of all shortest solutions: the board, how far it is, what was found."""

from __future__ import annotations

from typing import Final, Literal

from pydantic import Field, computed_field

from tilework.core.model.task_specs import ShortestPathsSpec
from tilework.core.model.tasks import Task
from tilework.core.services.jobs.document import API_ROOT
from tilework.core.services.tasks.vocabulary import MOST_DRAWN, MOST_LISTED
from tilework.web.api.documents import Document, Letters, QuestionDocument, task_fields
from tilework.web.limits import MEBIBYTE


class FewestTurnsDocument(Document):
    """The shortest solution that changes its direction least often."""

    moves: Letters
    slides: int = Field(description="Moves, where those of one direction in a row count as one")


class FewestSlidesDocument(Document):
    """A solution of few slides, however many moves it has."""

    lower_bound: int = Field(description="No solution has fewer slides; proved")
    slides: int | None = Field(description="Of the solution; null where none was found in time")
    moves: Letters | None
    optimal: bool = Field(description="Whether it is proved that none has fewer")


class WaysResultDocument(Document):
    """What was found, within the limits."""

    lower_bound: int = Field(description="No solution is shorter; proved", examples=[57])
    length: int | None = Field(
        description="Moves of each shortest solution; null where a limit came before", examples=[57]
    )
    count: int | None = Field(
        description="How many shortest solutions there are, exactly; null where a limit came "
        "before all were found",
        examples=[412],
    )
    boards: int | None = Field(description="That lie on them, both ends among them")
    moves: int | None = Field(description="Between these boards")
    listed: int = Field(description=f"How many are told one by one: the first, {MOST_LISTED:,}")
    drawn: bool = Field(
        description=f"Whether there is a graph: it has {MOST_DRAWN:,} boards at most"
    )
    solution: Letters | None = Field(description="One of them, or the best solution known")
    fewest_turns: FewestTurnsDocument | None
    fewest_slides: FewestSlidesDocument | None = Field(
        description="null where there was no time to look for them"
    )
    nodes: int
    seconds: float
    stopped_by: Literal["time", "nodes", "memory"] | None = Field(
        description="The limit that came before all shortest solutions were found"
    )


class WaysDocument(QuestionDocument):
    """A board whose shortest solutions are searched, all of them, or were."""

    memory_limit_mb: int
    depth: int | None = Field(description="Moves from the board up to which they are searched")
    length: int | None = Field(description="Moves of a shortest solution, once that is known")
    lower_bound: int | None = Field(description="While it lasts")
    result: WaysResultDocument | None = Field(description="Once it is done")

    @computed_field  # type: ignore[prop-decorator]
    @property
    def links(self) -> dict[str, str]:
        """Addresses that belong to the search."""
        address = ways_address(self.id)
        return {"self": address, "solutions": f"{address}/solutions", "graph": f"{address}/graph"}


class GraphBoardDocument(Document):
    """A board that lies on a shortest solution."""

    rows: list[list[int]]
    depth: int = Field(description="Moves from the start")
    ways: int = Field(description="How many shortest ways lead from it to the goal")


class GraphMoveDocument(Document):
    """A move of a shortest solution, between two boards by their places."""

    from_: int = Field(alias="from")
    to: int
    move: Literal["U", "D", "L", "R"] = Field(description="The way the tile goes")


GRAPH_SCHEMA: Final = {
    "type": "object",
    "properties": {
        "boards": {
            "type": "array",
            "description": "The first is the start, the last the goal",
            "items": GraphBoardDocument.model_json_schema(),
        },
        "moves": {"type": "array", "items": GraphMoveDocument.model_json_schema()},
    },
    "required": ["boards", "moves"],
}
"""Of a graph: the boards on all shortest solutions and the moves between them."""


def ways_fields(view: Task[ShortestPathsSpec]) -> WaysDocument:
    spec, standing = view.spec, view.progress
    fields = task_fields(view) | {
        "memory_limit_mb": spec.memory_bytes // MEBIBYTE,
        "depth": None if standing is None else standing.settled,
        "length": None if standing is None else standing.total,
        "lower_bound": None if standing is None else standing.lower,
    }
    return WaysDocument.model_validate(fields)


def ways_address(ways_id: str) -> str:
    return f"{API_ROOT}/ways/{ways_id}"
