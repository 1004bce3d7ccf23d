"""The lab: a board with one or two methods, to be watched step by step."""

from __future__ import annotations

from dataclasses import replace
from http import HTTPStatus

from flask import redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from tilework.core.errors import OptionError, TileworkError
from tilework.core.services.lab.vocabulary import ALGORITHMS, MAX_STEPS
from tilework.web.clients import services
from tilework.web.pages.board_form import goal_choices
from tilework.web.pages.lab.examples import lab_examples
from tilework.web.pages.lab.form import LabForm
from tilework.web.pages.lab.words import algorithm_names, heuristic_names, promise_words
from tilework.web.pages.refusals import in_words, refused
from tilework.web.pages.words import home_words


def show() -> str:
    """Show the form with a first board, or the board, goal and methods of the address."""
    try:
        form, problem = LabForm.linked(request.args), ""
    except OptionError as error:
        form, problem = LabForm(board=request.args.get("board", "")), in_words(error)
    return _page(replace(form, board=form.board or _first_board()), problem)


def submit() -> Response:
    """Have the methods run and go to their steps; an invalid form is shown again with its error."""
    form = LabForm.sent(request.form)
    try:
        comparison = services().compare(form.request())
    except TileworkError as error:
        return refused(_page(form, form.why_not(error)), error)
    return redirect(url_for("pages.steps", comparison_id=comparison.id), HTTPStatus.SEE_OTHER)


def _page(form: LabForm, problem: str = "") -> str:
    return render_template(
        "lab/lab.html",
        form=form,
        problem=problem,
        words=home_words(),
        examples=lab_examples(),
        first_text=_first_board(),
        goals=goal_choices(),
        algorithms=algorithm_names(),
        heuristics=heuristic_names(),
        facts=ALGORITHMS,
        promise=promise_words,
        most_steps=MAX_STEPS,
        most_cells=services().settings.lab_max_cells,
    )


def _first_board() -> str:
    return lab_examples()[1].text
