"""The page of a comparison: its results in a table.

The table has a row per run, or for sweeps a row of medians per method.
"""

from __future__ import annotations

from collections.abc import Sequence
from http import HTTPStatus
from statistics import median
from typing import NamedTuple
from uuid import UUID

from flask import redirect, render_template, url_for
from werkzeug.wrappers import Response

from tilework.core.lab.methods import proven_length
from tilework.core.model.comparisons import ComparedRun, Comparison
from tilework.core.model.states import RunState
from tilework.core.puzzle.goals import GoalName
from tilework.web.clients import known_client_id, services
from tilework.web.i18n import format_decimal, pgettext
from tilework.web.i18n import gettext as _
from tilework.web.pages.forms import CUSTOM_GOAL, describe_goal, format_board, format_goal
from tilework.web.pages.lab.form import form_url
from tilework.web.pages.lab.lab import MAX_PANELS
from tilework.web.pages.lab.texts import (
    comparison_title,
    describe_ending,
    describe_limits,
    method_title,
    metric_names,
    run_note,
)
from tilework.web.pages.numbers import format_figure
from tilework.web.pages.texts import state_names


def show(comparison_id: UUID) -> str:
    view = services().comparisons.view(str(comparison_id))
    return render_template(
        "lab/comparison.html",
        comparison=view,
        api=f"/api/v1/comparisons/{view.id}",
        title=comparison_title(view),
        summary=f"{describe_goal(view.goal)} · {describe_limits(view)}",
        states=state_names(),
        ended=len(view.runs) - view.unfinished,
        headings=headings(),
        card_figures=_CARD_FIGURES,
        rows=table_rows(view),
        watch_fields=_watch_fields(view),
        proved=None if view.sweep else proven_length((run.method, run.length) for run in view.runs),
        form_url=form_url(view),
        can_cancel=view.state == "running" and known_client_id() == view.client_id,
        metrics=metric_names(),
    )


def cancel(comparison_id: UUID) -> Response:
    services().comparisons.cancel(str(comparison_id), known_client_id() or "")
    return redirect(url_for("pages.comparison", comparison_id=comparison_id), HTTPStatus.SEE_OTHER)


_COUNTS = ("visited", "generated", "max_frontier", "duplicates", "depth")
_STATISTICS = (*_COUNTS, "branching", "memory_bytes", "seconds")
_CARD_FIGURES = (0, 2, 8, 9)
"""The columns that a phone shows: length, boards visited, memory and time."""


class Figure(NamedTuple):
    """A cell, and the number by which it is sorted (None comes last)."""

    text: str
    value: float | None


_UNKNOWN = Figure("–", None)


class Row(NamedTuple):
    method: str
    title: str
    badge: str  # the style of the ending, named after a job's state
    ending: str
    note: str  # why a run ended without a solution, or empty
    figures: tuple[Figure, ...]
    steps: str | None  # the URL of the step-by-step view, if the steps were recorded


def headings() -> list[str]:
    """Return the titles of the columns; soft hyphens allow long words to break."""
    return [
        pgettext("column", "Length"),
        _("Optimal"),
        _("Visited"),
        _("Generated"),
        _("Largest frontier"),
        pgettext("column", "Duplicates"),
        pgettext("column", "Depth"),
        pgettext("column", "Branching"),
        _("Memory"),
        _("Time"),
    ]


def table_rows(view: Comparison) -> list[Row]:
    by_method: dict[str, list[ComparedRun]] = {method.text: [] for method in view.methods}
    for run in view.runs:
        by_method[run.method.text].append(run)
    make_row = _make_run_row if view.sweep is None else _make_sweep_row
    return [make_row(view, runs) for runs in by_method.values()]


def _make_run_row(view: Comparison, runs: Sequence[ComparedRun]) -> Row:
    (run,) = runs
    badge, ending = describe_ending(run)
    optimal = _UNKNOWN
    if run.optimal is not None:
        optimal = Figure(_("yes") if run.optimal else _("no"), float(run.optimal))
    return Row(
        run.method.text,
        method_title(run.method),
        badge,
        ending,
        run_note(run),
        _make_figures(runs, optimal),
        _steps_url(view, run),
    )


def _steps_url(view: Comparison, run: ComparedRun) -> str | None:
    if view.start is None or view.window is None or run not in view.runs[:MAX_PANELS]:
        return None
    return url_for("pages.steps", comparison_id=view.id)


def _watch_fields(view: Comparison) -> dict[str, str]:
    """Return the fields that start a method of a comparison step by step; none for a sweep."""
    if view.start is None:
        return {}
    fields = {"board": format_board(view.start), "goal": format_goal(view.goal)}
    if fields["goal"] not in set(GoalName):
        fields |= {"goal": CUSTOM_GOAL, "goal_board": fields["goal"]}
    return fields if view.start.is_solvable(view.goal) else fields | {"exhaust": "yes"}


def _make_sweep_row(_view: Comparison, runs: Sequence[ComparedRun]) -> Row:
    ended = [run for run in runs if run.state.ended]
    solved = sum(run.length is not None for run in ended)
    shortest = sum(bool(run.optimal) for run in ended)
    badge = "optimal" if shortest == len(runs) else "bounded" if solved else "expired"
    ending = _("%(solved)s of %(boards)s solved", solved=solved, boards=len(runs))
    if len(ended) < len(runs):
        badge = "running" if ended else "queued"
        ending = _("%(ended)s of %(boards)s done", ended=len(ended), boards=len(runs))
    optimal = Figure(f"{shortest} / {len(ended)}", shortest / len(ended)) if ended else _UNKNOWN
    # A method that rejects one board of a sweep rejects all of them.
    notes = (run_note(run) for run in ended if run.state is RunState.FAILED)
    return Row(
        runs[0].method.text,
        method_title(runs[0].method),
        badge,
        ending,
        next(notes, ""),
        _make_figures(ended, optimal),
        None,
    )


def _make_figures(runs: Sequence[ComparedRun], optimal: Figure) -> tuple[Figure, ...]:
    lengths = [run.length for run in runs if run.length is not None]
    length = _UNKNOWN
    if lengths:
        length = Figure(format_decimal(median(lengths), "#,##0.#"), median(lengths))
    counted = [run for run in runs if run.generated is not None]
    if not counted:
        return length, optimal, *[_UNKNOWN] * len(_STATISTICS)
    values = {name: median(getattr(run, name) for run in counted) for name in _STATISTICS}
    figures = (Figure(format_figure(name, value), value) for name, value in values.items())
    return length, optimal, *figures
