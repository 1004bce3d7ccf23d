"""The API's response models for runs of the lab and their traces."""

from __future__ import annotations

from dataclasses import fields
from typing import Annotated, Any, Final, Literal

from pydantic import Field, computed_field

from tilework.core.lab.methods import LabAlgorithm, LabHeuristic
from tilework.core.lab.result import Outcome, RunStatistics
from tilework.core.links import API_ROOT
from tilework.core.model.comparisons import RunDetailView, RunLimits, RunView
from tilework.core.model.states import RunState
from tilework.core.model.views import list_tiles
from tilework.core.puzzle.moves import to_letters
from tilework.core.search.limits import StopReason
from tilework.web.api.documents import MAX_INLINE_MOVES, Document
from tilework.web.i18n import translate, translate_text
from tilework.web.limits import MEBIBYTE

_STATISTICS: Final = tuple(field.name for field in fields(RunStatistics))

FlatTiles = Annotated[list[int], Field(description="The tiles row by row, with 0 for the blank.")]


class WindowDocument(Document):
    """Which expansions are stored: the first ones, the last ones, and every n-th in between."""

    first: int
    last: int
    every: int


class RunFields(Document):
    """A method and its outcome on a board. The statistics are null until the run is done."""

    id: str
    method: str = Field(examples=["weighted-a-star:manhattan:2"])
    title: str = Field(examples=["Weighted A* · Manhattan · 2"])
    algorithm: LabAlgorithm
    heuristic: LabHeuristic | None
    weight: float | None
    beam_width: int | None
    state: RunState = Field(description="A run stopped by a limit is also done.")
    length: int | None = Field(description="The length of its solution.", examples=[13])
    optimal: bool | None = Field(
        description="Whether the solution is a shortest one. null if unknown."
    )
    stopped_by: StopReason | None = Field(
        description="The limit that stopped the search, or null if no limit did."
    )
    message: str | None = Field(description="Why there is no solution.")
    message_code: str | None = Field(
        description="The code of the message, for programs.", examples=["exhausted"]
    )
    expanded: int | None = Field(description="The number of nodes expanded.", examples=[80])
    generated: int | None = Field(
        description="The number of nodes generated, with duplicates.", examples=[217]
    )
    visited: int | None = Field(
        description="The number of nodes expanded, plus the goal if it was found.",
        examples=[81],
    )
    frontier: int | None = Field(description="The size of the frontier at the end.", examples=[55])
    max_frontier: int | None = Field(description="The largest size of the frontier.", examples=[56])
    duplicates: int | None = Field(
        description="The number of generated nodes whose board was already known.", examples=[82]
    )
    depth: int | None = Field(
        description="The depth of the deepest node expanded, in moves.", examples=[12]
    )
    branching: float | None = Field(
        description="The effective branching factor: a uniform tree with this branching factor and "
        "the depth of the solution has as many nodes as were generated.",
        examples=[1.37],
    )
    seconds: float | None = Field(
        description="The duration of the run, excluding the time to build the heuristic's tables.",
        examples=[0.002],
    )
    memory_bytes: int | None = Field(
        description="The estimated peak memory of the stored nodes.",
        examples=[36_992],
    )
    has_trace: bool = Field(exclude=True)

    @computed_field  # type: ignore[prop-decorator]
    @property
    def links(self) -> dict[str, str]:
        """URLs of related resources; trace only if steps are stored."""
        url = f"{API_ROOT}/runs/{self.id}"
        return {"self": url} | ({"trace": f"{url}/trace"} if self.has_trace else {})


class RunDocument(RunFields):
    """A run as a row of a comparison."""

    board_index: int = Field(description="The index of the board in the sweep, from 0.")
    shared: bool = Field(description="Whether the run already existed before the comparison.")
    optimal_length: int | None = Field(
        description="The optimal length for its board, if a run of the comparison proves it.",
        examples=[13],
    )


