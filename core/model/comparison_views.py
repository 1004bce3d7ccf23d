"""What the lab's services return."""

from __future__ import annotations

from dataclasses import dataclass

from tilework.core.lab.method import Method
from tilework.core.lab.result import RunStatistics
from tilework.core.lab.trace import TraceWindow
from tilework.core.messages import Message
from tilework.core.model.runs import RunLimits, Sweep
from tilework.core.model.states import RunState
from tilework.core.puzzle.board import Board
from tilework.core.puzzle.moves import Moves
from tilework.core.search.limits import StopReason


@dataclass(frozen=True, slots=True)
class RunView:
    """One run, as a row of a comparison.

    Attributes
    ----------
    board_index : int
        Which board of a sweep, from 0.
    shared : bool
        Whether the run was there before the comparison asked for it.
    length : int or None
        Moves of its solution.
    optimal : bool or None
        Whether the solution is a shortest one: by the method's own promise, or as the comparison
        shows it beside the promise of another. None where nobody can tell.
    statistics : RunStatistics or None
        None until it is done.
    """

    id: str
    board_index: int
    method: Method
    state: RunState
    shared: bool
    length: int | None
    optimal: bool | None
    stopped_by: StopReason | None
    message: Message | None
    statistics: RunStatistics | None
    has_trace: bool


@dataclass(frozen=True, slots=True)
class RunDetailView:
    """A run with its boards and its solution."""

    run: RunView
    start: Board
    goal: Board
    limits: RunLimits
    window: TraceWindow | None
    moves: Moves | None


@dataclass(frozen=True, slots=True)
class ComparisonView:
    """A comparison and its runs, in the order of the boards, then of the methods.

    Attributes
    ----------
    start : Board or None
        None of a sweep.
    version : str
        Changes whenever anything stored about the comparison changes.
    """

    id: str
    client_id: str
    start: Board | None
    goal: Board
    methods: tuple[Method, ...]
    limits: RunLimits
    window: TraceWindow | None
    sweep: Sweep | None
    created_at: float
    cancelled: bool
    runs: tuple[RunView, ...]
    version: str

    @property
    def unfinished(self) -> int:
        """Runs that wait or are under way."""
        return sum(not run.state.ended for run in self.runs)

    @property
    def finished(self) -> bool:
        """Whether every run has ended."""
        return self.unfinished == 0
