"""The pages of all shortest solutions: the form, and what was found."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any, Final, NamedTuple
from uuid import UUID

from flask import redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from tilework.core.model.task_specs import ShortestPathsSpec
from tilework.core.model.tasks import Task
from tilework.core.puzzle.board import Board
from tilework.core.puzzle.metric import count_slides
from tilework.core.puzzle.moves import from_letters, to_letters
from tilework.core.services.tasks.vocabulary import MOST_WAYS_CELLS
from tilework.web.clients import current_client_id, known_client_id, services
from tilework.web.i18n import format_decimal
from tilework.web.i18n import gettext as _
from tilework.web.pages.forms import BoardForm, board_lines, goal_choices, goal_text, sent
from tilework.web.pages.questions.asked import asked_before, standing
from tilework.web.pages.questions.ways_words import (
    graph_words,
    script_words,
    slides_words,
    state_words,
    undrawn_words,
    verdict_words,
    ways_title,
)
from tilework.web.pages.words import home_words


@dataclass(frozen=True)
class WaysForm(BoardForm):
    def submit(self) -> Task[ShortestPathsSpec]:
        start, goal = self.puzzle(services().settings.max_cells)
        return services().ways.submit(current_client_id(), start, goal)


def ask() -> str:
    return _page(WaysForm.linked(request.args))


def submit() -> Response:
    return sent(WaysForm.sent(request.form), _asked, _page)


def _asked(form: WaysForm) -> str:
    return ways_address(form.submit().id)


def ways_address(ways_id: str) -> str:
    return url_for("pages.ways_found", ways_id=ways_id)


def ways_link(board: Board, goal: Board) -> str | None:
    """Return where a board's ways can be asked for; None of one that is too large for that."""
    if board.size.cells > MOST_WAYS_CELLS:
        return None
    return url_for("pages.ways", board=board_lines(board), goal=goal_text(goal))


def _page(form: WaysForm, problem: str = "") -> str:
    return render_template(
        "ways/ask.html",
        form=form,
        problem=problem,
        words=home_words(),
        goals=goal_choices(),
        most_cells=MOST_WAYS_CELLS,
        recent=asked_before(services().ways, ways_address, ways_title, state_words()),
    )


_A_PAGE: Final = 10
"""Solutions that are listed at a time."""


class Listed(NamedTuple):
    """A solution with its number, from 1, its moves, and how many slides they are."""

    number: int
    moves: str
    slides: int


class Paging(NamedTuple):
    """Which of the listed solutions are shown: page of pages, both from 1."""

    page: int
    pages: int


class Layer(NamedTuple):
    depth: int
    boards: int


def show(ways_id: UUID) -> str:
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
        layers=[]
        if drawn is None
        else [Layer(depth, boards) for depth, boards in sorted(Counter(drawn.depths).items())],
        words=script_words(),
    )


def cancel(ways_id: UUID) -> Response:
    services().ways.cancel(str(ways_id), known_client_id() or "")
    return redirect(ways_address(str(ways_id)), HTTPStatus.SEE_OTHER)


def _paging(listed: int) -> Paging:
    pages = max(1, -(-listed // _A_PAGE))
    wanted = request.args.get("page", 1, type=int)
    return Paging(max(1, min(wanted, pages)), pages)


def _listed(view: Task[ShortestPathsSpec], result: dict[str, Any], paging: Paging) -> list[Listed]:
    if result.get("listed"):
        first = (paging.page - 1) * _A_PAGE
        found = services().ways.solutions(view.id, first, _A_PAGE)
        return [
            Listed(number, to_letters(one), count_slides(one))
            for number, one in enumerate(found, first + 1)
        ]
    if result.get("solution") is not None:
        return [Listed(1, result["solution"], count_slides(from_letters(result["solution"])))]
    return []


def _list_title(result: dict[str, Any]) -> str:
    count, listed = result.get("count"), result.get("listed")
    if count is None:
        return _("Best solution known")
    if count > listed:
        return _(
            "First %(listed)s of %(count)s",
            listed=format_decimal(listed),
            count=format_decimal(count),
        )
    return _("Solutions")
