"""Forms: parsing and formatting boards, goals and numbers, and responses to invalid forms."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, fields
from http import HTTPStatus
from typing import Any, Final, Self, TypeVar

from flask import make_response, redirect, request
from werkzeug.datastructures import MultiDict
from werkzeug.exceptions import RequestEntityTooLarge
from werkzeug.wrappers import Response
from werkzeug.wrappers import Response as BaseResponse

from tilework.core.errors import (
    BoardError,
    ForbiddenError,
    InputError,
    RetryLaterError,
    TileworkError,
    UnsolvableError,
)
from tilework.core.formats.board_text import read_board, read_goal
from tilework.core.formats.spellings import EXAMPLE
from tilework.core.messages import Message
from tilework.core.puzzle.board import Board, Size
from tilework.core.puzzle.goals import GoalName, blank_last, explain, is_goal_name, named_goal
from tilework.core.validation import Model, validate
from tilework.web.clients import services
from tilework.web.i18n import gettext as _
from tilework.web.i18n import translate
from tilework.web.limits import SAFE_METHODS, board_form_limits, find_costly_content
from tilework.web.problems import find_problem

_MAX_LINK_CELLS: Final = 400
"""Larger boards are not put into a URL."""

MAX_PROVABLE_CELLS: Final = 25
"""For larger boards, proving that a solution is shortest is seldom feasible."""


def encode_tiles(board: Board) -> str:
    """Return the tiles row by row with single spaces, as the page's scripts expect."""
    return " ".join(map(str, board.cells.tolist()))


def encode_goal(goal: Board) -> str:
    """Return the goal's name if the page's scripts know it, otherwise its tiles."""
    if goal == blank_last(goal.size):
        return GoalName.BLANK_LAST
    return encode_tiles(goal)


def format_goal(goal: Board) -> str:
    """Return the goal's name, or its tiles if it has no name, as forms accept it."""
    names = (name for name in GoalName if goal == named_goal(name, goal.size))
    return next(names, encode_tiles(goal))


def format_board(board: Board) -> str:
    """Return the board with one row per line; the size comes first if it is not square."""
    width = len(str(board.size.cells - 1))
    rows = board.cells.reshape(board.height, board.width).tolist()
    lines = [" ".join(str(tile).rjust(width) for tile in row) for row in rows]
    if board.width != board.height:
        lines.insert(0, f"{board.width}x{board.height}:")
    return "\n".join(lines)


def board_query(board: Board, goal: Board) -> dict[str, Any]:
    """Return a board and its goal for the URL of a form, or nothing if they are too large."""
    if board.size.cells > _MAX_LINK_CELLS:
        return {}
    return {"board": format_board(board), "goal": format_goal(goal)}


def describe_goal(goal: Board) -> str:
    descriptions = {
        GoalName.BLANK_LAST: _("goal: blank last"),
        GoalName.BLANK_FIRST: _("goal: blank first"),
        GoalName.SPIRAL: _("goal: spiral"),
        GoalName.COLUMNS: _("goal: columns"),
        GoalName.DESCENDING: _("goal: descending"),
    }
    names = (name for name in GoalName if goal == named_goal(name, goal.size))
    name = next(names, None)
    return _("goal: custom board") if name is None else descriptions[name]


CUSTOM_GOAL: Final = "own"
"""The value of the goal field when the goal is a custom board."""


F = TypeVar("F", bound="BoardForm")


_MAX_PICTURE_CELLS: Final = 144


