"""The API's documents of a run of the lab: as a row of its comparison, alone, and its trace."""

from __future__ import annotations

from dataclasses import fields
from typing import Annotated, Any, Final, Literal

from pydantic import Field, computed_field

from tilework.core.model.comparisons import RunDetailView, RunLimits, RunView
from tilework.core.model.states import RunState
from tilework.core.puzzle.board import Board
from tilework.core.puzzle.moves import to_letters
from tilework.core.search.limits import StopReason
from tilework.core.services.jobs.document import API_ROOT
from tilework.core.services.lab.vocabulary import LabAlgorithm, LabHeuristic, Outcome, RunStatistics
from tilework.web.api.documents import Document
from tilework.web.i18n import translate, translate_text
from tilework.web.limits import MEBIBYTE

LONGEST_MOVES: Final = 10_000
"""Longer solutions are not put into the answer: nobody reads them, and they are megabytes."""

STATISTICS: Final = tuple(field.name for field in fields(RunStatistics))

_NO_STATISTICS: Final = dict.fromkeys(STATISTICS)

FlatTiles = Annotated[list[int], Field(description="Row by row, 0 for the blank")]


class WindowDocument(Document):
    """Which expansions of a run are kept: the first, the last, and every n-th between them."""

    first: int
    last: int
    every: int


class RunFacts(Document):
    """A method on a board, and the outcome; the numbers are null until it is done."""

    id: str
    method: str = Field(examples=["weighted-a-star:manhattan:2"])
    title: str = Field(examples=["Weighted A* · Manhattan · 2"])
    algorithm: LabAlgorithm
    heuristic: LabHeuristic | None
    weight: float | None
    beam_width: int | None
    state: RunState = Field(description="done is also a run that a limit ended")
    length: int | None = Field(description="Moves of its solution", examples=[13])
    optimal: bool | None = Field(
        description="Whether the solution is a shortest one; null where nobody can tell"
    )
    stopped_by: StopReason | None = Field(
        description="The limit that ended it; null where the search came to its own end"
    )
    message: str | None = Field(description="Why there is no solution")
    message_code: str | None = Field(description="The same for programs", examples=["exhausted"])
    expanded: int | None = Field(description="Nodes whose successors were made", examples=[80])
    generated: int | None = Field(description="Successors made, known ones too", examples=[217])
    visited: int | None = Field(
        description="Nodes taken up: those expanded, and the goal where it was found", examples=[81]
    )
    frontier: int | None = Field(description="Nodes that waited at the end", examples=[56])
    max_frontier: int | None = Field(description="Nodes that waited at most", examples=[56])
    duplicates: int | None = Field(
        description="Of the generated nodes, those whose board was known already", examples=[82]
    )
    depth: int | None = Field(
        description="Moves from the start to the deepest node expanded", examples=[12]
    )
    branching: float | None = Field(
        description="Effective branching factor: a tree in which each node has so many children "
        "holds, down to the solution, as many nodes as were generated",
        examples=[1.37],
    )
    seconds: float | None = Field(
        description="Of wall time, without the making of the heuristic's tables", examples=[0.002]
    )
    memory_bytes: int | None = Field(
        description="Of the most nodes kept at once; reckoned, not measured", examples=[46_512]
    )
    has_trace: bool = Field(exclude=True)

    @computed_field  # type: ignore[prop-decorator]
    @property
    def links(self) -> dict[str, str]:
        """Addresses that belong to the run; trace only where steps are kept."""
        address = run_address(self.id)
        return {"self": address} | ({"trace": f"{address}/trace"} if self.has_trace else {})


class RunDocument(RunFacts):
    """A run as a row of a comparison."""

    board_index: int = Field(description="Which board of a sweep, from 0")
    shared: bool = Field(description="Whether the run was there before the comparison asked for it")
    optimal_length: int | None = Field(
        description="Of its board, where a run of the comparison proves it", examples=[13]
    )


class RunDetailDocument(RunFacts):
    """A run with its boards, its limits and its solution."""

    width: int
    height: int
    board: FlatTiles
    goal: FlatTiles
    time_limit_s: float
    node_limit: int
    memory_limit_mb: int
    trace: WindowDocument | None = Field(description="Which steps were asked for")
    moves: str | None = Field(
        description="Each move by the way its tile goes; null without a solution, and of one "
        "of more than 10,000 moves",
        pattern="^[UDLR]*$",
        examples=["LL"],
    )


def run_document(run: RunView, optimal_length: int | None) -> RunDocument:
    return RunDocument.model_validate(
        _facts(run)
        | {"board_index": run.board_index, "shared": run.shared, "optimal_length": optimal_length}
    )


def run_detail_document(view: RunDetailView) -> RunDetailDocument:
    moves = view.moves
    short = moves is not None and len(moves) <= LONGEST_MOVES
    return RunDetailDocument.model_validate(
        _facts(view.run)
        | limit_fields(view.limits)
        | {
            "width": view.start.width,
            "height": view.start.height,
            "board": flat_tiles(view.start),
            "goal": flat_tiles(view.goal),
            "trace": view.window,
            "moves": to_letters(moves) if moves is not None and short else None,
        }
    )


def limit_fields(limits: RunLimits) -> dict[str, float | int | None]:
    memory = limits.memory_bytes
    return {
        "time_limit_s": limits.seconds,
        "node_limit": limits.nodes,
        "memory_limit_mb": None if memory is None else memory // MEBIBYTE,
    }


def method_fields(run: RunView) -> dict[str, Any]:
    method = run.method
    return {
        "method": method.text,
        "algorithm": method.algorithm,
        "heuristic": method.heuristic,
        "weight": method.weight,
        "beam_width": method.width,
    }


def statistic_fields(run: RunView) -> dict[str, Any]:
    if run.statistics is None:
        return _NO_STATISTICS
    return {name: getattr(run.statistics, name) for name in STATISTICS}


def flat_tiles(board: Board) -> list[int]:
    tiles: list[int] = board.cells.tolist()
    return tiles


def run_address(run_id: str) -> str:
    return f"{API_ROOT}/runs/{run_id}"


def _facts(run: RunView) -> dict[str, Any]:
    return {
        "id": run.id,
        "title": " · ".join(map(translate_text, run.method.title_parts)),
        "state": run.state,
        "length": run.length,
        "optimal": run.optimal,
        "stopped_by": run.stopped_by,
        "message_code": None if run.message is None else run.message.code,
        "message": None if run.message is None else translate(run.message),
        "has_trace": run.has_trace,
        **method_fields(run),
        **statistic_fields(run),
    }


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
