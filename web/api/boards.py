"""``/boards``: judging a board without solving it, and making one."""

from __future__ import annotations

from typing import Final, Literal

from flask import Response
from flask_babel import get_locale
from flask_openapi import APIBlueprint, Tag
from pydantic import BaseModel, ConfigDict, Field

from core.errors import BoardSyntaxError, InputError, OptionError
from core.puzzle.board import MAX_SIDE, Board, Size
from core.puzzle.goals import GoalName
from core.puzzle.scramble import scramble as scrambled
from core.puzzle.solvability import explain
from web.api.boards_in import BoardInput, GoalInput, Width, board_of, goal_of
from web.api.documents import API, Document, Tiles, answer
from web.api.lab.outcomes import problems
from web.api.request_models import checked
from web.clients import services

MOST_MOVES: Final = 100_000

api = APIBlueprint("boards", __name__, url_prefix=f"{API}/boards", abp_tags=[Tag(name="boards")])


class CheckRequest(BaseModel):
    """A board to look at."""

    model_config = ConfigDict(extra="forbid")

    board: BoardInput = Field()
    goal: GoalInput = GoalName.BLANK_LAST
    width: Width = None


class ScrambleRequest(BaseModel):
    """What kind of board to make."""

    model_config = ConfigDict(extra="forbid")

    width: int = Field(4, ge=1, le=MAX_SIDE)
    height: int = Field(4, ge=1, le=MAX_SIDE)
    goal: GoalInput = GoalName.BLANK_LAST
    seed: int | None = Field(None, ge=0, lt=2**53, description="The same seed, the same board")
    moves: int | None = Field(
        None,
        ge=0,
        le=MOST_MOVES,
        description="So many random moves from the goal; without it, any board is equally likely",
    )


class FaultDocument(Document):
    """Why something is no board, and where in its text, from 1."""

    part: Literal["board", "goal"]
    detail: str
    line: int | None = None
    column: int | None = None


class ExplanationDocument(Document):
    """The parity argument."""

    solvable: bool
    inversions: int
    blank_row: int
    blank_distance: int
    sum: int
    words: str


class VerdictDocument(Document):
    """What there is to say of a board; of what is none, only why."""

    valid: bool
    fault: FaultDocument | None = None
    width: int | None = None
    height: int | None = None
    tiles: Tiles | None = None
    goal: Tiles | None = None
    is_goal: bool | None = None
    hamming: int | None = None
    manhattan: int | None = None
    solvable: bool | None = None
    explanation: ExplanationDocument | None = None


class BoardDocument(Document):
    """A board."""

    width: int
    height: int
    tiles: Tiles
    text: str


@api.post(
    "/check",
    operation_id="checkBoard",
    responses={200: VerdictDocument, **problems(400, 403, 413, 415, 422, 429)},
)
@checked
def check(body: CheckRequest) -> Response:
    """Say whether something is a board, whether it can be solved and why, and how far it is off.

    Something that is no board is no problem here: the answer is 200 and says what is wrong.
    """
    try:
        board = board_of(body.board, body.width)
    except InputError as error:
        return answer(VerdictDocument(valid=False, fault=_fault("board", error)))
    try:
        goal = goal_of(body.goal, board.size)
    except InputError as error:
        return answer(VerdictDocument(valid=False, fault=_fault("goal", error)))
    return answer(_verdict(board, goal))


@api.post(
    "/scramble",
    operation_id="scrambleBoard",
    responses={200: BoardDocument, **problems(400, 403, 413, 415, 422, 429)},
)
@checked
def scramble(body: ScrambleRequest) -> Response:
    """Make a random board that can be solved."""
    size = Size(body.width, body.height)
    most = services().settings.max_cells
    if size.cells > most:
        raise OptionError(f"{size} is {size.cells} cells; this service makes at most {most}")
    board = scrambled(size, goal_of(body.goal, size), body.seed, body.moves)
    return answer(
        BoardDocument.model_validate(
            {"width": board.width, "height": board.height, "tiles": board, "text": str(board)}
        )
    )


def _verdict(board: Board, goal: Board) -> VerdictDocument:
    explanation = explain(board, goal, _language())
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
            "solvable": explanation.solvable,
            "explanation": explanation,
        }
    )


def _fault(part: Literal["board", "goal"], error: InputError) -> FaultDocument:
    fault = FaultDocument(part=part, detail=str(error))
    if isinstance(error, BoardSyntaxError):
        fault.line, fault.column = error.line, error.column
    return fault


def _language() -> str:
    locale = get_locale()
    return locale.language if locale is not None else "en"
