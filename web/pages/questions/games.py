"""The pages of game analyses: the form and the results."""

from __future__ import annotations

from dataclasses import dataclass, replace
from http import HTTPStatus
from itertools import pairwise
from typing import Any, Final, Self
from uuid import UUID

from flask import redirect, render_template, request, url_for
from werkzeug.datastructures import MultiDict
from werkzeug.wrappers import Response

from tilework.core.drawing.animation import is_animatable
from tilework.core.model.tasks import GameSpec, Task
from tilework.core.puzzle.board import Board
from tilework.core.services.tasks.questions import MAX_CELLS, MAX_MOVES
from tilework.core.validation import validate
from tilework.web.api.games import GameFields
from tilework.web.clients import known_client_id, services
from tilework.web.i18n import format_decimal, ngettext
from tilework.web.i18n import gettext as _
from tilework.web.pages.forms import (
    MAX_LINK_CELLS,
    BoardForm,
    format_board,
    format_goal,
    goal_choices,
    submit_form,
)
from tilework.web.pages.play import play_url
from tilework.web.pages.questions.page_context import question_context
from tilework.web.pages.texts import format_length, state_names


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


def describe_uncertainty(view: Task[GameSpec]) -> str:
    result = view.result
    if result is None or result["exact"]:
        return ""
    return _(
        "The shaded band is the uncertainty: the bounds are proven, but there may be more "
        "wasted moves than those listed."
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

    def submit(self) -> Task[GameSpec]:
        start, goal = self.read_puzzle(services().settings.max_cells)
        fields = {
            "board": self.board,
            "moves": self.moves,
            "named_by": "blank" if self.blank_moves else "tile",
            "times_ms": self.times.split(",") if self.times.strip() else None,
        }
        names = {"moves": _("Moves"), "times_ms": _("Time")}
        return validate(GameFields, fields, names).submit(start, goal)


_EXAMPLE: Final = {"board": "1 2 3\n4 0 6\n7 5 8", "moves": "RLUL"}
"""The game that the form shows first. It has one wasted move, which loses two."""


def show_form() -> str:
    form = GameForm.from_query(request.args)
    return _render_page(form if form.board else replace(form, **_EXAMPLE))


def submit() -> Response:
    return submit_form(GameForm.from_form(request.form), _submit, _render_page)


def _submit(form: GameForm) -> str:
    return analysis_url(form.submit().id)


def analysis_url(analysis_id: str) -> str:
    return url_for("pages.analysis", analysis_id=analysis_id)


def analysis_form_url(board: Board, goal: Board) -> str | None:
    """Return the URL of the form for a board, or None if the board is too large for a URL."""
    if board.size.cells > MAX_LINK_CELLS:
        return None
    return url_for("pages.analyse", board=format_board(board), goal=format_goal(goal))


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
        state=state_names()[view.state],
        verdict=format_verdict(view),
        note=describe_uncertainty(view),
        facts=_list_facts(view, result) if view.result else [],
        losses=losses[:_MAX_ROWS],
        unlisted_losses=max(0, len(losses) - _MAX_ROWS),
        loops=result.get("loops", [])[:_MAX_ROWS],
        move_times=_format_move_times(view),
        form_url=analysis_form_url(spec.start, spec.goal) or url_for("pages.analyse"),
        animatable=is_animatable(spec.start.size),
        play=play_url(spec.start, spec.goal),
    )


def cancel(analysis_id: UUID) -> Response:
    services().games.cancel(str(analysis_id), known_client_id() or "")
    return redirect(analysis_url(str(analysis_id)), HTTPStatus.SEE_OTHER)


def _list_facts(view: Task[GameSpec], result: dict[str, Any]) -> list[tuple[str, str]]:
    """Return facts about a game, each with its title."""
    facts = [
        (_("Moves"), format_decimal(result["length"])),
        (_("Slides"), format_decimal(result["slides"])),
        (_("Wasted moves"), format_decimal(len(result["losses"]))),
        (
            _("Moves in loops"),
            format_decimal(sum(loop["last"] - loop["first"] for loop in result["loops"])),
        ),
    ]
    if times := view.spec.times_ms:
        facts.append((_("Time"), _("%(seconds)s s", seconds=_format_number(times[-1] / 1000))))
        facts.append(
            (
                _("Time per move"),
                _("%(seconds)s s", seconds=_format_number(times[-1] / 1000 / len(times))),
            )
        )
    return facts


def _format_move_times(view: Task[GameSpec]) -> dict[int, str]:
    """Return the time of each move but the first, by its number."""
    times = view.spec.times_ms or ()
    return {
        move: _("%(seconds)s s", seconds=_format_number((after - before) / 1000))
        for move, (before, after) in enumerate(pairwise(times), 2)
    }


def _format_number(value: float) -> str:
    return format_decimal(round(value, 2), "#,##0.##")