@dataclass(frozen=True)
class BoardForm:
    board: str = ""
    goal: str = GoalName.BLANK_LAST
    goal_board: str = ""

    @classmethod
    def from_form(cls, values: MultiDict[str, str]) -> Self:
        """Parse a submitted form. Missing fields have default values."""
        return cls(
            **{field.name: values[field.name] for field in fields(cls) if field.name in values}
        )

    @classmethod
    def from_query(cls, query: MultiDict[str, str]) -> Self:
        """Parse the query of a URL, in which the goal is a name or a board."""
        goal = query.get("goal", GoalName.BLANK_LAST)
        is_custom = not is_goal_name(goal)
        return cls(
            board=query.get("board", ""),
            goal=CUSTOM_GOAL if is_custom else goal,
            goal_board=goal if is_custom else "",
        )

    def read_puzzle(self, max_cells: int) -> tuple[Board, Board]:
        start = parse_board(self.board, max_cells)
        return start, parse_goal(start.size, self.goal, self.goal_board)

    def picture(self) -> tuple[Board, Board] | None:
        """Return the board and the goal that the page shows until a script draws them."""
        with suppress(InputError):
            return self.read_puzzle(_MAX_PICTURE_CELLS)
        return None

    def explain_error(self, error: TileworkError) -> str:
        if not isinstance(error, UnsolvableError):
            return describe_error(error)
        start, goal = self.read_puzzle(services().settings.max_cells)
        verdict = _("%(size)s: unsolvable.", size=start.size)
        return f"{verdict} {translate(explain(start, goal).message)}"


def parse_board(text: str, max_cells: int) -> Board:
    if not text.strip():
        raise BoardError(
            "empty-board", "The board is empty; write one like {example}", example=EXAMPLE
        )
    return read_board(text, max_cells=max_cells)


def parse_goal(size: Size, name: str, custom: str) -> Board:
    try:
        return read_goal(custom if name == CUSTOM_GOAL else name, size)
    except InputError as error:
        raise BoardError(Message(error.code, "Goal: {error}", error=error.message)) from None


def goal_choices() -> list[tuple[str, str]]:
    return [
        (GoalName.BLANK_LAST, _("1 2 3 …, blank last")),
        (GoalName.BLANK_FIRST, _("Blank first, then 1 2 3 …")),
        (GoalName.SPIRAL, _("Spiral")),
        (GoalName.COLUMNS, _("Column by column")),
        (GoalName.DESCENDING, _("Descending, blank last")),
        (CUSTOM_GOAL, _("Custom board")),
    ]


def read_options(model: type[Model], labels: Mapping[str, str], **fields: Any) -> Model:
    """Validate typed fields by a model of the API's requests; an error names a field's label.

    An empty field has its default value. Numbers can have a decimal comma.
    """
    values = {
        name: field.replace(",", ".") if isinstance(field, str) else field
        for name, field in fields.items()
        if not isinstance(field, str) or field.strip()
    }
    return validate(model, values, labels)


_URL_ENCODED: Final = "application/x-www-form-urlencoded"
_MAX_PARTS: Final = 50
"""The limit for a form with a file. Parsing a part takes as long as a thousand bytes or more."""


def reject_costly_forms() -> None:
    if request.method in SAFE_METHODS:
        return
    limits = board_form_limits(services().settings)
    request.max_content_length = limits.size
    request.max_form_parts = _MAX_PARTS
    if request.mimetype == _URL_ENCODED:
        # Flask caches the body, so it can still parse the form later.
        body = request.get_data()
        message = find_costly_content(body, limits)
        if message is not None:
            raise RequestEntityTooLarge(translate(message))


FORM_ERRORS: Final = (InputError, ForbiddenError, RetryLaterError)
"""The errors that a form shows. Messages of other errors can be internal."""


def submit_form(
    form: F, submit: Callable[[F], str], render: Callable[[F, str], str]
) -> BaseResponse:
    """Submit the form and redirect to the result, or render it again with the error."""
    try:
        return redirect(submit(form), HTTPStatus.SEE_OTHER)
    except FORM_ERRORS as error:
        return error_response(render(form, form.explain_error(error)), error)


def error_response(page: str, error: TileworkError) -> Response:
    """Return a page with the status of an error, and Retry-After if the client can retry."""
    response = make_response(page, find_problem(error).status)
    if isinstance(error, RetryLaterError):
        response.headers["Retry-After"] = str(error.retry_after_s)
    return response


def describe_error(error: TileworkError) -> str:
    return format_sentence(error.message)


def format_sentence(message: Message) -> str:
    """Return a translated message as a sentence: with a capital letter and a full stop."""
    text = translate(message)
    end = "" if text.endswith((".", "…", "!", "?")) else "."
    return text[:1].upper() + text[1:] + end
