"""What a run of the lab did, step by step: a bounded record, and its form as JSON."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from tilework.core.errors import OptionError
from tilework.core.puzzle.phrases import cells as cells_of

# A board as a search of the lab sees it: its tiles row by row, 0 for the blank
State = tuple[int, ...]

MAX_STEPS = 2_000

MAX_GAP = 1_000_000_000

# Each step shows up to 17 boards: of 400 cells, 300 steps are eight megabytes of JSON.
_MOST_TILES = 120_000


class Outcome(StrEnum):
    """The outcome of a generated node.

    ``new``: it was put into the frontier. ``duplicate``: its board was known, by a path as short.
    ``cheaper``: its board was known by a longer path, which this one replaces. ``cut``:
    it was over a limit or did not fit in, and is dropped. ``forbidden``: it would undo the move
    that led to its parent; it is shown, but was never generated.
    """

    NEW = "new"
    DUPLICATE = "duplicate"
    CHEAPER = "cheaper"
    CUT = "cut"
    FORBIDDEN = "forbidden"


def max_trace_steps(cells: int) -> int:
    """Return how many steps at either end, and between them, a board's trace may hold."""
    return min(MAX_STEPS, _MOST_TILES // cells)


@dataclass(frozen=True, slots=True)
class TraceWindow:
    """Which expansions a trace holds: the first, the last, and every n-th between them."""

    # How many, from 0 on
    first: int = 300
    last: int = 50
    # Each expansion whose number it divides, at most 2,000 of them; 0 is none, and 10⁹ is the most
    every: int = 0

    def __post_init__(self) -> None:
        for value in (self.first, self.last):
            if not 0 <= value <= MAX_STEPS:
                raise OptionError(
                    "trace-end",
                    "the trace cannot keep {count} expansions at either end; give 0 to {most}",
                    count=str(value)[:40],
                    most=MAX_STEPS,
                )
        if self.every < 0:
            raise OptionError(
                "trace-every",
                "invalid trace interval {every}; give 1 or more, or 0 for none",
                every=str(self.every)[:40],
            )
        if self.every > MAX_GAP:
            raise OptionError(
                "trace-interval",
                "a trace interval of {every} is too large; give at most {most}",
                every=str(self.every)[:40],
                most=MAX_GAP,
            )

    def check(self, cells: int) -> None:
        most = max_trace_steps(cells)
        if max(self.first, self.last) > most:
            raise OptionError(
                "trace-length",
                "a trace of {steps} steps is too long for a board of {cells}; give at most {most} "
                "for each end",
                steps=max(self.first, self.last),
                cells=cells_of(cells),
                most=most,
            )

    @property
    def text(self) -> str:
        return f"{self.first}-{self.last}-{self.every}"

    @classmethod
    def from_text(cls, text: str) -> TraceWindow:
        return cls(*map(int, text.split("-")))


@dataclass(frozen=True, slots=True)
class Child:
    """A node that a step generated, or was forbidden to."""

    # Its number: nodes are numbered as they are generated, the start with 0. None of one that is
    # forbidden.
    node: int | None
    move: int  # code of the move from its parent, as in ``tilework.core.puzzle.moves``
    state: State
    g: int
    # None for a duplicate, which is not estimated again, and for one that is forbidden
    h: float | None
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
    # Numbers of the node expanded and of the one it came from
    node: int
    parent: int | None
    backward: bool  # whether the node belongs to a search from the goal
    state: State
    g: int
    h: float
    children: tuple[Child, ...]
    frontier_size: int  # after the step
    frontier: tuple[FrontierNode, ...]  # those whose turn is next, at most 12, after the step


@dataclass(frozen=True, slots=True)
class Trace:
    """The steps that a window shows, in order, of all the expansions there were."""

    window: TraceWindow
    expanded: int
    steps: tuple[Step, ...]
    # Numbers of the nodes of the solution, the start first; empty where none was found
    path: tuple[int, ...] = ()

    def document(self) -> dict[str, Any]:
        """Return the trace as a JSON value, as the API and the command line write it."""
        return {
            "first": self.window.first,
            "last": self.window.last,
            "every": self.window.every,
            "expanded": self.expanded,
            "path": list(self.path),
            "steps": [_step(step) for step in self.steps],
        }


def _step(step: Step) -> dict[str, Any]:
    return {
        "number": step.number,
        "node": step.node,
        "parent": step.parent,
        "backward": step.backward,
        "board": list(step.state),
        "g": step.g,
        "h": step.h,
        "f": step.g + step.h,
        "children": [
            {
                "node": child.node,
                "move": "UDLR"[child.move],
                "board": list(child.state),
                "g": child.g,
                "h": child.h,
                "f": None if child.h is None else child.g + child.h,
                "outcome": child.outcome.value,
            }
            for child in step.children
        ],
        "frontier_size": step.frontier_size,
        "frontier": [
            {"node": one.node, "board": list(one.state), "g": one.g, "h": one.h, "f": one.g + one.h}
            for one in step.frontier
        ],
    }
