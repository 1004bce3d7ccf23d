"""The page on which all shortest solutions of a board are asked for."""

from __future__ import annotations

from dataclasses import dataclass
from http import HTTPStatus

from flask import redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from tilework.core.errors import TileworkError
from tilework.core.puzzle.board import Board
from tilework.core.services.analyses.vocabulary import MOST_WAYS_CELLS
from tilework.core.services.analyses.ways import WaysRequest
from tilework.web.clients import current_client_id, services
from tilework.web.pages.board_form import BoardForm, goal_choices
from tilework.web.pages.board_words import board_lines, goal_text
from tilework.web.pages.questions import asked_before
from tilework.web.pages.refusals import refused
from tilework.web.pages.ways.words import state_words, ways_title
from tilework.web.pages.words import home_words


@dataclass(frozen=True)
class WaysForm(BoardForm):
    """A board whose ways are asked for."""

    def request(self) -> WaysRequest:
        """Read the fields as a request.

        Raises
        ------
        InputError
            At a field that cannot be read.
        """
        start, goal = self.puzzle(services().settings.max_cells)
        return WaysRequest(client_id=current_client_id(), start=start, goal=goal)


def show() -> str:
    """Show the form, empty or with the board and goal of the address."""
    return _page(WaysForm.linked(request.args))


def submit() -> Response:
    """Have the ways found and go to their page; an invalid form is shown again with its error."""
    form = WaysForm.sent(request.form)
    try:
        made = services().submit_ways(form.request())
    except TileworkError as error:
        return refused(_page(form, form.why_not(error)), error)
    return redirect(ways_address(made.id), HTTPStatus.SEE_OTHER)


def ways_address(ways_id: str) -> str:
    """Return where the ways are that were asked for."""
    return url_for("pages.ways_found", ways_id=ways_id)


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
        recent=asked_before(services().ways, ways_address, ways_title, state_words()),
    )