class RunDetailDocument(RunFields):
    """A run with its boards, its limits and its solution."""

    width: int
    height: int
    board: FlatTiles
    goal: FlatTiles
    time_limit_s: float
    node_limit: int
    memory_limit_mb: int
    trace: WindowDocument | None = Field(description="Which steps were requested.")
    moves: str | None = Field(
        description="The moves of the solution. Each letter is the direction in which a tile "
        "moves. null without a solution, or if it has more than 10,000 moves.",
        pattern="^[UDLR]*$",
        examples=["LL"],
    )


def run_document(run: RunView, optimal_length: int | None) -> RunDocument:
    return RunDocument.model_validate(
        _run_document_fields(run)
        | {"board_index": run.board_index, "shared": run.shared, "optimal_length": optimal_length}
    )


def run_detail_document(view: RunDetailView) -> RunDetailDocument:
    moves = view.moves
    return RunDetailDocument.model_validate(
        _run_document_fields(view.run)
        | limit_fields(view.limits)
        | {
            "width": view.start.width,
            "height": view.start.height,
            "board": list_tiles(view.start),
            "goal": list_tiles(view.goal),
            "trace": view.window,
            "moves": None if moves is None or len(moves) > MAX_INLINE_MOVES else to_letters(moves),
        }
    )


def limit_fields(limits: RunLimits) -> dict[str, float | int | None]:
    memory = limits.memory_bytes
    return {
        "time_limit_s": limits.seconds,
        "node_limit": limits.nodes,
        "memory_limit_mb": None if memory is None else memory // MEBIBYTE,
    }


def run_fields(run: RunView) -> dict[str, Any]:
    """Return the method, the state, the outcome and the statistics of a run."""
    method = run.method
    return {
        "method": method.text,
        "algorithm": method.algorithm,
        "heuristic": method.heuristic,
        "weight": method.weight,
        "beam_width": method.width,
        "state": run.state,
        "length": run.length,
        "optimal": run.optimal,
        "stopped_by": run.stopped_by,
        "message": None if run.message is None else translate(run.message),
        **{name: getattr(run.statistics, name, None) for name in _STATISTICS},
    }


def _run_document_fields(run: RunView) -> dict[str, Any]:
    return run_fields(run) | {
        "id": run.id,
        "title": " · ".join(map(translate_text, run.method.title_parts)),
        "message_code": None if run.message is None else run.message.code,
        "has_trace": run.has_trace,
    }


class ChildDocument(Document):
    """A successor in a step."""

    node: int | None = Field(
        description="The number of the node, in the order of generation, from 0 for the start. "
        "null if the outcome is forbidden."
    )
    move: Literal["U", "D", "L", "R"] = Field(description="The direction in which the tile moves.")
    board: FlatTiles
    g: int
    h: float | None = Field(description="null for a duplicate, which is not evaluated again.")
    f: float | None
    outcome: Outcome = Field(
        description="new: added to the frontier. duplicate: its board was already known (in A*: by "
        "an equally short or shorter path). cheaper: already reached, but by a longer path. cut: "
        "over a limit or outside the beam. forbidden: not generated because it would undo the "
        "previous move."
    )


class WaitingDocument(Document):
    """A node in the frontier."""

    node: int
    board: FlatTiles
    g: int
    h: float
    f: float


class StepDocument(Document):
    """One expansion."""

    number: int = Field(description="The number of the step, from 1.")
    node: int
    parent: int | None
    backward: bool = Field(description="Whether the node belongs to a search from the goal.")
    board: FlatTiles
    g: int = Field(description="The number of moves from the start.")
    h: float = Field(description="The heuristic's estimate of the remaining moves.")
    f: float = Field(description="g + h, or g + weight · h in weighted A*.")
    children: list[ChildDocument]
    frontier_size: int = Field(
        description="The size of the frontier after the step. In recursive searches, the current "
        "path takes the place of the frontier."
    )
    frontier: list[WaitingDocument] = Field(
        description="The nodes that are expanded next, at most 12. In recursive searches, the "
        "last nodes of the current path, from its end."
    )


class TraceDocument(Document):
    """The requested steps of a run, in order."""

    first: int
    last: int
    every: int
    expanded: int = Field(description="The total number of steps.")
    path: list[int] = Field(description="The nodes of the solution, from the start to the goal.")
    steps: list[StepDocument]
