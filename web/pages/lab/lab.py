"""The page that shows the steps of one or two methods. Its script loads the traces of the runs."""

from __future__ import annotations

from typing import Final, NamedTuple
from uuid import UUID

from flask import render_template

from tilework.core.lab.methods import PATH_SEARCHES
from tilework.core.lab.result import Outcome
from tilework.core.model.comparisons import ComparedRun, Comparison
from tilework.core.search.limits import StopReason
from tilework.web.clients import services
from tilework.web.i18n import gettext as _
from tilework.web.pages.forms import describe_goal, encode_tiles
from tilework.web.pages.lab.form import form_url
from tilework.web.pages.lab.texts import (
    PseudocodeLine,
    code_lines,
    method_title,
    run_note,
    statistic_names,
    stop_reason_names,
)
from tilework.web.pages.texts import board_texts, unit_texts

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
        texts=steps_texts(),
    )


def _make_panel(run: ComparedRun) -> Panel:
    return Panel(
        run,
        method_title(run.method),
        run.method.algorithm in PATH_SEARCHES,
        run_note(run),
        code_lines(run.method.algorithm),
    )


def outcome_names() -> dict[str, str]:
    return {
        Outcome.NEW: _("new"),
        Outcome.DUPLICATE: _("already known"),
        Outcome.CHEAPER: _("cheaper path"),
        Outcome.CUT: _("pruned"),
        Outcome.FORBIDDEN: _("not allowed"),
    }


def steps_texts() -> dict[str, str | dict[str, str]]:
    return {
        **board_texts(),
        "play": _("Play"),
        "pause": _("Pause"),
        "speed": _("{speed} steps/s"),
        "before_steps": _("Start"),
        "after_steps": _("End"),
        "step_of": _("Step {step} of {steps}"),
        "ended_after": _("Finished after {steps} steps."),
        "ended_after_one": _("Finished after 1 step."),
        "not_kept": _("Step {step} was not recorded; showing step {shown}."),
        "expands": _("Expanded in step {step}"),
        "the_start": _("Start"),
        "the_goal": _("The goal, where the backward search starts"),
        "ended_at_goal": _("Goal reached"),
        "ended_where_met": _("The two searches met here"),
        "ended": _("Search finished"),
        "waits": _("In the frontier"),
        "depth": _("depth {depth}"),
        "kinds": {
            "current": _("Expanded now"),
            "expanded": _("Already expanded"),
            "waiting": _("In the frontier"),
            "cheaper": _("In the frontier, reached by a cheaper path"),
            "duplicate": _("A board already known"),
            "cut": _("Pruned: not expanded"),
            "forbidden": _("Not allowed: it would undo the previous move"),
        },
        "outcomes": outcome_names(),
        "tree": _("Search tree after step {step}, {nodes} nodes"),
        "and_more": _("and {count} more"),
        "frontier_empty": _("The frontier is empty."),
        "no_gap": _("Every step is recorded."),
        "gap": _("Steps {first} to {last} were not recorded."),
        "gap_one": _("Step {step} was not recorded."),
        "gaps": _(
            "{kept} of {steps} steps were recorded; some steps from {first} to {last} are missing."
        ),
        "endings": {
            "already_solved": _("already solved"),
            "optimal": _("{moves} moves, optimal"),
            "optimal_one": _("1 move, optimal"),
            "longer": _("{moves} moves, not optimal"),
            "solved": _("{moves} moves"),
            "solved_one": _("1 move"),
            "none": _("no solution found"),
            "failed": _("failed"),
            **{str(reason): words for reason, words in stop_reason_names().items()},
            str(StopReason.CANCELLED): _("cancelled"),
        },
        **unit_texts(),
        "no_step": _("the search ended before its first step"),
        "no_steps": _("the steps of this run were not recorded"),
        "no_trace": _("The steps cannot be shown: {reason}"),
        "lost": _("Connection lost. Retrying in {seconds} s; the runs continue in the meantime."),
    }


def has_worksheet(comparison: Comparison) -> bool:
    start, window = comparison.start, comparison.window
    if start is None or window is None:
        return False
    return window.first > 0 and start.size.cells <= _MAX_WORKSHEET_CELLS
