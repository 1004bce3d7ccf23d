"""The pages of comparisons: the form and the results."""

from __future__ import annotations

from dataclasses import replace
from http import HTTPStatus
from typing import Any, NamedTuple
from uuid import UUID

from flask import redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from tilework.core.lab.methods import (
    ALGORITHMS,
    HEURISTICS,
    LabAlgorithm,
    LabHeuristic,
    Method,
    format_number,
    proven_length,
)
from tilework.core.model.comparisons import (
    MAX_BOARDS,
    MAX_MOVES,
    MAX_RUN_NODES,
    MAX_RUN_SECONDS,
    MAX_SEED,
    RUN_MEMORY_BYTES,
    RUN_NODES,
    RUN_SECONDS,
    ComparisonView,
    RunLimits,
)
from tilework.web.clients import known_client_id, services
from tilework.web.i18n import translate_text
from tilework.web.limits import MEBIBYTE
from tilework.web.pages.forms import (
    describe_goal,
    format_board,
    format_goal,
    goal_choices,
    submit_form,
)
from tilework.web.pages.lab.comparison_form import DEFAULT_BOXES, SWEEP, ComparisonForm, box_name
from tilework.web.pages.lab.comparison_rows import headings, table_rows
from tilework.web.pages.lab.texts import (
    algorithm_families,
    compare_texts,
    comparison_states,
    comparison_texts,
    comparison_title,
    describe_guarantee,
    describe_limits,
    heuristic_names,
    method_title,
)

_RECENT = 8
_FIRST_BOARD = "7 5 8\n2 3 4\n1 0 6"  # 27 moves, enough for searches to differ


class Box(NamedTuple):
    name: str
    title: str
    ticked: bool
    default: bool
    guarantees_optimum: bool


class Search(NamedTuple):
    """An algorithm: a row of the matrix, or a single box if it uses no heuristic."""

    name: LabAlgorithm
    title: str
    guarantee: str
    parameter: str | None
    boxes: tuple[Box, ...]


def show_form() -> str:
    form = ComparisonForm.from_query(request.args)
    return _render_page(replace(form, board=form.board or _FIRST_BOARD))


def submit() -> Response:
    return submit_form(ComparisonForm.from_form(request.form), _submit, _render_page)


def _submit(form: ComparisonForm) -> str:
    return url_for(
        "pages.comparison", comparison_id=services().comparisons.submit(form.request()).id
    )


def _render_page(form: ComparisonForm, problem: str = "") -> str:
    settings = services().settings
    names = heuristic_names()
    return render_template(
        "lab/compare.html",
        form=form,
        picture=form.picture(),
        problem=problem,
        texts=compare_texts(),
        goals=goal_choices(),
        informed=_list_families(form, informed=True),
        uninformed=_list_families(form, informed=False),
        heuristics=[(name, names[name], HEURISTICS[name].admissible) for name in LabHeuristic],
        limits={
            "time_limit_s": (RUN_SECONDS, MAX_RUN_SECONDS),
            "node_limit": (RUN_NODES, MAX_RUN_NODES),
            "memory_limit_mb": (
                RUN_MEMORY_BYTES // MEBIBYTE,
                settings.lab_max_memory_bytes // MEBIBYTE,
            ),
        },
        max_cells=settings.lab_max_cells,
        max_boards=MAX_BOARDS,
        max_moves=MAX_MOVES,
        max_seed=MAX_SEED,
        recent=_list_recent(known_client_id()),
        states=comparison_states(),
    )


def _list_recent(client_id: str | None) -> list[tuple[ComparisonView, str, str]]:
    views = services().comparisons.list_by_client(client_id, _RECENT) if client_id else []
    return [
        (view, comparison_title(view), ", ".join(map(method_title, view.methods))) for view in views
    ]


def _list_families(form: ComparisonForm, *, informed: bool) -> list[tuple[str, list[Search]]]:
    families = [
        (
            family,
            [_make_search(name, form) for name in names if ALGORITHMS[name].informed == informed],
        )
        for family, names in algorithm_families()
    ]
    return [(family, searches) for family, searches in families if searches]


def _make_search(name: LabAlgorithm, form: ComparisonForm) -> Search:
    facts = ALGORITHMS[name]
    methods = (
        [Method.of(name, heuristic) for heuristic in LabHeuristic]
        if facts.informed
        else [Method.of(name)]
    )
    return Search(
        name,
        translate_text(facts.title),
        describe_guarantee(name),
        facts.parameter,
        tuple(_make_box(method, form) for method in methods),
    )


def _make_box(method: Method, form: ComparisonForm) -> Box:
    name = box_name(method)
    base_method = Method(method.algorithm, method.heuristic)
    return Box(
        name,
        method_title(base_method),
        name in form.methods,
        name in DEFAULT_BOXES,
        method.guarantees_optimum,
    )


def show(comparison_id: UUID) -> str:
    view = services().comparisons.view(str(comparison_id))
    return render_template(
        "lab/comparison.html",
        comparison=view,
        api=f"/api/v1/comparisons/{view.id}",
        title=comparison_title(view),
        summary=f"{describe_goal(view.goal)} · {describe_limits(view)}",
        states=comparison_states(),
        ended=len(view.runs) - view.unfinished,
        headings=headings(),
        rows=table_rows(view),
        proved=None if view.sweep else proven_length((run.method, run.length) for run in view.runs),
        form_url=_form_url(view),
        can_cancel=view.state == "running" and known_client_id() == view.client_id,
        texts=comparison_texts(view),
    )


def cancel(comparison_id: UUID) -> Response:
    services().comparisons.cancel(str(comparison_id), known_client_id() or "")
    return redirect(url_for("pages.comparison", comparison_id=comparison_id), HTTPStatus.SEE_OTHER)


def _form_url(view: ComparisonView) -> str:
    options: dict[str, Any] = {"goal": format_goal(view.goal)}
    if view.start is not None:
        options["board"] = format_board(view.start)
    if view.sweep is not None:
        sweep = view.sweep
        options |= {"kind": SWEEP, "width": view.goal.width, "height": view.goal.height}
        options |= {"boards": sweep.boards, "moves": sweep.moves, "seed": sweep.seed}
    limits = view.limits
    if limits != RunLimits().with_defaults(services().settings):
        memory = None if limits.memory_bytes is None else limits.memory_bytes // MEBIBYTE
        seconds = None if limits.seconds is None else format_number(limits.seconds)
        options |= {"time_limit_s": seconds, "node_limit": limits.nodes, "memory_limit_mb": memory}
    return url_for("pages.compare", **options, method=[method.text for method in view.methods])
