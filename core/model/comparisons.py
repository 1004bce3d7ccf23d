"""Comparisons of the lab: requests, runs, and their views."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, astuple, dataclass
from typing import Annotated, Any, ClassVar, Final, Literal, Self

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    InstanceOf,
    PlainSerializer,
    PlainValidator,
    WithJsonSchema,
    model_validator,
)

from tilework.core.arguments import check_text
from tilework.core.errors import OptionError
from tilework.core.lab.methods import (
    DEFAULT_METHODS,
    RUN_MEMORY_BYTES,
    LabAlgorithm,
    LabHeuristic,
    Method,
    pair_methods,
)
from tilework.core.lab.result import RunResult, TraceWindow
from tilework.core.messages import Message
from tilework.core.model.states import RunState
from tilework.core.puzzle.board import MAX_SIDE, Board, Size
from tilework.core.puzzle.phrases import cells
from tilework.core.puzzle.scramble import scramble
from tilework.core.search.limits import Limits, StopReason
from tilework.core.settings import Settings
from tilework.core.validation import custom_error

MAX_BOARDS = 1_000
MAX_MOVES = 1_000
MAX_RUNS = 1_000

# The default and the maximum of each limit of a run.
RUN_SECONDS, MAX_RUN_SECONDS = 10.0, 60.0
RUN_NODES, MAX_RUN_NODES = 2_000_000, 20_000_000

# Boards times moves, because the boards are drawn while the request waits.
MAX_WALK = 250_000

# Largest integer that every JSON reader represents exactly.
MAX_SEED = 2**53 - 1 - MAX_BOARDS


@dataclass(frozen=True, slots=True)
class Sweep:
    """Random boards, increasingly far from the goal. The same seed gives the same boards."""

    __pydantic_config__: ClassVar[ConfigDict] = ConfigDict(extra="forbid")

    boards: Annotated[int, Field(ge=1, le=MAX_BOARDS, description="The number of boards.")] = 40
    moves: Annotated[
        int,
        Field(
            ge=1,
            le=MAX_MOVES,
            description="The number of random moves from the goal to the last board. Boards before "
            "it are reached in fewer moves, in even steps.",
        ),
    ] = 120
    seed: Annotated[int, Field(ge=0, le=MAX_SEED)] = 1
    width: Annotated[int, Field(ge=1, le=MAX_SIDE)] = 3
    height: Annotated[int, Field(ge=1, le=MAX_SIDE)] = 3

    def __post_init__(self) -> None:
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
        return "-".join(map(str, astuple(self)))

    @classmethod
    def from_text(cls, text: str) -> Sweep:
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


_MEBIBYTE: Final = 2**20
_MAX_METHODS: Final = 200


def _read_method(value: Any) -> Method:
    try:
        return value if isinstance(value, Method) else Method.from_text(check_text("method", value))
    except OptionError as error:
        raise custom_error(error.message) from None


class ComparisonOptions(BaseModel):
    """The methods to compare, the limits of their runs, and what to store."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    methods: (
        list[
            Annotated[
                Method,
                PlainValidator(_read_method),
                WithJsonSchema({"type": "string", "maxLength": 100}),
            ]
        ]
        | None
    ) = Field(
        default=None,
        min_length=1,
        max_length=_MAX_METHODS,
        description="The methods. Each is an algorithm, its heuristic if it uses one, and its "
        "weight or beam width if it has one, separated by colons. Omitted parts have defaults.",
        examples=[["a-star:manhattan", "weighted-a-star:manhattan:2", "breadth-first"]],
    )
    algorithms: list[LabAlgorithm] | None = Field(
        default=None,
        min_length=1,
        max_length=_MAX_METHODS,
        description="Algorithms, instead of methods.",
    )
    heuristics: list[LabHeuristic] | None = Field(
        default=None,
        min_length=1,
        max_length=_MAX_METHODS,
        description="Heuristics, each combined with every algorithm that uses one. Defaults to "
        "manhattan.",
    )
    time_limit_s: float | None = Field(
        default=None,
        gt=0,
        le=MAX_RUN_SECONDS,
        allow_inf_nan=False,
        description="The time limit of each run, in seconds.",
    )
    node_limit: int | None = Field(
        default=None,
        gt=0,
        le=MAX_RUN_NODES,
        description="The maximum number of nodes that each run generates.",
    )
    memory_limit_mb: int | None = Field(
        default=None,
        gt=0,
        lt=2**53,
        description="The memory limit for the nodes of each run, in MiB.",
    )
    trace: TraceWindow | None = Field(
        default=None, description="Which steps to store. Only for a single board; none by default."
    )
    sweep: Sweep | None = None
    exhaust: bool = Field(
        default=False,
        description="Whether to search an unsolvable board until every reachable board has been "
        "visited or a limit is reached.",
    )

    @model_validator(mode="after")
    def _check(self) -> Self:
        if self.sweep is not None and self.trace is not None:
            message = Message(
                "trace-of-sweep", "a sweep records no trace; compare one of its boards with a trace"
            )
            raise custom_error(message)
        if self.methods is not None and self.algorithms is not None:
            message = Message(
                "methods-and-algorithms",
                "give either methods, or algorithms and heuristics to combine, not both",
            )
            raise custom_error(message)
        if self.heuristics is not None and self.algorithms is None:
            message = Message(
                "heuristics-only",
                "heuristics must be combined with algorithms; use algorithms too, or give "
                "methods instead",
            )
            raise custom_error(message)
        return self

    def list_methods(self) -> tuple[Method, ...]:
        """Return the methods, each once; by default, the representative ones."""
        if self.algorithms is not None:
            return pair_methods(self.algorithms, self.heuristics or ())
        return DEFAULT_METHODS if self.methods is None else tuple(dict.fromkeys(self.methods))

    @property
    def limits(self) -> Limits:
        """The limits of each run, with the defaults filled in."""
        memory = self.memory_limit_mb
        return Limits(
            self.time_limit_s or RUN_SECONDS,
            self.node_limit or RUN_NODES,
            RUN_MEMORY_BYTES if memory is None else memory * _MEBIBYTE,
        )


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


