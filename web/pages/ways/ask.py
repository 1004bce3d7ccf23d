"""The page on which all shortest solutions of a board are asked for."""

from __future__ import annotations

from dataclasses import dataclass, fields
from http import HTTPStatus
from typing import Final

from flask import redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from tilework.core.errors import TileworkError, UnsolvableError
from tilework.core.formats.board_text import read_board
from tilework.core.puzzle.board import Board
from tilework.core.puzzle.goals import GoalName, is_name
from tilework.core.services.analyses.records import AnalysisView
from tilework.core.services.analyses.specs import WaysSpec
from tilework.core.services.analyses.vocabulary import MOST_WAYS_CELLS
from tilework.core.services.analyses.ways import WaysRequest
from tilework.web.clients import current_client_id, known_client_id, services
from tilework.web.pages.board_words import board_lines, goal_text
from tilework.web.pages.boards import (
    OWN_GOAL,
    board_for,
    goal_choices,
    goal_for,
    unsolvable_words,
)
from tilework.web.pages.refusals import in_words, refused
from tilework.web.pages.ways.words import state_words, ways_title
from tilework.web.pages.words import home_words

_RECENT: Final = 8


@dataclass(frozen=True)
class WaysForm:
    """The form's fields as text, the way the browser sends them and gets them back."""

    board: str = ""
    goal: str = GoalName.BLANK_LAST
    goal_board: str = ""

    @classmethod
    def sent(cls) -> WaysForm:
        """Read this request's fields; those left out have their defaults."""
        given = {field.name: request.form.get(field.name) for field in fields(cls)}
        return cls(**{name: value for name, value in given.items() if value is not None})

    @classmethod
    def linked(cls) -> WaysForm:
        """Read an address: a board, a goal."""
        goal = request.args.get("goal", GoalName.BLANK_LAST)
        own = not is_name(goal)
        return cls(
            board=request.args.get("board", ""),
            goal=OWN_GOAL if own else goal,
            goal_board=goal if own else "",
        )

    def request(self) -> WaysRequest:
        """Read the fields as a request.

        Raises
        ------
        InputError
            At a field that cannot be read.
        """
        start = board_for(self.board, services().settings.max_cells)
        goal = goal_for(start.size, self.goal, self.goal_board)
        return WaysRequest(client_id=current_client_id(), start=start, goal=goal)

    def parity_words(self) -> str:
        """Return that the board cannot be solved, and why, in the visitor's language."""
        start = read_board(self.board)
        return unsolvable_words(start, goal_for(start.size, self.goal, self.goal_board))


def show() -> str:
    """Show the form, empty or with the board and goal of the address."""
    return _page(WaysForm.linked())


def submit() -> Response:
    """Have the ways found and go to their page; an invalid form is shown again with its error."""
    form = WaysForm.sent()
    try:
        made = services().submit_ways(form.request())
    except TileworkError as error:
        words = form.parity_words() if isinstance(error, UnsolvableError) else in_words(error)
        return refused(_page(form, words), error)
    return redirect(url_for("pages.ways_found", ways_id=made.id), HTTPStatus.SEE_OTHER)


def ways_link(board: Board, goal: Board) -> str | None:
    """Return where a board's ways can be asked for; None of one that is too large for that."""
    if board.size.cells > MOST_WAYS_CELLS:
        return None
    return url_for("pages.ways", board=board_lines(board), goal=goal_text(goal))


def _page(form: WaysForm, problem: str = "") -> str:
    return render_template(
        "ways/ask.html",
        form=form,
        problem=problem,
        words=home_words(),
        goals=goal_choices(),
        most_cells=MOST_WAYS_CELLS,
        recent=_recent(known_client_id()),
    )


def _recent(client_id: str | None) -> list[tuple[AnalysisView[WaysSpec], str, str]]:
    """Return what a visitor has asked for, each with its title and its state."""
    views = services().ways.of_client(client_id, _RECENT) if client_id else []
    return [(view, ways_title(view.spec), state_words()[view.state]) for view in views]
