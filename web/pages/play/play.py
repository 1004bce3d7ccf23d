"""The page on which people play: the board of its address; modules do the rest."""

from __future__ import annotations

from dataclasses import dataclass

from flask import render_template, request
from werkzeug.wrappers import Response

from tilework.core.errors import BoardError, InputError
from tilework.core.puzzle.board import Board
from tilework.core.puzzle.goals import GoalName
from tilework.core.puzzle.solvability import explain
from tilework.web.clients import services
from tilework.web.i18n import say
from tilework.web.pages.board_form import OWN_GOAL, board_for, goal_choices, goal_for
from tilework.web.pages.board_words import plain_goal, plain_tiles
from tilework.web.pages.play.address import LARGEST_SIDE, may_be_played
from tilework.web.pages.play.words import play_words
from tilework.web.pages.refusals import in_words, refused


@dataclass(frozen=True)
class Given:
    """The board of the address, as the page's modules read it."""

    tiles: str
    width: int
    goal: str
    unsolvable: str = ""
    refused: bool = False

    @classmethod
    def read(cls, board_text: str, goal_text: str) -> Given:
        """Read board and goal.

        Raises
        ------
        InputError
            If one of them cannot be read, or the board is too large to be played.
        """
        board = board_for(board_text, services().settings.max_cells)
        _refuse_large(board)
        goal = goal_for(board.size, goal_text, "")
        unsolvable = "" if board.is_solvable(goal) else say(explain(board, goal).message)
        return cls(plain_tiles(board), board.width, plain_goal(goal), unsolvable)


_NONE = Given("", 0, "")
_REFUSED = Given("", 0, "", refused=True)


def show() -> str | Response:
    """Show the board of the address; without one, the browser goes on with its last."""
    text = request.args.get("board")
    if text is None:
        return _page(_NONE)
    try:
        given = Given.read(text, request.args.get("goal", GoalName.BLANK_LAST))
    except InputError as error:
        return refused(_page(_REFUSED, in_words(error)), error)
    return _page(given)


def _refuse_large(board: Board) -> None:
    if not may_be_played(board.size):
        raise BoardError(
            "too-large-to-play",
            "a board of {size} is too large to be played; give one of up to {side} × {side}",
            size=str(board.size),
            side=LARGEST_SIDE,
        )


def _page(given: Given, problem: str = "") -> str:
    return render_template(
        "play/play.html",
        given=given,
        problem=problem,
        words=play_words(),
        goals=[(value, name) for value, name in goal_choices() if value != OWN_GOAL],
        largest_side=LARGEST_SIDE,
    )
