"""The first page: a board is submitted as a job."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from enum import StrEnum
from http import HTTPStatus
from typing import TypeVar

from flask import redirect, render_template, request, url_for
from flask_babel import gettext as _
from werkzeug.wrappers import Response

from tilework.core.errors import BoardError, OptionError, TileworkError, UnsolvableError
from tilework.core.puzzle.goals import GoalName
from tilework.core.puzzle.solvability import explain
from tilework.core.services.jobs.methods import ALGORITHM_NAMES, HEURISTIC_NAMES, is_textbook
from tilework.core.services.jobs.vocabulary import Algorithm, Heuristic, Metric, Target, TargetKind
from tilework.web.clients import current_client_id, services
from tilework.web.i18n import say
from tilework.web.pages.batch import Batch
from tilework.web.pages.board_form import BoardForm, board_for, goal_choices
from tilework.web.pages.board_words import board_lines
from tilework.web.pages.home.boards import several_for
from tilework.web.pages.home.examples import examples
from tilework.web.pages.home.remedies import exchanged, remedies
from tilework.web.pages.play.address import play_address
from tilework.web.pages.refusals import in_words, refused
from tilework.web.pages.typed_numbers import read_number
from tilework.web.pages.words import home_words
from tilework.web.submissions import Request, accept

_Kind = TypeVar("_Kind", bound=StrEnum)

_MINUTE_S, _HOUR_S, _DAY_S = 60, 3_600, 86_400

PRESETS = (3, 4, 5, 6)
"""Sides of the boards that a click makes."""

_BOARDS = ("board", "goal_board")


@dataclass(frozen=True)
class Form(BoardForm):
    """The first page's form: a board, and what kind of answer is wanted."""

    metric: str = Metric.MOVES
    target: str = TargetKind.OPTIMAL
    gap: str = "5"
    time_limit_s: str = str(10 * _MINUTE_S)
    algorithm: str = Algorithm.AUTO
    heuristic: str = Heuristic.AUTO

    def request(self) -> Request:
        """Read the fields as a request for a job.

        Raises
        ------
        InputError
            At a field that cannot be read.
        """
        start, goal = self.puzzle(services().settings.max_cells)
        return Request(
            client_id=current_client_id(),
            start=start,
            goal=goal,
            metric=_choice(Metric, self.metric),
            target=self._target(),
            time_limit_s=self._time_limit_s(),
            algorithm=self.algorithm,
            heuristic=self.heuristic,
        )

    def _target(self) -> Target:
        kind = _choice(TargetKind, self.target)
        gap = 0.0
        if kind is TargetKind.GAP:
            gap = read_number(_("Largest gap, in percent"), self.gap, least=0) / 100
        return Target(kind, gap)

    def _time_limit_s(self) -> float:
        """Read the time limit: of a textbook search, no more than the lab allows."""
        limit = read_number(_("Search for at most"), self.time_limit_s)
        if is_textbook(self.algorithm, self.heuristic):
            return min(limit, services().settings.lab_max_seconds)
        return limit

    def batch(self) -> Batch | None:
        """Return what is asked for where the text has several boards.

        Raises
        ------
        InputError
            At a field that cannot be read.
        """
        several = several_for(self.board)
        if several is None:
            return None
        return Batch(
            several=several,
            goal=self.goal,
            goal_board=self.goal_board,
            metric=_choice(Metric, self.metric),
            target=self._target(),
            time_limit_s=self._time_limit_s(),
            algorithm=self.algorithm,
            heuristic=self.heuristic,
        )

    def remedied(self, remedy: str | None) -> Form:
        """Return the form with another goal, or with two tiles exchanged, as a button says."""
        if not remedy:
            return self
        if remedy in set(map(str, GoalName)):
            return replace(self, goal=remedy)
        board = board_for(self.board, services().settings.max_cells)
        return replace(self, board=board_lines(exchanged(board, remedy)))


def show() -> str:
    """Show the form with a first board, or with the board (and goal) of the address."""
    form = Form.linked(request.args)
    return _page(replace(form, board=form.board or examples()[0].text))


def with_board(text: str) -> str:
    """Show the form with a board in it."""
    return _page(Form(board=text))


def refusing(error: TileworkError) -> str:
    """Show the form, empty, with why something was not done."""
    return _page(Form(), problem=in_words(error))


def submit() -> Response:
    """Make a job, or a batch, and go to its page; an invalid form is shown again with its error."""
    form = Form.sent(request.form)
    try:
        form = form.remedied(request.form.get("remedy"))
        address = _taken(form)
    except UnsolvableError as error:
        return refused(_unsolvable_page(form), error)
    except TileworkError as error:
        return refused(_page(form, problem=in_words(error)), error)
    return redirect(address, HTTPStatus.SEE_OTHER)


def _taken(form: Form) -> str:
    """Store what the form asks for and return the address of its page."""
    try:
        asked = form.request()
    except BoardError:
        batch = form.batch()
        if batch is None:
            raise
        return batch.submitted()
    return url_for("pages.job", job_id=accept(asked).view.id)


def _unsolvable_page(form: Form) -> str:
    """First what can be done, then why."""
    start, goal = form.puzzle(services().settings.max_cells)
    explanation = explain(start, goal)
    return _page(
        form,
        problem=_("%(size)s, not solvable.", size=start.size),
        remedies=remedies(start, goal, explanation),
        reason=say(explanation.message),
    )


def _page(form: Form, **refusal: object) -> str:
    usual = {name: value for name, value in asdict(Form()).items() if name not in _BOARDS}
    return render_template(
        "home.html",
        form=asdict(form),
        usual=usual,
        changed=any(value != usual.get(name, value) for name, value in asdict(form).items()),
        play=_play(form),
        presets=PRESETS,
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
        **refusal,
    )


def _play(form: Form) -> str | None:
    """Return where the form's board is played; None where it cannot be."""
    try:
        board, goal = form.puzzle(services().settings.max_cells)
    except BoardError:
        return None
    return play_address(board, goal) if explain(board, goal).solvable else None


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
