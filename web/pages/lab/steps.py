"""The page of a comparison step by step; a module of the page fetches what its runs recorded."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from uuid import UUID

from flask import render_template, url_for

from tilework.core.model.comparison_views import ComparisonView, RunView
from tilework.core.services.lab.vocabulary import LabAlgorithm, TraceWindow
from tilework.web.clients import services
from tilework.web.pages.board_words import board_lines, goal_text, goal_words, plain_tiles
from tilework.web.pages.lab.comparison_rows import run_note
from tilework.web.pages.lab.form import SIDE_BY_SIDE
from tilework.web.pages.lab.steps_words import statistic_names, steps_words
from tilework.web.pages.lab.words import CodeWords, code_lines, method_title

# They continue from the end of a path, which the trace records as their frontier.
_KEEP_A_PATH = frozenset(
    {
        LabAlgorithm.BACKTRACKING,
        LabAlgorithm.BACKTRACKING_VISITED,
        LabAlgorithm.DEPTH_FIRST_RECURSIVE,
    }
)


@dataclass(frozen=True)
class Panel:
    """One run's half of the page; the message says why it has no solution."""

    run: RunView
    title: str
    keeps_a_path: bool
    message: str
    code: list[CodeWords]


def show(comparison_id: UUID) -> str:
    """Show the first two methods of a comparison side by side; anyone with the address may."""
    comparison = services().comparisons.view(str(comparison_id))
    traced = comparison.window is not None and comparison.start is not None
    return render_template(
        "lab/steps.html",
        comparison=comparison,
        api=f"/api/v1/comparisons/{comparison.id}",
        size=str(comparison.goal.size),
        goal_named=goal_words(comparison.goal),
        tiles=plain_tiles(comparison.start) if comparison.start is not None else "",
        panels=[_panel(run) for run in comparison.runs[:SIDE_BY_SIDE]] if traced else [],
        left_out=max(0, len(comparison.runs) - SIDE_BY_SIDE) if traced else 0,
        form=_form_address(comparison),
        statistics=statistic_names(),
        words=steps_words(),
    )


def _panel(run: RunView) -> Panel:
    return Panel(
        run,
        method_title(run.method),
        run.method.algorithm in _KEEP_A_PATH,
        run_note(run),
        code_lines(run.method.algorithm),
    )


def _form_address(comparison: ComparisonView) -> str:
    """Address of the form with what this comparison has."""
    methods = [method.text for method in comparison.methods[:SIDE_BY_SIDE]]
    board = comparison.start
    window = comparison.window
    return url_for(
        "pages.lab",
        **({} if window in (None, TraceWindow()) else asdict(window)),
        board=None if board is None else board_lines(board),
        goal=goal_text(comparison.goal),
        method=methods,
    )
