"""The page of one analysis: what is known; a module of the page follows the rest."""

from __future__ import annotations

from dataclasses import dataclass
from http import HTTPStatus
from itertools import pairwise
from typing import Any, Final
from uuid import UUID

from flask import redirect, render_template, url_for
from flask_babel import format_decimal
from flask_babel import gettext as _
from werkzeug.wrappers import Response

from tilework.core.model.questions import AnalysisView, GameSpec
from tilework.web.clients import known_client_id, services
from tilework.web.pages.games.analyse import analyse_address, analysis_address
from tilework.web.pages.games.words import (
    analysis_words,
    game_title,
    note_words,
    state_words,
    verdict_words,
)
from tilework.web.pages.questions import standing

_MOST_ROWS: Final = 500
"""Losses that the page lists; the API has them all."""


@dataclass(frozen=True)
class Fact:
    """A name and a figure."""

    title: str
    text: str


def show(analysis_id: UUID) -> str:
    """Show an analysis; anyone with its address may look, only its owner may cancel it."""
    view = services().analyses.view(str(analysis_id))
    spec, result = view.spec, view.result or {}
    losses = result.get("losses", [])
    return render_template(
        "games/analysis.html",
        **standing(view),
        api=f"/api/v1/analyses/{view.id}",
        title=game_title(view.spec),
        state=state_words()[view.state],
        verdict=verdict_words(view),
        note=note_words(view),
        facts=_facts(view, result) if view.result else [],
        losses=losses[:_MOST_ROWS],
        unlisted=max(0, len(losses) - _MOST_ROWS),
        loops=result.get("loops", [])[:_MOST_ROWS],
        seconds=_seconds_by_move(view),
        again=analyse_address(spec.start, spec.goal) or url_for("pages.analyse"),
        words=analysis_words(),
    )


def cancel(analysis_id: UUID) -> Response:
    """Cancel this visitor's analysis and go back to its page."""
    services().cancel_analysis(str(analysis_id), known_client_id() or "")
    return redirect(analysis_address(str(analysis_id)), HTTPStatus.SEE_OTHER)


def _facts(view: AnalysisView[GameSpec], result: dict[str, Any]) -> list[Fact]:
    facts = [
        Fact(_("Moves"), format_decimal(result["length"])),
        Fact(_("Slides"), format_decimal(result["slides"])),
        Fact(_("Losses"), format_decimal(len(result["losses"]))),
        Fact(
            _("Moves in loops"),
            format_decimal(sum(loop["last"] - loop["first"] for loop in result["loops"])),
        ),
    ]
    if times := view.spec.times_ms:
        facts.append(Fact(_("Time"), _("%(seconds)s s", seconds=_decimal(times[-1] / 1000))))
        facts.append(
            Fact(
                _("Time a move"),
                _("%(seconds)s s", seconds=_decimal(times[-1] / 1000 / len(times))),
            )
        )
    return facts


def _seconds_by_move(view: AnalysisView[GameSpec]) -> dict[int, str]:
    """How long each move took that has one before it, in seconds, by its number."""
    times = view.spec.times_ms or ()
    return {
        place: str(_("%(seconds)s s", seconds=_decimal((after - before) / 1000)))
        for place, (before, after) in enumerate(pairwise(times), 2)
    }


def _decimal(value: float) -> str:
    return str(format_decimal(round(value, 2), format="#,##0.##"))
