"""Runs of the lab, and the comparisons that request them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Literal

from tilework.core.lab.method import Method
from tilework.core.lab.result import RunResult, RunStatistics
from tilework.core.lab.trace import TraceWindow
from tilework.core.messages import Message
from tilework.core.model.lab.comparisons import RunLimits, RunView, Sweep
from tilework.core.model.states import RunState
from tilework.core.puzzle.board import Board
from tilework.core.search.limits import StopReason


@dataclass(frozen=True, slots=True)
class RunFigures:
    """The counts of a run."""

    length: int | None
    stopped_by: StopReason | None
    statistics: RunStatistics | None

    @classmethod
    def from_result(cls, result: RunResult) -> RunFigures:
        """Return the counts of a search."""
        length = None if result.moves is None else len(result.moves)
        return cls(length, result.stopped_by, result.statistics)

    @classmethod
    def from_document(cls, document: Mapping[str, Any] | None) -> RunFigures:
        """Read the counts from a JSON value; without one, everything is None."""
        if document is None:
            return cls(None, None, None)
        reason, statistics = document["stopped_by"], document["statistics"]
        return cls(
            document["length"],
            None if reason is None else StopReason(reason),
            None if statistics is None else RunStatistics(**statistics),
        )

    def document(self) -> dict[str, Any]:
        """Return the counts as a JSON value."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Run:
    """A run without its boards, moves and trace.

    ``version``: increases with every change of state.
    """

    id: str
    version: int
    method: Method
    state: RunState
    message: Message | None
    figures: RunFigures
    has_trace: bool


@dataclass(frozen=True, slots=True)
class RunPosition:
    """The position of a run in a comparison.

    ``position``: from 0, by board and then by method.
    ``shared``: whether the run existed before the comparison requested it.
    """

    run_id: str
    position: int
    board_index: int
    shared: bool


@dataclass(frozen=True, slots=True)
class PlacedRun:
    """A run and its position in a comparison."""

    board_index: int
    shared: bool
    run: Run


def version_text(version_sum: int, cancelled: bool) -> str:
    """Return a comparison's version: the sum of its runs' versions, and whether it is cancelled."""
    return f"{version_sum}{'c' if cancelled else ''}"


@dataclass(frozen=True, kw_only=True)
class Comparison:
    """A client's comparison without its runs.

    ``key``: the same for the same request; unique per client.
    ``start``: None for a sweep.
    ``total``: number of its runs.
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


@dataclass(frozen=True, kw_only=True)
class ComparisonView(Comparison):
    """A comparison and its runs, ordered by board and then by method.

    ``version``: changes whenever anything stored about the comparison changes.
    """

    runs: tuple[RunView, ...]
    version: str

    @property
    def cancelled(self) -> bool:
        return self.cancelled_at is not None

    @property
    def unfinished(self) -> int:
        """The number of runs that have not ended."""
        return sum(not run.state.ended for run in self.runs)

    @property
    def finished(self) -> bool:
        """Whether every run has ended."""
        return self.unfinished == 0

    @property
    def state(self) -> Literal["running", "finished", "cancelled"]:
        """The state; runs that others wait for may continue although it is cancelled."""
        if self.cancelled:
            return "cancelled"
        return "finished" if self.finished else "running"
