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
from tilework.core.services.jobs.vocabulary import Algorithm, Heuristic, Metric, Target, TargetKind
from tilework.web.clients import services

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
    int | None,
    Field(ge=1, le=MAX_SIDE, description="Columns of a flat board that is not square"),
]


def one_of(names: tuple[str, ...], **more: str) -> WithJsonSchema:
    """Describe a text that is one of these names."""
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
        """Return them as fields of a submission."""
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
        """Return them as fields of a submission."""
        return super().options() | {"algorithm": self.algorithm, "heuristic": self.heuristic}


def board_of(value: object, width: int | None) -> Board:
    """Read a board.

    Raises
    ------
    BoardError
        If it is invalid, or larger than this service takes.
    """
    return read_board_json(value, width, max_cells=services().settings.max_cells)


def goal_of(value: object, size: Size) -> Board:
    """Read the goal of a board of a size: a name or a board of the same size.

    Raises
    ------
    BoardError
        If it is neither.
    """
    if isinstance(value, str):
        return read_goal(value, size)
    goal = read_board_json(value, size.width, max_cells=size.cells)
    if goal.size != size:
        raise BoardError(goal_size(goal.size, size))
    return goal