def check_memory(limits: Limits, settings: Settings) -> None:
    """Raise OptionError if the memory limit of a run exceeds the service's."""
    memory, maximum = limits.memory_bytes or 0, settings.lab_max_memory_bytes
    if memory > maximum:
        raise OptionError(
            "run-memory-limit",
            "invalid memory limit {limit} MiB; use more than 0 and at most {max} MiB",
            limit=memory // _MEBIBYTE,
            max=maximum // _MEBIBYTE,
        )


StoredMessage = Annotated[InstanceOf[Message], WithJsonSchema({"type": "string"})]
"""A message as it was stored; the API translates it."""


def _text(method: Method) -> str:
    return method.text


class Run(BaseModel):
    """A method and its outcome on a board. The statistics are null until the run is done.

    ``version``: increases with every change of state.
    ``message``: why there is no solution.
    """

    model_config = ConfigDict(json_schema_serialization_defaults_required=True)

    id: str
    version: int = Field(exclude=True)
    method: Annotated[
        Method,
        PlainSerializer(_text, return_type=str),
        Field(examples=["weighted-a-star:manhattan:2"]),
    ]
    state: RunState = Field(description="A run stopped by a limit is also done.")
    length: int | None = Field(None, description="The length of its solution.", examples=[13])
    optimal: bool | None = Field(
        None, description="Whether the solution is a shortest one. null if unknown."
    )
    stopped_by: StopReason | None = Field(
        None, description="The limit that stopped the search, or null if no limit did."
    )
    message: StoredMessage | None
    expanded: int | None = Field(None, description="The number of nodes expanded.", examples=[80])
    generated: int | None = Field(
        None, description="The number of nodes generated, with duplicates.", examples=[217]
    )
    visited: int | None = Field(
        None,
        description="The number of nodes expanded, plus the goal if it was found.",
        examples=[81],
    )
    frontier: int | None = Field(
        None, description="The size of the frontier at the end.", examples=[55]
    )
    max_frontier: int | None = Field(
        None, description="The largest size of the frontier.", examples=[56]
    )
    duplicates: int | None = Field(
        None,
        description="The number of generated nodes whose board was already known.",
        examples=[82],
    )
    depth: int | None = Field(
        None, description="The depth of the deepest node expanded, in moves.", examples=[12]
    )
    branching: float | None = Field(
        None,
        description="The effective branching factor: a uniform tree with this branching factor and "
        "the depth of the solution has as many nodes as were generated.",
        examples=[1.37],
    )
    seconds: float | None = Field(
        None,
        description="The duration of the run, excluding the time to build the heuristic's tables.",
        examples=[0.002],
    )
    memory_bytes: int | None = Field(
        None, description="The estimated peak memory of the stored nodes.", examples=[36_992]
    )
    has_trace: bool = Field(exclude=True)


def run_document(result: RunResult) -> dict[str, Any]:
    """Return the outcome of a search as a JSON value with the names of the fields of `Run`."""
    length = None if result.moves is None else len(result.moves)
    return {
        "length": length,
        "stopped_by": result.stopped_by,
        **asdict(result.statistics),
    }


class ComparedRun(Run):
    """A run as a row of a comparison."""

    board_index: int = Field(description="The index of the board in the sweep, from 0.")
    shared: bool = Field(description="Whether the run already existed before the comparison.")
    optimal_length: int | None = Field(
        None,
        description="The optimal length for its board, if a run of the comparison proves it.",
        examples=[13],
    )


def version_text(version_sum: int, cancelled: bool) -> str:
    """Return a comparison's version: the sum of its runs' versions, and whether it is cancelled."""
    return f"{version_sum}{'c' if cancelled else ''}"


@dataclass(frozen=True, kw_only=True)
class Comparison:
    """A client's comparison.

    ``key``: the same for the same request; unique per client.
    ``start``: None for a sweep.
    ``total``: number of its runs.
    ``runs``: ordered by board and then by method; empty if they were not read.
    """

    id: str
    client_id: str
    key: str
    start: Board | None
    goal: Board
    methods: tuple[Method, ...]
    limits: Limits
    window: TraceWindow | None
    sweep: Sweep | None
    total: int
    created_at: float
    cancelled_at: float | None = None
    runs: Sequence[ComparedRun] = ()

    @property
    def version(self) -> str:
        """Changes whenever anything stored about the comparison changes."""
        return version_text(sum(run.version for run in self.runs), self.cancelled)

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
