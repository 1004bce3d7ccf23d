"""The page of a search for all shortest solutions; a module of the page follows and draws it."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any, Final
from uuid import UUID

from flask import redirect, render_template, request
from flask_babel import format_decimal
from flask_babel import gettext as _
from werkzeug.wrappers import Response

from tilework.core.formats.ways_graph import WaysGraph
from tilework.core.model.questions import AnalysisView, WaysSpec
from tilework.core.puzzle.moves import from_letters, to_letters
from tilework.core.puzzle.slides import slides_in
from tilework.web.clients import known_client_id, services
from tilework.web.pages.questions import standing
from tilework.web.pages.ways.ask import ways_address
from tilework.web.pages.ways.words import (
    graph_words,
    script_words,
    slides_words,
    state_words,
    undrawn_words,
    verdict_words,
    ways_title,
)

_A_PAGE: Final = 10
"""Solutions that are listed at a time."""


@dataclass(frozen=True)
class Listed:
    """A solution with its number, from 1, its moves, and how many slides they are."""

    number: int
    moves: str
    slides: int


@dataclass(frozen=True)
class Paging:
    """Which of the listed solutions are shown: page of pages, both from 1."""

    page: int
    pages: int


@dataclass(frozen=True)
class Layer:
    """How many boards lie so many moves from the start."""

    depth: int
    boards: int


def show(ways_id: UUID) -> str:
    """Show what was found; anyone with its address may look, only its owner may cancel it."""
    view = services().ways.view(str(ways_id))
    result = view.result or {}
    paging = _paging(result.get("listed", 0))
    drawn = services().ways.graph(view.id) if result.get("drawn") else None
    return render_template(
        "ways/found.html",
        **standing(view),
        api=f"/api/v1/ways/{view.id}",
        title=ways_title(view.spec),
        state=state_words()[view.state],
        verdict=verdict_words(view),
        slides=slides_words(view),
        turns=result.get("fewest_turns"),
        fewest_slides=result.get("fewest_slides"),
        listed=_listed(view, result, paging),
        list_title=_list_title(result),
        paging=paging,
        drawn=drawn is not None,
        undrawn=undrawn_words(result),
        graph_text="" if drawn is None else graph_words(drawn),
        layers=[] if drawn is None else _layers(drawn),
        words=script_words(),
    )


def cancel(ways_id: UUID) -> Response:
    """Cancel this visitor's search and go back to its page."""
    services().cancel_ways(str(ways_id), known_client_id() or "")
    return redirect(ways_address(str(ways_id)), HTTPStatus.SEE_OTHER)


def _paging(listed: int) -> Paging:
    pages = max(1, -(-listed // _A_PAGE))
    wanted = request.args.get("page", 1, type=int)
    return Paging(max(1, min(wanted, pages)), pages)


def _listed(view: AnalysisView[WaysSpec], result: dict[str, Any], paging: Paging) -> list[Listed]:
    """Return the solutions of a page of the list; of an unfinished one what is known."""
    if result.get("listed"):
        first = (paging.page - 1) * _A_PAGE
        found = services().ways.solutions(view.id, first, _A_PAGE)
        return [
            Listed(number, to_letters(one), slides_in(one))
            for number, one in enumerate(found, first + 1)
        ]
    if result.get("solution") is not None:
        return [Listed(1, result["solution"], slides_in(from_letters(result["solution"])))]
    return []


def _list_title(result: dict[str, Any]) -> str:
    count, listed = result.get("count"), result.get("listed")
    if count is None:
        return str(_("The best solution known"))
    if count > listed:
        return str(
            _(
                "The first %(listed)s of %(count)s",
                listed=format_decimal(listed),
                count=format_decimal(count),
            )
        )
    return str(_("The solutions"))


def _layers(graph: WaysGraph) -> list[Layer]:
    return [Layer(depth, boards) for depth, boards in sorted(Counter(graph.depths).items())]
