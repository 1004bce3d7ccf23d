"""Boards and goals in requests, and the options of a search."""

from __future__ import annotations

from typing import Annotated, Any, Final

from pydantic import BaseModel, ConfigDict, Field, WithJsonSchema, model_validator

from tilework.core.errors import BoardError
from tilework.core.formats.board_json import read_board_json
from tilework.core.formats.board_text import read_goal
from tilework.core.puzzle.board import MAX_SIDE, Board, Size
from tilework.core.puzzle.goals import GoalName
from tilework.core.puzzle.phrases import goal_size
from tilework.core.services.jobs.methods import ALGORITHM_NAMES, HEURISTIC_NAMES
from tilework.core.services.jobs.vocabulary import Algorithm, Heuristic, Metric, Target, TargetKind
from tilework.web.clients import services
from tilework.web.limits import MEBIBYTE

_TILES: Final = {"type": "array", "items": {"type": "integer", "minimum": 0}, "minItems": 1}
_TEXT: Final = {"type": "string", "minLength": 1, "examples": ["1 2 3 4 5 6 7 0 8"]}

# The forms of a board are told apart by the one reader that all of Tilework shares, whose errors
# name the row and the place; pydantic would report each number of each form.
BoardInput = Annotated[
    Any,
    WithJsonSchema(
        {
            "description": "Text in any format, a flat list of tiles or a list of rows; "
            "0 is the blank",
            "anyOf": [_TEXT, _TILES, {"type": "array", "items": _TILES, "minItems": 1}],
        }
    ),
]
GoalInput = Annotated[
    Any,
    WithJsonSchema(
        {
            "description": f"{', '.join(GoalName)}, or a board",
            "default": str(GoalName.BLANK_LAST),
            "anyOf": [
                {"type": "string", "minLength": 1},
                _TILES,
                {"type": "array", "items": _TILES, "minItems": 1},
            ],
        }
    ),
]
Width = Annotated[
    int | None, Field(ge=1, le=MAX_SIDE, description="Columns of a flat board that is not square")
]


class BoardFields(BaseModel):
    """A board and its goal."""

    model_config = ConfigDict(extra="forbid")

    board: BoardInput = Field()
    goal: GoalInput = GoalName.BLANK_LAST
    width: Width = None

    def puzzle(self) -> tuple[Board, Board]:
        start = board_of(self.board, self.width)
        return start, goal_of(self.goal, start.size)


def one_of(names: tuple[str, ...], **more: str) -> WithJsonSchema:
    return WithJsonSchema({"type": "string", "enum": list(names)} | more)


class TargetFields(BaseModel):
    """What is asked of an answer, and when it is wanted."""

    model_config = ConfigDict(extra="forbid")

    goal: GoalInput = GoalName.BLANK_LAST
    metric: Metric = Field(
        Metric.MOVES,
        description="What is to be few: `moves` of single tiles, or `slides`, in which tiles of a "
        "line that go together count once; then algorithm and heuristic are left out",
    )
    target: TargetKind = Field(TargetKind.OPTIMAL, description="What is good enough")
    gap: float | None = Field(
        None,
        ge=0,
        allow_inf_nan=False,
        description="With the target gap: the largest (upper - lower) / lower that will do",
    )
    time_limit_s: float | None = Field(None, gt=0, allow_inf_nan=False)

    @model_validator(mode="after")
    def _gap_goes_with_its_target(self) -> TargetFields:
        if (self.target is TargetKind.GAP) != (self.gap is not None):
            raise ValueError("gap is given with the target 'gap', and only there")
        return self

    def options(self) -> dict[str, Any]:
        return {
            "metric": self.metric,
            "target": Target(self.target, self.gap or 0.0),
            "time_limit_s": self.time_limit_s,
        }


class OptionFields(TargetFields):
    """How boards are to be solved."""

    algorithm: Annotated[Algorithm, one_of(tuple(Algorithm))] = Algorithm.AUTO
    heuristic: Annotated[Heuristic, one_of(tuple(Heuristic))] = Heuristic.AUTO

    def options(self) -> dict[str, Any]:
        return super().options() | {"algorithm": self.algorithm, "heuristic": self.heuristic}


def board_of(value: object, width: int | None) -> Board:
    return read_board_json(value, width, max_cells=services().settings.max_cells)


def goal_of(value: object, size: Size) -> Board:
    if isinstance(value, str):
        return read_goal(value, size)
    goal = read_board_json(value, size.width, max_cells=size.cells)
    if goal.size != size:
        raise BoardError(goal_size(goal.size, size))
    return goal


_WHOLE: Final = 2**53


AlgorithmText = Annotated[
    str,
    one_of(
        ALGORITHM_NAMES,
        description="How to search. A pair of names of which one is the textbook searches' alone, "
        "as in `greedy` or `a-star` with `hamming`, asks for such a search by the lab. "
        "`lab-a-star`, `lab-ida-star` and `lab-beam` are textbook searches with any heuristic",
    ),
]
HeuristicText = Annotated[
    str,
    one_of(
        HEURISTIC_NAMES,
        description="How to estimate; with auto, a textbook search that asks has manhattan",
    ),
]


class MethodFields(TargetFields):
    """Which algorithm is to search, and what a textbook search takes besides."""

    algorithm: AlgorithmText = "auto"
    heuristic: HeuristicText = "auto"
    weight: float | None = Field(
        None, allow_inf_nan=False, description="Of weighted-a-star, from 1 to 100"
    )
    beam_width: int | None = Field(
        None, lt=_WHOLE, description="Of lab-beam: boards kept of each level"
    )
    node_limit: int | None = Field(
        None, gt=0, lt=_WHOLE, description="Nodes that a textbook search may generate"
    )
    memory_limit_mb: int | None = Field(
        None, gt=0, lt=_WHOLE, description="What the nodes of a textbook search may take, in MiB"
    )

    def options(self) -> dict[str, Any]:
        memory = self.memory_limit_mb
        return super().options() | {
            "algorithm": self.algorithm,
            "heuristic": self.heuristic,
            "weight": self.weight,
            "width": self.beam_width,
            "node_limit": self.node_limit,
            "memory_bytes": None if memory is None else memory * MEBIBYTE,
        }
