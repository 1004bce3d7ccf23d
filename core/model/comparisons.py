"""Comparisons of the lab: requests, runs, and their views."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Final, Literal

from tilework.core.arguments import check_integer
from tilework.core.errors import OptionError
from tilework.core.lab.methods import Method
from tilework.core.lab.result import RunResult, RunStatistics, TraceWindow
from tilework.core.messages import Message
from tilework.core.model.states import RunState
from tilework.core.puzzle.board import Board, Size
from tilework.core.puzzle.moves import Moves
from tilework.core.puzzle.phrases import cells
from tilework.core.puzzle.scramble import scramble
from tilework.core.search.limits import StopReason

if TYPE_CHECKING:
    from tilework.core.settings import Settings

MAX_BOARDS = 1_000
MAX_MOVES = 1_000
MAX_RUNS = 1_000

# The default and the maximum of each limit of a run.
RUN_SECONDS, MAX_RUN_SECONDS = 10.0, 60.0
RUN_NODES, MAX_RUN_NODES = 2_000_000, 20_000_000
RUN_MEMORY_BYTES = 512 * 2**20

# Boards times moves, because the boards are drawn while the request waits.
MAX_WALK = 250_000

# Largest integer that every JSON reader represents exactly.
MAX_SEED = 2**53 - 1 - MAX_BOARDS


@dataclass(frozen=True, slots=True)
class Sweep:
    """How the boards of a comparison are drawn.

    ``boards``: their number, from 1 to 1,000.
    ``moves``: the number of random moves from the goal to the last board, from 1 to 1,000; no move
        undoes the previous one. Earlier boards need fewer, in even steps. Boards times moves is at
        most 250,000.
    ``seed``: 0 or greater.

    Raises OptionError if a number is out of range.
    """

    boards: int = 40
    moves: int = 120
    seed: int = 1

    def __post_init__(self) -> None:
        check_integer("boards", self.boards, 1, MAX_BOARDS)
        check_integer("moves", self.moves, 1, MAX_MOVES)
        check_integer("seed", self.seed, 0, MAX_SEED)
        if self.boards * self.moves > MAX_WALK:
            raise OptionError(
                "sweep-walk",
                "a sweep of {boards} boards with up to {moves} moves each is too long; with "
                "that many boards, use at most {max} moves",
                boards=self.boards,
                moves=self.moves,
                max=MAX_WALK // self.boards,
            )

    @property
    def text(self) -> str:
        return f"{self.boards}-{self.moves}-{self.seed}"

    @classmethod
    def from_text(cls, text: str) -> Sweep:
        """Parse the text of a sweep."""
        return cls(*map(int, text.split("-")))

    def draw(self, goal: Board) -> list[Board]:
        """Return the boards, starting with those that need the fewest moves."""
        return [
            scramble(
                goal.size,
                goal,
                moves=max(1, round(self.moves * (index + 1) / self.boards)),
                seed=self.seed + index,
            )
            for index in range(self.boards)
        ]


MIB: Final = 2**20
MAX_DIGITS: Final = 40


@dataclass(frozen=True, slots=True)
class RunLimits:
    """The limits of each run of a comparison; None is the default."""

    seconds: float | None = None
    nodes: int | None = None
    memory_bytes: int | None = None

    def with_defaults(self, settings: Settings) -> RunLimits:
        """Return the limits with the defaults filled in.

        Raises OptionError if a limit is not positive, or exceeds its maximum.
        """
        seconds = RUN_SECONDS if self.seconds is None else self.seconds
        nodes = RUN_NODES if self.nodes is None else self.nodes
        memory = RUN_MEMORY_BYTES if self.memory_bytes is None else self.memory_bytes
        if not 0 < seconds <= MAX_RUN_SECONDS:
            raise OptionError(
                "run-time-limit",
                "invalid time limit {limit} s; use more than 0 and at most {max} s",
                limit=_amount(seconds),
                max=_amount(MAX_RUN_SECONDS),
            )
        if not 0 < nodes <= MAX_RUN_NODES:
            raise OptionError(
                "run-node-limit",
                "invalid limit of {limit} nodes; use more than 0 and at most {max}",
                limit=_amount(nodes),
                max=_amount(MAX_RUN_NODES),
            )
        if not 0 < memory <= settings.lab_max_memory_bytes:
            raise OptionError(
                "run-memory-limit",
                "invalid memory limit {limit} MiB; use more than 0 and at most {max} MiB",
                limit=_amount(memory // MIB),
                max=_amount(settings.lab_max_memory_bytes // MIB),
            )
        return RunLimits(float(seconds), nodes, memory)


@dataclass(frozen=True, kw_only=True)
class ComparisonRequest:
    """Methods to compare, on one board or on the boards of a sweep.

    ``start``, ``goal``: a sweep has only a goal.
    ``window``: None records no trace.
    ``exhaust``: whether a board that cannot reach its goal is searched, too.
    """

    client_id: str
    start: Board | None
    goal: Board
    methods: Sequence[Method]
    limits: RunLimits = RunLimits()
    window: TraceWindow | None = None
    sweep: Sweep | None = None
    exhaust: bool = False


def check_cells(size: Size, settings: Settings) -> None:
    """Raise OptionError if a board is too large for the lab."""
    if size.cells > settings.lab_max_cells:
        raise OptionError(
            "too-many-lab-cells",
            "{size} boards have {cells}; the lab accepts at most {max}",
            size=size,
            cells=cells(size.cells),
            max=settings.lab_max_cells,
        )


def _amount(value: float) -> str:
    return (f"{value:g}" if isinstance(value, float) else str(value))[:MAX_DIGITS]


@dataclass(frozen=True, slots=True)
class RunView:
    """One run, as a row of a comparison.

    ``board_index``: the board of a sweep, from 0.
    ``shared``: whether the run existed before the comparison requested it.
    ``length``: moves of its solution.
    ``optimal``: whether the solution is proven optimal, by this method or by another one in the
        comparison; None if unknown.
    ``statistics``: None until it is done.
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
