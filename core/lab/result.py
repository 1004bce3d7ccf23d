"""The result of a run: the same statistics for every algorithm, and the steps of a trace."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from typing import Annotated, Any, ClassVar, Literal

from pydantic import ConfigDict, Field, TypeAdapter

from tilework.core.errors import OptionError
from tilework.core.lab.methods import Method
from tilework.core.messages import Message
from tilework.core.puzzle import phrases
from tilework.core.puzzle.moves import Moves
from tilework.core.search.limits import Statistics, StopReason

# The tiles of a board, row by row, 0 for the blank
State = tuple[int, ...]

MAX_STEPS = 2_000

MAX_GAP = 1_000_000_000

# Each step shows up to 17 boards; 300 steps of 400 cells are eight megabytes of JSON.
_MAX_TILES = 120_000


class Outcome(StrEnum):
    """The outcome of a generated node; `Child` explains each."""

    NEW = "new"
    DUPLICATE = "duplicate"
    CHEAPER = "cheaper"
    CUT = "cut"
    FORBIDDEN = "forbidden"


def max_trace_steps(cells: int) -> int:
    """Return the maximum number of steps at each end of a trace, and between them."""
    return min(MAX_STEPS, _MAX_TILES // cells)


@dataclass(frozen=True, slots=True)
class TraceWindow:
    """Which expansions are stored as steps: the first, the last, and every n-th in between."""

    __pydantic_config__: ClassVar[ConfigDict] = ConfigDict(extra="forbid")

    first: Annotated[
        int, Field(ge=0, le=MAX_STEPS, description="The number of steps at the beginning.")
    ] = 300
    last: Annotated[
        int, Field(ge=0, le=MAX_STEPS, description="The number of steps at the end.")
    ] = 50
    every: Annotated[
        int,
        Field(
            ge=0,
            le=MAX_GAP,
            description="The interval of the steps in between, or 0 for none. It is increased if "
            "there would be more than 2,000 steps.",
        ),
    ] = 0

    def check(self, cells: int) -> None:
        max_steps = max_trace_steps(cells)
        if max(self.first, self.last) > max_steps:
            raise OptionError(
                "trace-length",
                "a trace of {steps} steps is too long for a board with {cells}; use at most "
                "{max} for each end",
                steps=max(self.first, self.last),
                cells=phrases.cells(cells),
                max=max_steps,
            )

    @property
    def text(self) -> str:
        return f"{self.first}-{self.last}-{self.every}"

    @classmethod
    def from_text(cls, text: str) -> TraceWindow:
        return cls(*map(int, text.split("-")))


Letter = Literal["U", "D", "L", "R"]
Tiles = Annotated[State, Field(description="The tiles row by row, with 0 for the blank.")]


@dataclass(frozen=True, slots=True)
class Child:
    """A successor in a step: a node that it generated or was forbidden to generate."""

    node: Annotated[
        int | None,
        Field(
            description="The number of the node, in the order of generation, from 0 for the start. "
            "null if the outcome is forbidden."
        ),
    ]
    move: Annotated[Letter, Field(description="The direction in which the tile moves.")]
    board: Tiles
    g: int
    h: Annotated[
        float | None,
        Field(description="null for a duplicate or forbidden node, which is not evaluated."),
    ]
    f: float | None
    outcome: Annotated[
        Outcome,
        Field(
            description="new: added to the frontier. duplicate: its board was already known (in "
            "A*: by an equally short or shorter path). cheaper: already reached, but by a longer "
            "path. cut: over a limit or outside the beam. forbidden: not generated because it "
            "would undo the previous move."
        ),
    ]


@dataclass(frozen=True, slots=True)
class FrontierNode:
    """A node in the frontier."""

    node: int
    board: Tiles
    g: int
    h: float
    f: float


@dataclass(frozen=True, slots=True)
class Step:
    """One expansion."""

    number: Annotated[int, Field(description="The number of the step, from 1.")]
    node: int
    parent: int | None
    backward: Annotated[
        bool, Field(description="Whether the node belongs to a search from the goal.")
    ]
    board: Tiles
    g: Annotated[int, Field(description="The number of moves from the start.")]
    h: Annotated[float, Field(description="The heuristic's estimate of the remaining moves.")]
    f: Annotated[float, Field(description="g + h, or g + weight · h in weighted A*.")]
    children: tuple[Child, ...]
    frontier_size: Annotated[
        int,
        Field(
            description="The size of the frontier after the step. In recursive searches, the "
            "current path takes the place of the frontier."
        ),
    ]
    frontier: Annotated[
        tuple[FrontierNode, ...],
        Field(
            description="The nodes that are expanded next, at most 12. In recursive searches, the "
            "last nodes of the current path, from its end."
        ),
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class Trace:
    """The requested steps of a run, in order."""

    first: int
    last: int
    every: int
    expanded: Annotated[int, Field(description="The total number of steps.")]
    path: Annotated[
        tuple[int, ...],
        Field(description="The nodes of the solution, from the start to the goal."),
    ]
    steps: tuple[Step, ...]

    def document(self) -> dict[str, Any]:
        """Return the trace as a JSON value."""
        document: dict[str, Any] = _trace_adapter().dump_python(self, mode="json")
        return document


@cache
def _trace_adapter() -> TypeAdapter[Trace]:
    return TypeAdapter(Trace)


# Increase it when statistics or traces of any algorithm change; stored runs are then not reused
LAB_VERSION = 4


@dataclass(frozen=True, slots=True)
class RunStatistics(Statistics):
    """The cost of a run and the shape of its search tree."""

    visited: int = 0  # nodes expanded, plus the goal if it was found
    frontier: int = 0  # nodes waiting at the end; the path if only that is stored
    duplicates: int = 0  # generated nodes whose board was already reached
    depth: int = 0  # of the deepest expanded node
    # Effective branching factor: that of a uniform tree with as many nodes as were generated, down
    # to the solution's depth, or to `depth` without a solution
    branching: float = 0.0
    memory_bytes: int = 0  # estimated for the largest number of nodes in memory


@dataclass(frozen=True, slots=True)
class RunResult:
    method: Method
    moves: Moves | None  # the solution, replayed
    statistics: RunStatistics
    # None if the search was not stopped, with or without a solution
    stopped_by: StopReason | None = None
    message: Message | None = None  # why there is no solution
    trace: Trace | None = None  # if one was requested

    @property
    def optimal(self) -> bool:
        """Whether the method guarantees that the solution is shortest."""
        return self.moves is not None and self.method.guarantees_optimum

    @property
    def optimum(self) -> int | None:
        """The length of a shortest solution, if the search has proved it."""
        return len(self.moves) if self.moves is not None and self.optimal else None
