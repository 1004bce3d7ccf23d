"""The page with the form of a comparison."""

from __future__ import annotations

from dataclasses import dataclass, replace
from http import HTTPStatus

from flask import redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from tilework.core.errors import TileworkError
from tilework.core.model.comparison_views import ComparisonView
from tilework.core.model.runs import MAX_BOARDS, MAX_MOVES, MAX_SEED
from tilework.core.services.lab.vocabulary import (
    ALGORITHMS,
    HEURISTICS,
    LabAlgorithm,
    LabHeuristic,
    Method,
)
from tilework.web.clients import known_client_id, services
from tilework.web.pages.board_form import goal_choices
from tilework.web.pages.lab.comparison_form import DEFAULT_BOXES, ComparisonForm, box_of
from tilework.web.pages.lab.comparison_words import (
    compare_words,
    comparison_state,
    comparison_states,
    comparison_title,
)
from tilework.web.pages.lab.words import (
    algorithm_names,
    heuristic_names,
    method_title,
    promise_words,
)
from tilework.web.pages.refusals import refused

_RECENT = 8
_FIRST_BOARD = "7 5 8\n2 3 4\n1 0 6"  # 27 moves: enough for searches to differ
_MEBIBYTE = 2**20


@dataclass(frozen=True)
class Box:
    """A method to tick."""

    name: str
    title: str
    ticked: bool
    default: bool
    promises: bool


@dataclass(frozen=True)
class Search:
    """An algorithm: a row of the matrix, or a box alone where it asks no heuristic."""

    name: LabAlgorithm
    title: str
    promise: str
    parameter: str | None
    boxes: tuple[Box, ...]


def show() -> str:
    """Show the form with a first board, or the board, goal and methods of the address."""
    form = ComparisonForm.linked(request.args)
    return _page(replace(form, board=form.board or _FIRST_BOARD))


def submit() -> Response:
    """Make a comparison and go to its page; an invalid form is shown again with its error."""
    form = ComparisonForm.sent(request.form)
    try:
        made = services().compare(form.request())
    except TileworkError as error:
        return refused(_page(form, form.why_not(error)), error)
    return redirect(url_for("pages.comparison", comparison_id=made.id), HTTPStatus.SEE_OTHER)


def _page(form: ComparisonForm, problem: str = "") -> str:
    settings = services().settings
    searches = [_search(name, form) for name in LabAlgorithm]
    names = heuristic_names()
    return render_template(
        "lab/compare.html",
        form=form,
        problem=problem,
        words=compare_words(),
        goals=goal_choices(),
        informed=[one for one in searches if ALGORITHMS[one.name].informed],
        uninformed=[one for one in searches if not ALGORITHMS[one.name].informed],
        heuristics=[(name, names[name], HEURISTICS[name].admissible) for name in LabHeuristic],
        limits={
            "time_limit_s": (settings.lab_seconds, settings.lab_max_seconds),
            "node_limit": (settings.lab_nodes, settings.lab_max_nodes),
            "memory_limit_mb": (
                settings.lab_memory_bytes // _MEBIBYTE,
                settings.lab_max_memory_bytes // _MEBIBYTE,
            ),
        },
        max_cells=settings.lab_max_cells,
        most_boards=MAX_BOARDS,
        most_moves=MAX_MOVES,
        most_seed=MAX_SEED,
        recent=_recent(known_client_id()),
        states=comparison_states(),
    )


def _recent(client_id: str | None) -> list[tuple[ComparisonView, str, str, str]]:
    """Return the comparisons of a visitor, each with its title, its methods and its state."""
    views = services().comparisons.of_client(client_id, _RECENT) if client_id else []
    return [
        (
            view,
            comparison_title(view),
            ", ".join(map(method_title, view.methods)),
            comparison_state(view),
        )
        for view in views
    ]


def _search(name: LabAlgorithm, form: ComparisonForm) -> Search:
    facts = ALGORITHMS[name]
    methods = (
        [Method.of(name, heuristic) for heuristic in LabHeuristic]
        if facts.informed
        else [Method.of(name)]
    )
    return Search(
        name,
        algorithm_names()[name],
        promise_words(name),
        facts.parameter,
        tuple(_box(method, form) for method in methods),
    )


def _box(method: Method, form: ComparisonForm) -> Box:
    name = box_of(method)
    plain = Method(method.algorithm, method.heuristic)
    return Box(
        name,
        method_title(plain),
        name in form.methods,
        name in DEFAULT_BOXES,
        method.promises_optimum,
    )
