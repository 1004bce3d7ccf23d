"""The page of one comparison: its table as it is; a module of the page follows the rest."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any
from uuid import UUID

from flask import redirect, render_template, url_for
from werkzeug.wrappers import Response

from tilework.core.model.comparison_views import ComparisonView
from tilework.core.model.runs import RunLimits
from tilework.core.services.lab.vocabulary import exact, proved_length
from tilework.web.clients import known_client_id, services
from tilework.web.pages.board_words import board_lines, goal_text, goal_words
from tilework.web.pages.lab.comparison_form import SWEEP
from tilework.web.pages.lab.comparison_rows import headings, rows_of
from tilework.web.pages.lab.comparison_words import (
    comparison_state,
    comparison_states,
    comparison_title,
    comparison_words,
    limit_words,
)

_MEBIBYTE = 2**20


def show(comparison_id: UUID) -> str:
    """Show a comparison; anyone with its address may look, only its owner may cancel it."""
    view = services().comparisons.view(str(comparison_id))
    return render_template(
        "lab/comparison.html",
        comparison=view,
        api=f"/api/v1/comparisons/{view.id}",
        title=comparison_title(view),
        asked=f"{goal_words(view.goal)} · {limit_words(view)}",
        state=comparison_state(view),
        states=comparison_states(),
        ended=len(view.runs) - view.unfinished,
        headings=headings(),
        rows=rows_of(view),
        proved=None if view.sweep else proved_length((run.method, run.length) for run in view.runs),
        again=_form_address(view),
        may_cancel=not view.finished and known_client_id() == view.client_id,
        words=comparison_words(view),
    )


def cancel(comparison_id: UUID) -> Response:
    """Cancel this visitor's comparison and go back to its page."""
    services().cancel_comparison(str(comparison_id), known_client_id() or "")
    return redirect(url_for("pages.comparison", comparison_id=comparison_id), HTTPStatus.SEE_OTHER)


def _form_address(view: ComparisonView) -> str:
    """Where the same comparison can be changed and asked for again."""
    options: dict[str, Any] = {"goal": goal_text(view.goal)}
    if view.start is not None:
        options["board"] = board_lines(view.start)
    if view.sweep is not None:
        sweep = view.sweep
        options |= {"kind": SWEEP, "width": view.goal.width, "height": view.goal.height}
        options |= {"boards": sweep.boards, "moves": sweep.moves, "seed": sweep.seed}
    own = view.limits
    if own != RunLimits().filled(services().settings):
        memory = None if own.memory_bytes is None else own.memory_bytes // _MEBIBYTE
        seconds = None if own.seconds is None else exact(own.seconds)
        options |= {"time_limit_s": seconds, "node_limit": own.nodes, "memory_limit_mb": memory}
    return url_for("pages.compare", **options, method=[one.text for one in view.methods])
