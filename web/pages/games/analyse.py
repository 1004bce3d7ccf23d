"""The page with the form of an analysis: a board, its goal, and the moves of a game."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from http import HTTPStatus
from typing import Final, Self

from flask import redirect, render_template, request, url_for
from werkzeug.datastructures import MultiDict
from werkzeug.wrappers import Response

from tilework.core.errors import MoveError, TileworkError
from tilework.core.formats.moves_text import read_moves
from tilework.core.puzzle.board import Board
from tilework.core.services.analyses.games import GameRequest
from tilework.core.services.analyses.vocabulary import MOST_CELLS, MOST_MOVES
from tilework.web.clients import current_client_id, services
from tilework.web.pages.board_form import BoardForm, goal_choices
from tilework.web.pages.board_words import board_lines, goal_text
from tilework.web.pages.games.words import analyse_words, game_title, state_words
from tilework.web.pages.questions import asked_before
from tilework.web.pages.refusals import refused

_LINKED_CELLS: Final = 400
"""Boards of more are not put into an address."""

_TIMES: Final = re.compile(r"[0-9]{1,12}(,[0-9]{1,12})*")


@dataclass(frozen=True)
class GameForm(BoardForm):
    """A board and the moves of a game on it, as text."""

    moves: str = ""
    times: str = ""
    blank_moves: str = ""

    @classmethod
    def linked(cls, given: MultiDict[str, str]) -> Self:
        """Read an address: a board, a goal, moves."""
        return replace(super().linked(given), moves=given.get("moves", ""))

    def request(self) -> GameRequest:
        """Read the fields as a request.

        Raises
        ------
        InputError
            At a field that cannot be read.
        """
        start, goal = self.puzzle(services().settings.max_cells)
        return GameRequest(
            client_id=current_client_id(),
            start=start,
            goal=goal,
            moves=read_moves(self.moves, start, blank_moves=bool(self.blank_moves)),
            times_ms=self._times_ms(),
        )

    def _times_ms(self) -> tuple[int, ...] | None:
        times = self.times.strip()
        if not times:
            return None
        if not _TIMES.fullmatch(times):
            raise MoveError(
                "times-text",
                "times are whole milliseconds with commas between, as in 0,850,1200; not {given!r}",
                given=times[:40],
            )
        return tuple(map(int, times.split(",")))


def show() -> str:
    """Show the form, empty or with the board, goal and moves of the address."""
    return _page(GameForm.linked(request.args))


def submit() -> Response:
    """Have a game analysed and go to its page; an invalid form is shown again with its error."""
    form = GameForm.sent(request.form)
    try:
        made = services().analyse(form.request())
    except TileworkError as error:
        return refused(_page(form, form.why_not(error)), error)
    return redirect(analysis_address(made.id), HTTPStatus.SEE_OTHER)


def analysis_address(analysis_id: str) -> str:
    """Return where an analysis is."""
    return url_for("pages.analysis", analysis_id=analysis_id)


def analyse_address(board: Board, goal: Board) -> str | None:
    """Return where a game of a board can be given; None of a board too large for an address."""
    if board.size.cells > _LINKED_CELLS:
        return None
    return url_for("pages.analyse", board=board_lines(board), goal=goal_text(goal))


def _page(form: GameForm, problem: str = "") -> str:
    return render_template(
        "games/analyse.html",
        form=form,
        problem=problem,
        words=analyse_words(),
        goals=goal_choices(),
        most_moves=MOST_MOVES,
        most_cells=MOST_CELLS,
        recent=asked_before(services().analyses, analysis_address, game_title, state_words()),
    )
