"""The first page: a board is submitted as a job."""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields
from enum import StrEnum
from http import HTTPStatus
from typing import TypeVar

from flask import redirect, render_template, request, url_for
from flask_babel import gettext as _
from werkzeug.wrappers import Response

from tilework.core.errors import OptionError, TileworkError, UnsolvableError
from tilework.core.formats.board_text import read_board
from tilework.core.puzzle.goals import GoalName
from tilework.core.services.jobs.methods import ALGORITHM_NAMES, HEURISTIC_NAMES, is_textbook
from tilework.core.services.jobs.vocabulary import Algorithm, Heuristic, Target, TargetKind
from tilework.web.clients import current_client_id, services
from tilework.web.pages.boards import board_for, goal_choices, goal_for, unsolvable_words
from tilework.web.pages.examples import examples
from tilework.web.pages.refusals import in_words, refused
from tilework.web.pages.typed_numbers import read_number
from tilework.web.pages.words import home_words
from tilework.web.submissions import Request, accept

_Kind = TypeVar("_Kind", bound=StrEnum)

_MINUTE_S, _HOUR_S, _DAY_S = 60, 3_600, 86_400


@dataclass(frozen=True)
class Form:
    """The form's fields as text, the way the browser sends them and gets them back."""

    board: str = ""
    goal: str = GoalName.BLANK_LAST
    goal_board: str = ""
    target: str = TargetKind.OPTIMAL
    gap: str = "5"
    time_limit_s: str = str(10 * _MINUTE_S)
    algorithm: str = Algorithm.AUTO
    heuristic: str = Heuristic.AUTO

    @classmethod
    def sent(cls) -> Form:
        """Read this request's fields; those left out have their defaults."""
        given = {field.name: request.form.get(field.name) for field in fields(cls)}
        return cls(**{name: value for name, value in given.items() if value is not None})

    def request(self) -> Request:
        """Read the fields as a request for a job.

        Raises
        ------
        InputError
            At a field that cannot be read.
        """
        start = board_for(self.board, services().settings.max_cells)
        kind = _choice(TargetKind, self.target)
        gap = 0.0
        if kind is TargetKind.GAP:
            gap = read_number(_("Largest gap, in percent"), self.gap, least=0) / 100
        return Request(
            client_id=current_client_id(),
            start=start,
            goal=goal_for(start.size, self.goal, self.goal_board),
            target=Target(kind, gap),
            time_limit_s=self._time_limit_s(),
            algorithm=self.algorithm,
            heuristic=self.heuristic,
        )

    def _time_limit_s(self) -> float:
        """Read the time limit: of a textbook search, no more than the lab allows."""
        limit = read_number(_("Search for at most"), self.time_limit_s)
        if is_textbook(self.algorithm, self.heuristic):
            return min(limit, services().settings.lab_max_seconds)
        return limit

    def parity_words(self) -> str:
        """Return that the board cannot be solved, and why, in the visitor's language."""
        start = read_board(self.board)
        return unsolvable_words(start, goal_for(start.size, self.goal, self.goal_board))


def show() -> str:
    """Show the form with a first board, or with the board (and goal) of the address."""
    board = request.args.get("board") or examples()[0].text
    return _page(Form(board=board, goal=request.args.get("goal", GoalName.BLANK_LAST)))


def submit() -> Response:
    """Make a job and go to its page; an invalid form is shown again with its error."""
    form = Form.sent()
    try:
        job = accept(form.request()).view
    except TileworkError as error:
        return _refused(form, error)
    return redirect(url_for("pages.job", job_id=job.id), HTTPStatus.SEE_OTHER)


def _refused(form: Form, error: TileworkError) -> Response:
    words = form.parity_words() if isinstance(error, UnsolvableError) else in_words(error)
    return refused(_page(form, words), error)


def _page(form: Form, problem: str = "") -> str:
    return render_template(
        "home.html",
        form=asdict(form),
        problem=problem,
        words=home_words(),
        example_text="14 13 15  7\n11 12  9  5\n 6  0  2  1\n 4  8 10  3",
        examples=examples(),
        goals=goal_choices(),
        time_limits=[
            (10, _("10 seconds")),
            (_MINUTE_S, _("1 minute")),
            (10 * _MINUTE_S, _("10 minutes")),
            (_HOUR_S, _("1 hour")),
            (8 * _HOUR_S, _("8 hours")),
            (2 * _DAY_S, _("2 days")),
        ],
        algorithms=ALGORITHM_NAMES,
        heuristics=HEURISTIC_NAMES,
    )


def _choice(kinds: type[_Kind], text: str) -> _Kind:
    try:
        return kinds(text)
    except ValueError:
        offered = ", ".join(kinds)
        raise OptionError(
            "choice",
            "{text!r} is not available; choose from {offered}",
            text=text[:40],
            offered=offered,
        ) from None
