"""The table of a comparison: a row per run, or for sweeps a row of medians per method."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median
from typing import NamedTuple

from flask import url_for

from tilework.core.model.comparisons import ComparisonView, RunView
from tilework.core.model.states import RunState
from tilework.core.search.limits import StopReason
from tilework.web.i18n import format_decimal, pgettext, translate
from tilework.web.i18n import gettext as _
from tilework.web.pages.lab.lab import MAX_PANELS, form_url
from tilework.web.pages.lab.texts import method_title, stop_reason_names
from tilework.web.pages.site import format_figure

_COUNTS = ("visited", "generated", "max_frontier", "duplicates", "depth")
_STATISTICS = (*_COUNTS, "branching", "memory_bytes", "seconds")
_MISSING = "–"


class Figure(NamedTuple):
    """A cell, and the number by which it is sorted (None comes last)."""

    text: str
    value: float | None


class Row(NamedTuple):
    method: str
    title: str
    badge: str  # the style of the ending, named after a job's state
    ending: str
    note: str  # why a run ended without a solution, or empty
    figures: tuple[Figure, ...]
    steps: str | None  # the URL of the step-by-step view


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


def table_rows(view: ComparisonView) -> list[Row]:
    if view.sweep is None:
        return [_make_run_row(view, run) for run in view.runs]
    by_method: dict[str, list[RunView]] = {method.text: [] for method in view.methods}
    for run in view.runs:
        by_method[run.method.text].append(run)
    return [_make_sweep_row(runs) for runs in by_method.values()]


def _make_run_row(view: ComparisonView, run: RunView) -> Row:
    badge, ending = _describe_ending(run)
    return Row(
        run.method.text,
        method_title(run.method),
        badge,
        ending,
        run_note(run),
        _make_figures([run], _make_optimal_figure(run)),
        _steps_url(view, run),
    )


def _describe_ending(run: RunView) -> tuple[str, str]:
    if run.state is RunState.QUEUED:
        return "queued", _("waiting")
    if run.state is RunState.RUNNING:
        return "running", _("searching")
    if run.state is RunState.FAILED:
        return "failed", _("failed")
    if run.state is RunState.CANCELLED:
        return "cancelled", _("cancelled")
    if run.length is not None:
        return ("optimal" if run.optimal else "bounded"), _("solved")
    if run.stopped_by is not None:
        return "expired", stop_reason_names()[run.stopped_by]
    return "expired", _("none found")


def run_note(run: RunView) -> str:
    """Return why a run ended, unless the name of the limit says it already."""
    if run.message is None or run.stopped_by not in (None, StopReason.DEPTH):
        return ""
    return translate(run.message)


def _make_optimal_figure(run: RunView) -> Figure:
    if run.optimal is None:
        return Figure(_MISSING, None)
    return Figure(_("yes") if run.optimal else _("no"), float(run.optimal))


def _steps_url(view: ComparisonView, run: RunView) -> str | None:
    if view.start is None:
        return None
    if view.window is not None and run in view.runs[:MAX_PANELS]:
        return url_for("pages.steps", comparison_id=view.id)
    return form_url(view, [run.method])


def _make_sweep_row(runs: Sequence[RunView]) -> Row:
    ended = [run for run in runs if run.state.ended]
    solved = sum(run.length is not None for run in ended)
    shortest = sum(bool(run.optimal) for run in ended)
    badge = "optimal" if shortest == len(runs) else "bounded" if solved else "expired"
    ending = _("%(solved)s of %(boards)s solved", solved=solved, boards=len(runs))
    if len(ended) < len(runs):
        badge = "running" if ended else "queued"
        ending = _("%(ended)s of %(boards)s done", ended=len(ended), boards=len(runs))
    share = shortest / len(ended) if ended else None
    # A method that rejects one board of a sweep rejects all of them.
    notes = (run_note(run) for run in ended if run.state is RunState.FAILED)
    return Row(
        runs[0].method.text,
        method_title(runs[0].method),
        badge,
        ending,
        next(notes, ""),
        _make_figures(ended, Figure(f"{shortest} / {len(ended)}" if ended else _MISSING, share)),
        None,
    )


def _make_figures(runs: Sequence[RunView], optimal: Figure) -> tuple[Figure, ...]:
    statistics = [run.statistics for run in runs if run.statistics is not None]
    length = _median([run.length for run in runs if run.length is not None])
    values = {name: _median([getattr(run, name) for run in statistics]) for name in _STATISTICS}
    return (
        _make_length_figure(length),
        optimal,
        *(
            Figure(_MISSING if value is None else format_figure(name, value), value)
            for name, value in values.items()
        ),
    )


def _median(values: Sequence[float]) -> float | None:
    return median(values) if values else None


def _make_length_figure(value: float | None) -> Figure:
    return Figure(_MISSING if value is None else format_decimal(value, "#,##0.#"), value)
