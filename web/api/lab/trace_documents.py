"""The schema of a trace, which is sent as it is stored."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from tilework.core.services.lab.vocabulary import Outcome
from tilework.web.api.documents import Document
from tilework.web.api.lab.run_documents import FlatTiles


class ChildDocument(Document):
    """A node that a step generated, or was forbidden to."""

    node: int | None = Field(
        description="Nodes are numbered as they are generated, the start is 0; null of one that is "
        "forbidden"
    )
    move: Literal["U", "D", "L", "R"] = Field(description="The way the tile goes")
    board: FlatTiles
    g: int
    h: float | None = Field(description="null of a duplicate, which is not estimated again")
    f: float | None
    outcome: Outcome = Field(
        description="new: into the frontier. duplicate: known by a path as short. cheaper: known "
        "by a longer path. cut: over a limit, or it did not fit in. forbidden: it would undo the "
        "move before, and was not generated"
    )


class WaitingDocument(Document):
    """A node that waits in the frontier."""

    node: int
    board: FlatTiles
    g: int
    h: float
    f: float


class StepDocument(Document):
    """One expansion."""

    number: int = Field(description="From 1")
    node: int
    parent: int | None
    backward: bool = Field(description="Whether the node belongs to a search from the goal")
    board: FlatTiles
    g: int = Field(description="Moves from the start")
    h: float = Field(description="The heuristic's estimate of the way to go")
    f: float
    children: list[ChildDocument]
    frontier_size: int = Field(description="After the step")
    frontier: list[WaitingDocument] = Field(description="Those whose turn is next, at most 12")


class TraceDocument(Document):
    """The steps of a run that were asked for, in their order."""

    first: int
    last: int
    every: int
    expanded: int = Field(description="How many steps there were")
    path: list[int] = Field(description="Nodes of the solution, the start first")
    steps: list[StepDocument]
