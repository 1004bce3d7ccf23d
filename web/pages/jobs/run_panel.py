"""The panel of a job that asks for a textbook search: the method, and what it did."""

from __future__ import annotations

from dataclasses import dataclass

from flask import url_for
from flask_babel import format_decimal
from flask_babel import gettext as _

from tilework.core.model.job_views import MethodRunView
from tilework.core.puzzle.board import Board
from tilework.web.pages.board_words import board_lines, goal_text
from tilework.web.pages.lab.comparison_words import ending_words
from tilework.web.pages.lab.words import method_title

_MEBIBYTE = 2**20
_NONE = "–"


@dataclass(frozen=True)
class RunFigure:
    """A number of a run: its name in the API, its heading, and as it stands."""

    name: str
    title: str
    text: str


@dataclass(frozen=True)
class RunPanel:
    """What the page says of a run.

    Attributes
    ----------
    ending : str
        Empty unless a limit ended it.
    steps : str
        Where the same method is shown step by step.
    """

    method: str
    promise: str
    ending: str
    figures: tuple[RunFigure, ...]
    steps: str


def run_panel(run: MethodRunView, board: Board, goal: Board) -> RunPanel:
    """Return the panel as it is now; the page's module brings it up to date."""
    return RunPanel(
        method=method_title(run.method),
        promise=_promise(run),
        ending="" if run.stopped_by is None else ending_words()[run.stopped_by],
        figures=tuple(_figure(run, name, title) for name, title in _titles().items()),
        steps=url_for(
            "pages.lab", board=board_lines(board), goal=goal_text(goal), method=[run.method.text]
        ),
    )


def run_words() -> dict[str, str | dict[str, str]]:
    """Sentences of the panel's module."""
    return {
        "run_seconds": _("{count} s"),
        "run_memory": _("{count} MB"),
        "run_endings": {str(reason): words for reason, words in ending_words().items()},
    }


def _promise(run: MethodRunView) -> str:
    """What the method promises of its solution."""
    if run.method.promises_optimum:
        return str(_("With this heuristic, or with none, the search promises a shortest solution."))
    return str(_("The search promises a solution, but not a shortest one."))


def _titles() -> dict[str, str]:
    return {
        "expanded": _("Expanded"),
        "generated": _("Generated"),
        "visited": _("Visited"),
        "max_frontier": _("Largest frontier"),
        "duplicates": _("Duplicates"),
        "depth": _("Depth"),
        "branching": _("Branching"),
        "memory_bytes": _("Memory"),
        "seconds": _("Time"),
    }


def _figure(run: MethodRunView, name: str, title: str) -> RunFigure:
    if run.statistics is None:
        return RunFigure(name, title, _NONE)
    value = getattr(run.statistics, name)
    if name == "seconds":
        text = _("{count} s").format(count=format_decimal(value, "#,##0.###"))
    elif name == "memory_bytes":
        text = _("{count} MB").format(count=format_decimal(value / _MEBIBYTE, "#,##0.#"))
    else:
        text = str(format_decimal(value, "#,##0.##"))
    return RunFigure(name, title, text)
