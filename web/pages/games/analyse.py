"""The page with the form of an analysis: a board, its goal, and the moves of a game."""

from __future__ import annotations

import re
from dataclasses import dataclass, fields
from http import HTTPStatus
from typing import Final

from flask import redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from tilework.core.errors import MoveError, TileworkError, UnsolvableError
from tilework.core.formats.board_text import read_board
from tilework.core.formats.moves_text import read_moves
from tilework.core.puzzle.board import Board
from tilework.core.puzzle.goals import GoalName, is_name
from tilework.core.services.analyses.games import GameRequest
from tilework.core.services.analyses.records import AnalysisView
from tilework.core.services.analyses.specs import GameSpec
from tilework.core.services.analyses.vocabulary import MOST_CELLS, MOST_MOVES
from tilework.web.clients import current_client_id, known_client_id, services
from tilework.web.pages.board_words import board_lines, goal_text
from tilework.web.pages.boards import (
    OWN_GOAL,
    board_for,
    goal_choices,
    goal_for,
    unsolvable_words,
)
from tilework.web.pages.games.words import analyse_words, game_title, state_words
from tilework.web.pages.refusals import in_words, refused

_RECENT: Final = 8
_LINKED_CELLS: Final = 400
"""Boards of more are not put into an address."""

_TIMES: Final = re.compile(r"[0-9]{1,12}(,[0-9]{1,12})*")


@dataclass(frozen=True)
class GameForm:
    """The form's fields as text, the way the browser sends them and gets them back."""

    board: str = ""
    goal: str = GoalName.BLANK_LAST
    goal_board: str = ""
    moves: str = ""
    times: str = ""
    blank_moves: str = ""

    @classmethod
    def sent(cls) -> GameForm:
        """Read this request's fields; those left out have their defaults."""
        given = {field.name: request.form.get(field.name) for field in fields(cls)}
        return cls(**{name: value for name, value in given.items() if value is not None})

    @classmethod
    def linked(cls) -> GameForm:
        """Read an address: a board, a goal, moves."""
        goal = request.args.get("goal", GoalName.BLANK_LAST)
        own = not is_name(goal)
        return cls(
            board=request.args.get("board", ""),
            goal=OWN_GOAL if own else goal,
            goal_board=goal if own else "",
            moves=request.args.get("moves", ""),
        )

    def request(self) -> GameRequest:
        """Read the fields as a request.

        Raises
        ------
        InputError
            At a field that cannot be read.
        """
        start = board_for(self.board, services().settings.max_cells)
        return GameRequest(
            client_id=current_client_id(),
            start=start,
            goal=goal_for(start.size, self.goal, self.goal_board),
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

    def parity_words(self) -> str:
        """Return that the board cannot be solved, and why, in the visitor's language."""
        start = read_board(self.board)
        return unsolvable_words(start, goal_for(start.size, self.goal, self.goal_board))


def show() -> str:
    """Show the form, empty or with the board, goal and moves of the address."""
    return _page(GameForm.linked())


def submit() -> Response:
    """Have a game analysed and go to its page; an invalid form is shown again with its error."""
    form = GameForm.sent()
    try:
        made = services().analyse(form.request())
    except TileworkError as error:
        words = form.parity_words() if isinstance(error, UnsolvableError) else in_words(error)
        return refused(_page(form, words), error)
    return redirect(url_for("pages.analysis", analysis_id=made.id), HTTPStatus.SEE_OTHER)


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
        recent=_recent(known_client_id()),
    )


def _recent(client_id: str | None) -> list[tuple[AnalysisView[GameSpec], str, str]]:
    """Return the analyses of a visitor, each with its title and its state."""
    views = services().analyses.of_client(client_id, _RECENT) if client_id else []
    return [(view, game_title(view.spec), state_words()[view.state]) for view in views]
