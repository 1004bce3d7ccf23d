"""The pages of game analyses: the form and the results."""

from __future__ import annotations

from dataclasses import dataclass, replace
from http import HTTPStatus
from typing import Final, Self
from uuid import UUID

from flask import redirect, render_template, request, url_for
from werkzeug.datastructures import MultiDict
from werkzeug.wrappers import Response

from tilework.core.drawing.animation import is_animatable
from tilework.core.model.tasks import GameSpec, Task
from tilework.core.services.tasks.questions import MAX_CELLS, MAX_MOVES
from tilework.core.validation import validate
from tilework.web.api.games import GameFields
from tilework.web.clients import known_client_id, services
from tilework.web.i18n import format_decimal, ngettext
from tilework.web.i18n import gettext as _
from tilework.web.pages.forms import BoardForm, board_query, goal_choices, submit_form
from tilework.web.pages.play import play_url
from tilework.web.pages.questions.page_context import question_context
from tilework.web.pages.texts import format_length


def game_title(spec: GameSpec) -> str:
    count = len(spec.moves)
    return ngettext(
        "%(size)s game, %(moves)s move",
        "%(size)s game, %(moves)s moves",
        count,
        moves=format_decimal(count),
        size=spec.start.size,
    )


def format_verdict(view: Task[GameSpec]) -> str:
    """Return the result in one sentence, or nothing if there is none yet."""
    result = view.result
    if result is None:
        return ""
    game = format_length(result["length"])
    first = _format_range(result["lower"][0], result["upper"][0])
    lost = _format_range(result["lost_at_least"], result["lost_at_most"])
    exact = result["exact"]
    if not result["is_solution"]:
        left = _format_range(result["lower"][-1], result["upper"][-1])
        return _(
            "%(game)s, goal not reached: %(left)s left, %(lost)s lost.",
            game=game,
            left=left,
            lost=lost,
        )
    if exact and not result["lost_at_most"]:
        return _("Optimal: %(game)s.", game=game)
    if exact:
        return _(
            "Solved in %(game)s, %(lost)s more than optimal (%(first)s).",
            game=game,
            lost=format_decimal(result["lost_at_most"]),
            first=first,
        )
    return _(
        "Solved in %(game)s; the optimal length is %(first)s, so %(lost)s were lost.",
        game=game,
        first=first,
        lost=lost,
    )


def _format_range(lower: int, upper: int | None) -> str:
    if upper is None:
        return _("at least %(moves)s", moves=format_length(lower))
    if lower == upper:
        return format_length(lower)
    return _("%(least)s to %(moves)s", least=format_decimal(lower), moves=format_length(upper))


@dataclass(frozen=True)
class GameForm(BoardForm):
    moves: str = ""
    times: str = ""
    blank_moves: str = ""

    @classmethod
    def from_query(cls, query: MultiDict[str, str]) -> Self:
        return replace(super().from_query(query), moves=query.get("moves", ""))

    def submit(self) -> str:
        """Submit the game and return the URL of its analysis."""
        start, goal = self.read_puzzle(services().settings.max_cells)
        fields = {
            "board": self.board,
            "moves": self.moves,
            "named_by": "blank" if self.blank_moves else "tile",
            "times_ms": self.times.split(",") if self.times.strip() else None,
        }
        names = {"moves": _("Moves"), "times_ms": _("Time")}
        return analysis_url(validate(GameFields, fields, names).submit(start, goal).id)


_EXAMPLE: Final = {"board": "1 2 3\n4 0 6\n7 5 8", "moves": "RLUL"}
"""The game that the form shows first. It has one wasted move, which loses two."""


def show_form() -> str:
    form = GameForm.from_query(request.args)
    return _render_page(form if form.board else replace(form, **_EXAMPLE))


def submit() -> Response:
    return submit_form(GameForm.from_form(request.form), GameForm.submit, _render_page)


def analysis_url(analysis_id: str) -> str:
    return url_for("pages.analysis", analysis_id=analysis_id)


def _render_page(form: GameForm, problem: str = "") -> str:
    return render_template(
        "games/analyse.html",
        form=form,
        picture=form.picture(),
        problem=problem,
        goals=goal_choices(),
        max_moves=MAX_MOVES,
        max_cells=MAX_CELLS,
    )


_MAX_ROWS: Final = 500
"""Lost moves listed on the page; the API returns all of them."""


def show(analysis_id: UUID) -> str:
    """Anyone with the link can view an analysis; only its owner can cancel it."""
    view = services().games.view(str(analysis_id))
    spec, result = view.spec, view.result or {}
    losses = result.get("losses", [])
    return render_template(
        "games/analysis.html",
        **question_context(view),
        api=f"/api/v1/analyses/{view.id}",
        title=game_title(view.spec),
        verdict=format_verdict(view),
        result=view.result,
        losses=losses[:_MAX_ROWS],
        unlisted_losses=max(0, len(losses) - _MAX_ROWS),
        loops=result.get("loops", [])[:_MAX_ROWS],
        form_url=url_for("pages.analyse", **board_query(spec.start, spec.goal)),
        animatable=is_animatable(spec.start.size),
        play=play_url(spec.start, spec.goal),
    )


def cancel(analysis_id: UUID) -> Response:
    services().games.cancel(str(analysis_id), known_client_id() or "")
    return redirect(analysis_url(str(analysis_id)), HTTPStatus.SEE_OTHER)
