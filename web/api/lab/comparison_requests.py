"""Comparison requests: boards, methods, limits, and the steps to store."""

from __future__ import annotations

from typing import Annotated, Final

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, model_validator
from pydantic_core import PydanticCustomError

from tilework.core.errors import OptionError
from tilework.core.lab.methods import (
    DEFAULT_METHODS,
    LabAlgorithm,
    LabHeuristic,
    Method,
    pair_methods,
)
from tilework.core.lab.result import MAX_GAP, MAX_STEPS, TraceWindow
from tilework.core.messages import Message
from tilework.core.model.comparisons import (
    MAX_BOARDS,
    MAX_MOVES,
    MAX_SEED,
    ComparisonRequest,
    RunLimits,
    Sweep,
    check_cells,
)
from tilework.core.puzzle.board import MAX_SIDE, Board, Size
from tilework.core.puzzle.goals import GoalName
from tilework.core.validation import CUSTOM_ERROR
from tilework.web.api.request_parsing import (
    BoardInput,
    GoalInput,
    Width,
    parse_board,
    parse_goal,
)
from tilework.web.clients import services
from tilework.web.i18n import translate
from tilework.web.limits import MEBIBYTE

MAX_METHODS: Final = 200

_MAX_INTEGER: Final = 2**53
_DEFAULT_WINDOW: Final = TraceWindow()
_DEFAULT_SWEEP: Final = Sweep()


def _check_method(text: str) -> str:
    try:
        return Method.from_text(text).text
    except OptionError as error:
        raise _custom_error(error.message) from None


MethodText = Annotated[str, Field(max_length=100), AfterValidator(_check_method)]


class WindowFields(BaseModel):
    """Which expansions of each run are stored as steps."""

    model_config = ConfigDict(extra="forbid")

    first: int = Field(
        _DEFAULT_WINDOW.first,
        ge=0,
        le=MAX_STEPS,
        description="The number of steps at the beginning.",
    )
    last: int = Field(
        _DEFAULT_WINDOW.last, ge=0, le=MAX_STEPS, description="The number of steps at the end."
    )
    every: int = Field(
        _DEFAULT_WINDOW.every,
        ge=0,
        le=MAX_GAP,
        description="The interval of the steps in between, or 0 for none. It is increased if there "
        "would be more than 2,000 steps.",
    )


class SweepFields(BaseModel):
    """Random boards, increasingly far from the goal. The same seed gives the same boards."""

    model_config = ConfigDict(extra="forbid")

    width: int = Field(3, ge=1, le=MAX_SIDE)
    height: int = Field(3, ge=1, le=MAX_SIDE)
    boards: int = Field(
        _DEFAULT_SWEEP.boards, ge=1, le=MAX_BOARDS, description="The number of boards."
    )
    moves: int = Field(
        _DEFAULT_SWEEP.moves,
        ge=1,
        le=MAX_MOVES,
        description="The number of random moves from the goal to the last board. Boards before "
        "it are reached in fewer moves, in even steps.",
    )
    seed: int = Field(_DEFAULT_SWEEP.seed, ge=0, le=MAX_SEED)


