"""The page that shows the steps of one or two methods. Its script loads the traces of the runs."""

from __future__ import annotations

from typing import Final, NamedTuple
from uuid import UUID

from flask import render_template

from tilework.core.lab.methods import PATH_SEARCHES
from tilework.core.model.comparisons import ComparedRun, Comparison
from tilework.web.clients import services
from tilework.web.i18n import gettext as _
from tilework.web.pages.forms import describe_goal, encode_tiles
from tilework.web.pages.lab.form import form_url
from tilework.web.pages.lab.texts import (
    PseudocodeLine,
    code_lines,
    describe_ending,
    method_title,
    run_note,
    statistic_names,
)
from tilework.web.pages.numbers import format_figure
from tilework.web.pages.texts import format_length

MAX_PANELS = 2
"""Methods shown side by side."""

_MAX_WORKSHEET_CELLS: Final = 25
"""The boards of a worksheet's tree with more cells would be too small to fill in."""


class Panel(NamedTuple):
    """The part of the page for one run; the message says why it has no solution."""

    run: ComparedRun
    title: str
    keeps_path: bool
    message: str
    code: list[PseudocodeLine]
    ending: tuple[str, str]  # the style of its badge and its text
    figures: dict[str, str]  # by the names of the statistics


def show_steps(comparison_id: UUID) -> str:
    comparison = services().comparisons.view(str(comparison_id))
    is_traced = comparison.window is not None and comparison.start is not None
    return render_template(
        "lab/steps.html",
        comparison=comparison,
        api=f"/api/v1/comparisons/{comparison.id}",
        size=str(comparison.goal.size),
        goal=describe_goal(comparison.goal),
        tiles=encode_tiles(comparison.start) if comparison.start is not None else "",
        panels=[_make_panel(run) for run in comparison.runs[:MAX_PANELS]] if is_traced else [],
        omitted_methods=max(0, len(comparison.runs) - MAX_PANELS) if is_traced else 0,
        has_worksheet=has_worksheet(comparison),
        form_url=form_url(comparison, comparison.methods[:MAX_PANELS]),
        statistics=statistic_names(),
    )


def _make_panel(run: ComparedRun) -> Panel:
    return Panel(
        run,
        method_title(run.method),
        run.method.algorithm in PATH_SEARCHES,
        run_note(run),
        code_lines(run.method.algorithm),
        _describe_result(run),
        _format_figures(run),
    )


def _describe_result(run: ComparedRun) -> tuple[str, str]:
    badge, ending = describe_ending(run)
    if run.length is None:
        return badge, ending
    if run.length == 0:
        return badge, _("already solved")
    moves = format_length(run.length)
    if run.optimal is None:
        return badge, moves
    if run.optimal:
        return badge, _("%(moves)s, optimal", moves=moves)
    return badge, _("%(moves)s, not optimal", moves=moves)


def _format_figures(run: ComparedRun) -> dict[str, str]:
    names = statistic_names()
    if run.generated is None:
        return dict.fromkeys(names, "–")
    return {name: format_figure(name, getattr(run, name)) for name in names}


def has_worksheet(comparison: Comparison) -> bool:
    start, window = comparison.start, comparison.window
    if start is None or window is None:
        return False
    return window.first > 0 and start.size.cells <= _MAX_WORKSHEET_CELLS
