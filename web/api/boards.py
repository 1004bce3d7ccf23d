"""``/boards`` and ``/daily``: checking boards, scrambling boards, daily boards."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from typing import Annotated, Final, Literal

from flask import Response
from flask_openapi import APIBlueprint, Tag
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, WithJsonSchema

from tilework.core.errors import BoardSyntaxError, InputError, OptionError
from tilework.core.links import API_ROOT
from tilework.core.puzzle.arrangement import MAX_CELLS_BY_TILE, hamming_by_tile, manhattan_by_tile
from tilework.core.puzzle.board import MAX_SIDE, Board, Size
from tilework.core.puzzle.goals import (
    MAX_PAIRS,
    GoalName,
    Parity,
    explain,
    inverted_pairs,
    reachable_goals,
)
from tilework.core.puzzle.phrases import cells
from tilework.core.puzzle.scramble import (
    FIRST_DAY,
    MAX_DAILY_SIDE,
    MIN_DAILY_SIDE,
    check_day,
    daily_board,
    parse_day,
)
from tilework.core.puzzle.scramble import scramble as scramble_board
from tilework.web.api.documents import Document, ReadAs, Tiles, json_response
from tilework.web.api.operation_decorator import operation
from tilework.web.api.request_parsing import BoardFields, GoalInput, parse_board, parse_goal
from tilework.web.clients import services
from tilework.web.i18n import set_language_headers, translate

MAX_MOVES: Final = 100_000

ByTile = Annotated[
    list[int],
    Field(
        description=f"One value per tile, from 1. For boards of up to {MAX_CELLS_BY_TILE} cells."
    ),
]

api = APIBlueprint(
    "boards", __name__, url_prefix=f"{API_ROOT}/boards", abp_tags=[Tag(name="boards")]
)


class CheckRequest(BoardFields):
    """A board to check."""


class ScrambleRequest(BaseModel):
    """The size, the goal and the seed of a random board."""

    model_config = ConfigDict(extra="forbid")

    width: int = Field(4, ge=1, le=MAX_SIDE)
    height: int = Field(4, ge=1, le=MAX_SIDE)
    goal: GoalInput = GoalName.BLANK_LAST
    seed: int | None = Field(
        None, ge=0, lt=2**53, description="A seed. The same seed always gives the same board."
    )
    moves: int | None = Field(
        None,
        ge=0,
        le=MAX_MOVES,
        description="The number of random moves from the goal. If omitted, every solvable board "
        "is equally likely.",
    )


class FaultDocument(Document):
    """Why the input is not a valid board. Lines and columns are counted from 1."""

    part: Literal["board", "goal"]
    detail: str
    line: int | None = None
    column: int | None = None
    fixes: list[str] = Field(
        [], description="Texts that are valid: the likely one, or all readings of the input."
    )


class ExplanationDocument(Document):
    """Why the board can or cannot be solved."""

    solvable: bool
    inversions: int
    blank_row: int
    blank_distance: int
    sum: int
    parities: list[Parity]
    inverted_pairs: Annotated[
        list[tuple[int, int]] | None,
        Field(
            description=f"The first {MAX_PAIRS} inverted pairs. For boards of up to "
            f"{MAX_CELLS_BY_TILE} cells."
        ),
    ] = None
    words: Annotated[str, BeforeValidator(translate)] = Field(validation_alias="message")


class VerdictDocument(Document):
    """The facts about a board. For an invalid board, only the fault is set."""

    valid: bool
    fault: FaultDocument | None = None
    read_as: ReadAs
    width: int | None = None
    height: int | None = None
    tiles: Tiles | None = None
    goal: Tiles | None = None
    is_goal: bool | None = None
    hamming: int | None = None
    manhattan: int | None = None
    hamming_by_tile: ByTile | None = None
    manhattan_by_tile: ByTile | None = None
    solvable: bool | None = None
    reachable_goals: list[GoalName] | None = Field(
        None, description="The named goals that an unsolvable board can reach."
    )
    explanation: ExplanationDocument | None = None


class BoardDocument(Document):
    """A board."""

    width: int
    height: int
    tiles: Tiles
    text: str


@operation(api.post, "/check", "checkBoard", VerdictDocument)
def check(body: CheckRequest) -> Response:
    """Check whether a board is valid and solvable, and how far it is from its goal.

    An invalid board is not an error here: the status is 200 and ``fault`` explains what is wrong.
    """
    part: Literal["board", "goal"] = "board"
    try:
        board = parse_board(body.board, body.width)
        part = "goal"
        verdict = _make_verdict(board, parse_goal(body.goal, board.size))
    except InputError as error:
        fault = _describe_fault(part, error)
        verdict = VerdictDocument.model_validate({"valid": False, "fault": fault})
    return set_language_headers(json_response(verdict))


@operation(api.post, "/scramble", "scrambleBoard", BoardDocument)
def scramble(body: ScrambleRequest) -> Response:
    """Generate a random solvable board."""
    size = Size(body.width, body.height)
    max_cells = services().settings.max_cells
    if size.cells > max_cells:
        raise OptionError(
            "too-many-cells",
            "{size} boards have {cells}; this service accepts at most {max}",
            size=size,
            cells=cells(size.cells),
            max=max_cells,
        )
    board = scramble_board(size, parse_goal(body.goal, size), body.seed, body.moves)
    return json_response(
        BoardDocument.model_validate(
            {"width": board.width, "height": board.height, "tiles": board, "text": str(board)}
        )
    )


def _make_verdict(board: Board, goal: Board) -> VerdictDocument:
    explanation = explain(board, goal)
    is_small = board.size.cells <= MAX_CELLS_BY_TILE
    cells = board.cells, goal.cells
    return VerdictDocument.model_validate(
        {
            "valid": True,
            "width": board.width,
            "height": board.height,
            "tiles": board,
            "goal": goal,
            "is_goal": board == goal,
            "hamming": board.hamming(goal),
            "manhattan": board.manhattan(goal),
            "hamming_by_tile": hamming_by_tile(*cells) if is_small else None,
            "manhattan_by_tile": manhattan_by_tile(*cells, board.width) if is_small else None,
            "solvable": explanation.solvable,
            "reachable_goals": None if explanation.solvable else reachable_goals(board),
            "explanation": ExplanationDocument.model_validate(explanation).model_copy(
                update={"inverted_pairs": inverted_pairs(board, goal) if is_small else None}
            ),
        }
    )


def _describe_fault(part: Literal["board", "goal"], error: InputError) -> FaultDocument:
    detail = {"part": part, "detail": translate(error.message)}
    if not isinstance(error, BoardSyntaxError):
        return FaultDocument.model_validate(detail)
    place = {"line": error.line, "column": error.column, "fixes": error.fixes}
    return FaultDocument.model_validate({**detail, **place})


_YEAR_S: Final = 365 * 86_400
_ONE_DAY: Final = timedelta(days=1)

daily_api = APIBlueprint(
    "daily", __name__, url_prefix=f"{API_ROOT}/daily", abp_tags=[Tag(name="boards")]
)

Day = Annotated[
    str,
    WithJsonSchema({"type": "string", "format": "date", "examples": [FIRST_DAY.isoformat()]}),
    Field(description=f"A date from {FIRST_DAY} to tomorrow, in UTC."),
]
Side = Annotated[
    int,
    Field(ge=MIN_DAILY_SIDE, le=MAX_DAILY_SIDE, description="The number of cells per side."),
]


class DailyDocument(Document):
    """The daily board of a date and a size."""

    date: str = Field(examples=[FIRST_DAY.isoformat()])
    size: int
    board: Tiles
    goal: Literal["blank-last"]


@operation(daily_api.get, "/<date>/<size>", "readDailyBoard", DailyDocument, 404)
def daily(date: Day, size: Side) -> Response:
    """Retrieve the daily puzzle of a date. It never changes.

    Tomorrow's board is available as well, because of time zones.
    """
    day = parse_day(date)
    check_day(day, _today() + _ONE_DAY)
    document = DailyDocument.model_validate(
        {
            "date": date,
            "size": size,
            "board": daily_board(day, size),
            "goal": GoalName.BLANK_LAST.value,
        }
    )
    return json_response(document, Cache_Control=f"public, max-age={_YEAR_S}, immutable")


def _today() -> date:
    return datetime.now(UTC).date()