class ComparisonFields(BaseModel):
    """The methods to compare, on one board or on the boards of a sweep.

    Give exactly one of board and sweep. Give methods, or algorithms and heuristics to be combined.
    By default, ten representative methods are compared.
    """

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={
            "examples": [
                {"board": "8 1 3 4 0 2 7 6 5", "methods": ["a-star:manhattan", "breadth-first"]},
                {
                    "sweep": {"width": 3, "height": 3, "boards": 20, "moves": 60, "seed": 1},
                    "algorithms": ["a-star", "ida-star"],
                    "heuristics": ["manhattan", "linear-conflict"],
                },
            ]
        },
    )

    board: BoardInput = None
    goal: GoalInput = GoalName.BLANK_LAST
    width: Width = None
    methods: list[MethodText] | None = Field(
        None,
        min_length=1,
        max_length=MAX_METHODS,
        description="The methods. Each is an algorithm, its heuristic if it uses one, and its "
        "weight or beam width if it has one, separated by colons. Omitted parts have defaults.",
        examples=[["a-star:manhattan", "weighted-a-star:manhattan:2", "breadth-first"]],
    )
    algorithms: list[LabAlgorithm] | None = Field(
        None, min_length=1, max_length=MAX_METHODS, description="Algorithms, instead of methods."
    )
    heuristics: list[LabHeuristic] | None = Field(
        None,
        min_length=1,
        max_length=MAX_METHODS,
        description="Heuristics, each combined with every algorithm that uses one. Defaults to "
        "manhattan.",
    )
    time_limit_s: float | None = Field(
        None, gt=0, allow_inf_nan=False, description="The time limit of each run, in seconds."
    )
    node_limit: int | None = Field(
        None,
        gt=0,
        lt=_MAX_INTEGER,
        description="The maximum number of nodes that each run generates.",
    )
    memory_limit_mb: int | None = Field(
        None,
        gt=0,
        lt=_MAX_INTEGER,
        description="The memory limit for the nodes of each run, in MiB.",
    )
    trace: WindowFields | None = Field(
        None, description="Which steps to store. Only for a single board; none by default."
    )
    sweep: SweepFields | None = None
    exhaust: bool = Field(
        False,
        description="Whether to search an unsolvable board until every reachable board has been "
        "visited or a limit is reached.",
    )

    @model_validator(mode="after")
    def _check_boards(self) -> ComparisonFields:
        if (self.board is None) == (self.sweep is None):
            if self.board is None:
                message = Message("neither-board-nor-sweep", "give either board or sweep")
            else:
                message = Message("board-and-sweep-fields", "give either board or sweep, not both")
            raise _custom_error(message)
        if self.sweep is not None and self.width is not None:
            message = Message(
                "width-of-sweep", "width applies to a flat board; a sweep has its own width"
            )
            raise _custom_error(message)
        if self.sweep is not None and self.trace is not None:
            message = Message(
                "trace-of-sweep", "a sweep records no trace; compare one of its boards with a trace"
            )
            raise _custom_error(message)
        return self

    @model_validator(mode="after")
    def _check_methods(self) -> ComparisonFields:
        if self.methods is not None and self.algorithms is not None:
            message = Message(
                "methods-and-algorithms",
                "give either methods, or algorithms and heuristics to combine, not both",
            )
            raise _custom_error(message)
        if self.heuristics is not None and self.algorithms is None:
            message = Message(
                "heuristics-only",
                "heuristics must be combined with algorithms; use algorithms too, or give "
                "methods instead",
            )
            raise _custom_error(message)
        return self

    def to_request(self, client_id: str) -> ComparisonRequest:
        start, goal = self._parse_boards()
        memory = None if self.memory_limit_mb is None else self.memory_limit_mb * MEBIBYTE
        return ComparisonRequest(
            client_id=client_id,
            start=start,
            goal=goal,
            methods=self._list_methods(),
            limits=RunLimits(self.time_limit_s, self.node_limit, memory),
            window=None if self.trace is None else TraceWindow(**dict(self.trace)),
            sweep=None
            if self.sweep is None
            else Sweep(self.sweep.boards, self.sweep.moves, self.sweep.seed),
            exhaust=self.exhaust,
        )

    def _parse_boards(self) -> tuple[Board | None, Board]:
        if self.sweep is None:
            start = parse_board(self.board, self.width)
            return start, parse_goal(self.goal, start.size)
        size = Size(self.sweep.width, self.sweep.height)
        # The service checks this too, but a goal that is too large may not fit into memory.
        check_cells(size, services().settings)
        return None, parse_goal(self.goal, size)

    def _list_methods(self) -> tuple[Method, ...]:
        if self.algorithms is not None:
            return pair_methods(self.algorithms, self.heuristics or ())
        if self.methods is None:
            return DEFAULT_METHODS
        return tuple(dict.fromkeys(Method.from_text(text) for text in self.methods))


def _custom_error(message: Message) -> PydanticCustomError:
    return PydanticCustomError(CUSTOM_ERROR, "{words}", {"words": translate(message)})
