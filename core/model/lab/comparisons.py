"""Requests of comparisons, and the views of their runs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from tilework.core.arguments import check_integer
from tilework.core.errors import OptionError
from tilework.core.lab.method import Method
from tilework.core.lab.result import RunStatistics
from tilework.core.lab.trace import TraceWindow
from tilework.core.messages import Message
from tilework.core.model.states import RunState
from tilework.core.puzzle.board import Board, Size
from tilework.core.puzzle.moves import Moves
from tilework.core.puzzle.phrases import cells
from tilework.core.puzzle.scramble import scramble
from tilework.core.search.limits import StopReason
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
