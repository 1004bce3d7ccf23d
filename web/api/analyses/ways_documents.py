"""The API's response models for searches for all shortest solutions."""

from __future__ import annotations

from typing import Final, Literal

from pydantic import Field, computed_field

from tilework.core.links import API_ROOT
from tilework.core.model.tasks import ShortestPathsSpec, Task
from tilework.core.services.tasks.questions import MAX_DRAWN, MAX_LISTED
from tilework.web.api.documents import Document, Letters, QuestionDocument, task_fields
from tilework.web.limits import MEBIBYTE


class FewestTurnsDocument(Document):
    """The shortest solution with the fewest changes of direction."""

    moves: Letters
    slides: int = Field(
        description="The number of slides. Consecutive moves in one direction count as one slide."
    )


class FewestSlidesDocument(Document):
    """The best known solution in slides, whatever its number of moves."""

    lower_bound: int = Field(description="A proven lower bound on the number of slides.")
    slides: int | None = Field(
        description="The number of slides, or null if no solution was found in time."
    )
    moves: Letters | None
    optimal: bool = Field(description="Whether the number of slides is proven to be minimal.")


class WaysResultDocument(Document):
    """What was found within the limits."""

    lower_bound: int = Field(
        description="A proven lower bound on the length of any solution.", examples=[57]
    )
    length: int | None = Field(
        description="The optimal length. null if a limit was reached first.", examples=[57]
    )
    count: int | None = Field(
        description="The exact number of shortest solutions. null if a limit was reached before "
        "all were found.",
        examples=[412],
    )
    boards: int | None = Field(
        description="The number of boards on shortest solutions, including start and goal."
    )
    moves: int | None = Field(description="The number of moves between these boards.")
    listed: int = Field(
        description=f"The number of solutions that can be listed, at most {MAX_LISTED:,}."
    )
    drawn: bool = Field(
        description=f"Whether the graph is available: it can have at most {MAX_DRAWN:,} boards."
    )
    solution: Letters | None = Field(description="A shortest solution, or the best known one.")
    fewest_turns: FewestTurnsDocument | None
    fewest_slides: FewestSlidesDocument | None = Field(
        description="null if there was not enough time."
    )
    nodes: int
    seconds: float
    stopped_by: Literal["time", "nodes", "memory"] | None = Field(
        description="The limit reached before all shortest solutions were found, or null."
    )


class WaysDocument(QuestionDocument):
    """A search for all shortest solutions of a board."""

    memory_limit_mb: int
    depth: int | None = Field(description="The depth up to which boards have been searched.")
    length: int | None = Field(description="The optimal length, once it is known.")
    lower_bound: int | None = Field(description="The lower bound while the search is running.")
    result: WaysResultDocument | None = Field(description="The result, once the search is done.")

    @computed_field  # type: ignore[prop-decorator]
    @property
    def links(self) -> dict[str, str]:
        """URLs of related resources."""
        url = ways_url(self.id)
        return {"self": url, "solutions": f"{url}/solutions", "graph": f"{url}/graph"}


class GraphBoardDocument(Document):
    """A board on a shortest solution."""

    rows: list[list[int]]
    depth: int = Field(description="The number of moves from the start.")
    ways: int = Field(description="The number of shortest paths from it to the goal.")


class GraphMoveDocument(Document):
    """A move between two boards, given by their indexes."""

    from_: int = Field(alias="from")
    to: int
    move: Literal["U", "D", "L", "R"] = Field(description="The direction in which the tile moves.")


GRAPH_SCHEMA: Final = {
    "type": "object",
    "properties": {
        "boards": {
            "type": "array",
            "description": "The boards. The first is the start, the last is the goal.",
            "items": GraphBoardDocument.model_json_schema(),
        },
        "moves": {"type": "array", "items": GraphMoveDocument.model_json_schema()},
    },
    "required": ["boards", "moves"],
}


def ways_document(view: Task[ShortestPathsSpec]) -> WaysDocument:
    spec, progress = view.spec, view.progress
    fields = task_fields(view) | {
        "memory_limit_mb": spec.memory_bytes // MEBIBYTE,
        "depth": progress and progress.settled,
        "length": progress and progress.total,
        "lower_bound": progress and progress.lower,
    }
    return WaysDocument.model_validate(fields)


def ways_url(ways_id: str) -> str:
    return f"{API_ROOT}/ways/{ways_id}"
