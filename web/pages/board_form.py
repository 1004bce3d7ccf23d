"""A board and its goal, as every form that takes a board has them."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Final, Self

from flask_babel import gettext as _
from werkzeug.datastructures import MultiDict

from tilework.core.errors import BoardError, InputError, TileworkError, UnsolvableError
from tilework.core.formats.board_text import EXAMPLE, read_board, read_goal
from tilework.core.messages import Message
from tilework.core.puzzle.board import Board, Size
from tilework.core.puzzle.goals import GoalName, is_name
from tilework.core.puzzle.solvability import explain
from tilework.web.clients import services
from tilework.web.i18n import say
from tilework.web.pages.refusals import in_words

OWN_GOAL: Final = "own"
"""Instead of a goal's name where the visitor gives a board as goal."""


@dataclass(frozen=True)
class BoardForm:
    """A form's fields as text, the way the browser sends them and gets them back."""

    board: str = ""
    goal: str = GoalName.BLANK_LAST
    goal_board: str = ""

    @classmethod
    def sent(cls, given: MultiDict[str, str]) -> Self:
        """Read what a form sends; fields that are left out have their defaults."""
        return cls(**{one.name: given[one.name] for one in fields(cls) if one.name in given})

    @classmethod
    def linked(cls, given: MultiDict[str, str]) -> Self:
        """Read the board and the goal of an address, which is a name or a board."""
        goal = given.get("goal", GoalName.BLANK_LAST)
        own = not is_name(goal)
        return cls(
            board=given.get("board", ""),
            goal=OWN_GOAL if own else goal,
            goal_board=goal if own else "",
        )

    def puzzle(self, max_cells: int) -> tuple[Board, Board]:
        """Return the board and its goal.

        Raises
        ------
        BoardError
            As `board_for` and `goal_for`.
        """
        start = board_for(self.board, max_cells)
        return start, goal_for(start.size, self.goal, self.goal_board)

    def why_not(self, error: TileworkError) -> str:
        """Return why what was asked for is refused, in the visitor's language."""
        if not isinstance(error, UnsolvableError):
            return in_words(error)
        start, goal = self.puzzle(services().settings.max_cells)
        verdict = _("%(size)s, not solvable.", size=start.size)
        return f"{verdict} {say(explain(start, goal).message)}"


def board_for(text: str, max_cells: int) -> Board:
    """Return the board that the form gives.

    Raises
    ------
    BoardError
        If there is none, it cannot be read, or it has too many cells.
    """
    if not text.strip():
        raise BoardError(
            "empty-board", "The board is empty; write one as in {example}", example=EXAMPLE
        )
    return read_board(text, max_cells=max_cells)


def goal_for(size: Size, name: str, own: str) -> Board:
    """Return the goal that the form asks for.

    Raises
    ------
    BoardError
        If the goal's name or the visitor's own goal board cannot be read; it says that it
        is the goal that is wrong.
    """
    try:
        return read_goal(own if name == OWN_GOAL else name, size)
    except InputError as error:
        raise BoardError(Message(error.code, "The goal: {fault}", fault=error.message)) from None


def goal_choices() -> list[tuple[str, str]]:
    """Return the goals that forms offer, each with its words."""
    return [
        (GoalName.BLANK_LAST, _("1 2 3 …, the blank last")),
        (GoalName.BLANK_FIRST, _("The blank first, then 1 2 3 …")),
        (GoalName.SPIRAL, _("A spiral inwards")),
        (OWN_GOAL, _("A board of my own")),
    ]
