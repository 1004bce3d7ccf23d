"""Runs and comparisons as the services see them, between the storage and the rules."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Any

from tilework.core.lab.method import Method
from tilework.core.lab.result import LAB_VERSION, RunStatistics
from tilework.core.lab.trace import TraceWindow
from tilework.core.messages import Message
from tilework.core.model.comparisons import RunLimits, Sweep
from tilework.core.model.leases import Lease
from tilework.core.model.states import RunState
from tilework.core.puzzle.board import Board
from tilework.core.puzzle.moves import Moves
from tilework.core.search.limits import StopReason


@dataclass(frozen=True, slots=True)
class RunSpec:
    """What a run does: the same for everybody who asks for it.

    Attributes
    ----------
    limits : RunLimits
        Filled in.
    """

    start: Board
    goal: Board
    method: Method
    limits: RunLimits
    window: TraceWindow | None

    @property
    def key(self) -> str:
        """A hash of all that the outcome depends on, the lab's version included."""
        limits = self.limits
        words = (
            LAB_VERSION,
            self.start.width,
            self.start.cells.tolist(),
            self.goal.cells.tolist(),
            self.method.text,
            f"{limits.seconds!r} {limits.nodes} {limits.memory_bytes}",
            "" if self.window is None else self.window.text,
        )
        return digest("|".join(map(str, words)))


def digest(text: str) -> str:
    """Return the hash that keys are made of, 64 hexadecimal digits."""
    return hashlib.sha256(text.encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class NewRun:
    """A run about to be stored, unless there is one of the same key.

    Attributes
    ----------
    turn : float
        Epoch seconds by which waiting runs are ordered.
    """

    id: str
    key: str
    spec: RunSpec
    turn: float


@dataclass(frozen=True, slots=True)
class KnownRun:
    """A run as it was found, locked."""

    id: str
    key: str
    state: RunState


@dataclass(frozen=True, slots=True)
class RunClaim:
    """A run under lease."""

    lease: Lease
    spec: RunSpec


@dataclass(frozen=True, slots=True)
class RunEnd:
    """How a run ended: ``done`` with its statistics, or ``failed`` with a message.

    Attributes
    ----------
    trace : dict or None
        As `tilework.core.lab.trace.Trace.document` writes it.
    """

    state: RunState
    statistics: RunStatistics | None = None
    moves: Moves | None = None
    stopped_by: StopReason | None = None
    message: Message | None = None
    trace: dict[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class RunRow:
    """A run without its boards, moves and trace.

    Attributes
    ----------
    version : int
        Grows with every change of state.
    """

    id: str
    version: int
    method: Method
    state: RunState
    length: int | None
    stopped_by: StopReason | None
    message: Message | None
    statistics: RunStatistics | None
    has_trace: bool


@dataclass(frozen=True, slots=True)
class Place:
    """A run's place in a comparison.

    Attributes
    ----------
    place : int
        From 0, by board and then by method.
    shared : bool
        Whether the run was there before the comparison asked for it.
    """

    run_id: str
    place: int
    board_index: int
    shared: bool


@dataclass(frozen=True, slots=True)
class PlacedRun:
    """A run at its place in a comparison."""

    board_index: int
    shared: bool
    run: RunRow


def version_text(versions: int, cancelled: bool) -> str:
    """Return a comparison's version: the sum of its runs', and whether it is cancelled."""
    return f"{versions}{'c' if cancelled else ''}"


@dataclass(frozen=True, slots=True)
class Comparison:
    """A client's comparison without its runs.

    Attributes
    ----------
    key : str
        The same for the same request; one client has it once.
    start : Board or None
        None of a sweep.
    total : int
        How many runs belong to it.
    """

    id: str
    client_id: str
    key: str
    start: Board | None
    goal: Board
    methods: tuple[Method, ...]
    limits: RunLimits
    window: TraceWindow | None
    sweep: Sweep | None
    total: int
    created_at: float
    cancelled_at: float | None = None
