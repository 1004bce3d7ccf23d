"""The result of a run: the same statistics for every algorithm, and the steps of a trace."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

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
    """The outcome of a generated node.

    ``new``: it was added to the frontier. ``duplicate``: its board was already known (in A*: by an
    equally short or shorter path). ``cheaper``: it replaces a longer path to its board. ``cut``: it
    exceeded a limit or did not fit in the beam. ``forbidden``: it would undo the previous move; it
    is shown but was not generated.
    """

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
    """Which expansions a trace contains: the first, the last, and every n-th between them."""

    # Numbers of steps
    first: int = 300
    last: int = 50
    # Every n-th step, at most 2,000 of them; 0 for none
    every: int = 0

    def __post_init__(self) -> None:
        for value in (self.first, self.last):
            if not 0 <= value <= MAX_STEPS:
                raise OptionError(
                    "trace-end",
                    "the trace cannot record {count} expansions at either end; use 0 to {max}",
                    count=str(value)[:40],
                    max=MAX_STEPS,
                )
        if self.every < 0:
            raise OptionError(
                "trace-every",
                "invalid trace interval {every}; use 1 or more, or 0 for none",
                every=str(self.every)[:40],
            )
        if self.every > MAX_GAP:
            raise OptionError(
                "trace-interval",
                "a trace interval of {every} is too large; use at most {max}",
                every=str(self.every)[:40],
                max=MAX_GAP,
            )

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


@dataclass(frozen=True, slots=True)
class Child:
    """A node that a step generated or was forbidden to generate."""

    node: int | None  # number in the order of generation, 0 for the start; None if forbidden
    move: int  # code of the move from its parent
    state: State
    g: int
    h: float | None  # None for duplicates and forbidden nodes, which are not estimated
    outcome: Outcome


@dataclass(frozen=True, slots=True)
class FrontierNode:
    node: int
    state: State
    g: int
    h: float


@dataclass(frozen=True, slots=True)
class Step:
    number: int  # from 1
    node: int  # number of the expanded node
    parent: int | None
    backward: bool  # whether the node belongs to the search from the goal
    state: State
    g: int
    h: float
    children: tuple[Child, ...]
    frontier_size: int  # after the step
    frontier: tuple[FrontierNode, ...]  # the next nodes, at most 12, after the step


@dataclass(frozen=True, slots=True)
class Trace:
    """The recorded steps of a run, in order."""

    window: TraceWindow
    expanded: int  # all expansions, recorded or not
    steps: tuple[Step, ...]
    # Node numbers of the solution, from the start; empty if none was found
    path: tuple[int, ...] = ()
    # Of h in f; not 1 in weighted A*
    weight: float = 1

    def f(self, g: int, h: float) -> float:
        """Return the estimated length of a solution through a node."""
        return g + self.weight * h

    def document(self) -> dict[str, Any]:
        """Return the trace as a JSON value."""
        return {
            "first": self.window.first,
            "last": self.window.last,
            "every": self.window.every,
            "expanded": self.expanded,
            "path": list(self.path),
            "steps": [self._step(step) for step in self.steps],
        }

    def _step(self, step: Step) -> dict[str, Any]:
        return {
            "number": step.number,
            "node": step.node,
            "parent": step.parent,
            "backward": step.backward,
            "board": list(step.state),
            "g": step.g,
            "h": step.h,
            "f": self.f(step.g, step.h),
            "children": [
                {
                    "node": child.node,
                    "move": "UDLR"[child.move],
                    "board": list(child.state),
                    "g": child.g,
                    "h": child.h,
                    "f": None if child.h is None else self.f(child.g, child.h),
                    "outcome": child.outcome.value,
                }
                for child in step.children
            ],
            "frontier_size": step.frontier_size,
            "frontier": [
                {
                    "node": node.node,
                    "board": list(node.state),
                    "g": node.g,
                    "h": node.h,
                    "f": self.f(node.g, node.h),
                }
                for node in step.frontier
            ],
        }


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
