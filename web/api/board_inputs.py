"""Boards and goals in requests."""

from __future__ import annotations

from typing import Annotated, Any, Final

from pydantic import BaseModel, ConfigDict, Field, WithJsonSchema

from tilework.core.errors import BoardError
from tilework.core.formats.board_json import read_board_json
from tilework.core.formats.board_text import read_goal
from tilework.core.puzzle.board import MAX_SIDE, Board, Size
from tilework.core.puzzle.goals import GoalName
from tilework.core.puzzle.phrases import goal_size
from tilework.web.clients import services

_TILES: Final = {"type": "array", "items": {"type": "integer", "minimum": 0}, "minItems": 1}
_TEXT: Final = {"type": "string", "minLength": 1, "examples": ["1 2 3 4 5 6 7 0 8"]}

# pydantic leaves boards to the shared reader, whose errors name the row and the column. pydantic
# itself would report every number once for each form that a board can have.
BoardInput = Annotated[
    Any,
    WithJsonSchema(
        {
            "description": "The board as text in any supported format, as a flat list of tiles, "
            "or as a list of rows. 0 is the blank.",
            "anyOf": [_TEXT, _TILES, {"type": "array", "items": _TILES, "minItems": 1}],
        }
    ),
]
GoalInput = Annotated[
    Any,
    WithJsonSchema(
        {
            "description": f"The goal: {', '.join(GoalName)}, or a board.",
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
    Field(ge=1, le=MAX_SIDE, description="The number of columns of a flat, non-square list."),
]


class BoardFields(BaseModel):
    """A board and its goal."""

    model_config = ConfigDict(extra="forbid")

    board: BoardInput = Field()
    goal: GoalInput = GoalName.BLANK_LAST
    width: Width = None

    def puzzle(self) -> tuple[Board, Board]:
        start = parse_board(self.board, self.width)
        return start, parse_goal(self.goal, start.size)


class GoalField(BaseModel):
    """The goal of the boards in a request."""

    goal: GoalInput = GoalName.BLANK_LAST


def parse_board(value: object, width: int | None) -> Board:
    return read_board_json(value, width, max_cells=services().settings.max_cells)


def parse_goal(value: object, size: Size) -> Board:
    if isinstance(value, str):
        return read_goal(value, size)
    goal = read_board_json(value, size.width, max_cells=size.cells)
    if goal.size != size:
        raise BoardError(goal_size(goal.size, size))
    return goal
