"""The pages of all shortest solutions: the form and the results."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from http import HTTPStatus
from typing import Any, Final
from uuid import UUID

from flask import redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from tilework.core.model.tasks import ShortestPathsSpec, Task
from tilework.core.puzzle.board import Board
from tilework.core.puzzle.metric import Metric, count_slides
from tilework.core.puzzle.moves import from_letters, to_letters
from tilework.core.services.tasks.questions import MAX_DRAWN, MAX_PATH_CELLS
from tilework.web.clients import current_client_id, known_client_id, services
from tilework.web.i18n import format_decimal, ngettext
from tilework.web.i18n import gettext as _
from tilework.web.pages.examples import lab_examples
from tilework.web.pages.forms import BoardForm, board_query, goal_choices, submit_form
from tilework.web.pages.questions.page_context import question_context
from tilework.web.pages.texts import format_length


def shortest_paths_title(spec: ShortestPathsSpec) -> str:
    return _("All shortest solutions of a %(size)s board", size=spec.start.size)


def format_verdict(view: Task[ShortestPathsSpec]) -> str:
    result = view.result
    if result is None:
        return ""
    count = result["count"]
    if count is None:
        return " ".join([_describe_known_solution(result), _describe_limit(result["stopped_by"])])
    if not result["length"]:
        return _("The board is already solved.")
    moves = format_length(result["length"])
    if count == 1:
        return _("One shortest solution, of %(moves)s.", moves=moves)
    return ngettext(
        "%(count)s shortest solution of %(moves)s.",
        "%(count)s shortest solutions of %(moves)s each.",
        count,
        count=format_decimal(count),
        moves=moves,
    )


def describe_fewest_slides(view: Task[ShortestPathsSpec]) -> str:
    fewest = (view.result or {}).get("fewest_slides")
    if fewest is None:
        return ""
    if fewest["slides"] is None:
        return _(
            "Every solution has at least %(slides)s.",
            slides=format_length(fewest["lower_bound"], Metric.SLIDES),
        )
    if fewest["optimal"]:
        return ngettext(
            "%(slides)s, proven optimal",
            "%(slides)s, proven optimal",
            fewest["slides"],
            slides=format_length(fewest["slides"], Metric.SLIDES),
        )
    return _(
        "At most %(slides)s, at least %(least)s.",
        slides=format_length(fewest["slides"], Metric.SLIDES),
        least=format_decimal(fewest["lower_bound"]),
    )


def _describe_known_solution(result: dict[str, Any]) -> str:
    if result["length"] is not None:
        return _(
            "A shortest solution has %(moves)s; the number of solutions is unknown.",
            moves=format_length(result["length"]),
        )
    return _("Every solution has at least %(moves)s.", moves=format_length(result["lower_bound"]))


def _describe_limit(stopped_by: str | None) -> str:
    if stopped_by == "memory":
        return _("The memory limit was reached before all were found.")
    return _("The time limit was reached before all were found.")


def show_form() -> str:
    form = BoardForm.from_query(request.args)
    return _render_page(form if form.board else replace(form, board=lab_examples()[1].text))


def submit() -> Response:
    return submit_form(BoardForm.from_form(request.form), _submit, _render_page)


def _submit(form: BoardForm) -> str:
    start, goal = form.read_puzzle(services().settings.max_cells)
    ways_id = services().ways.submit(current_client_id(), start, goal).id
    return url_for("pages.shortest_paths_result", ways_id=ways_id)


def shortest_paths_form_url(board: Board, goal: Board) -> str | None:
    """Return the URL of the form for a board, or None if the board is too large."""
    if board.size.cells > MAX_PATH_CELLS:
        return None
    return url_for("pages.shortest_paths", **board_query(board, goal))


def _render_page(form: BoardForm, problem: str = "") -> str:
    return render_template(
        "shortest_paths/form.html",
        form=form,
        picture=form.picture(),
        problem=problem,
        goals=goal_choices(),
        max_cells=MAX_PATH_CELLS,
    )


_PAGE_SIZE: Final = 10
"""Solutions per page."""


def show(ways_id: UUID) -> str:
    view = services().ways.view(str(ways_id))
    result = view.result or {}
    page, pages = _read_page(result.get("listed", 0))
    graph = services().ways.graph(view.id) if result.get("drawn") else None
    return render_template(
        "shortest_paths/result.html",
        **question_context(view),
        api=f"/api/v1/ways/{view.id}",
        title=shortest_paths_title(view.spec),
        verdict=format_verdict(view),
        slides=describe_fewest_slides(view),
        fewest_turns=result.get("fewest_turns"),
        fewest_slides=result.get("fewest_slides"),
        listed=_list_solutions(view, result, page),
        list_title=_list_title(result),
        page=page,
        pages=pages,
        boards=result.get("boards"),
        max_drawn=MAX_DRAWN,
        layers=[] if graph is None else sorted(Counter(graph.depths).items()),
    )


def cancel(ways_id: UUID) -> Response:
    services().ways.cancel(str(ways_id), known_client_id() or "")
    return redirect(url_for("pages.shortest_paths_result", ways_id=ways_id), HTTPStatus.SEE_OTHER)


def _read_page(listed: int) -> tuple[int, int]:
    """Return the number of the page, from 1, and the number of pages."""
    pages = max(1, -(-listed // _PAGE_SIZE))
    requested_page = request.args.get("page", 1, type=int)
    return max(1, min(requested_page, pages)), pages


def _list_solutions(
    view: Task[ShortestPathsSpec], result: dict[str, Any], page: int
) -> list[tuple[int, str, int]]:
    """Return solutions with their numbers, from 1, and their lengths in slides."""
    first, solutions = 0, []
    if result.get("listed"):
        first = (page - 1) * _PAGE_SIZE
        solutions = services().ways.solutions(view.id, first, _PAGE_SIZE)
    elif result.get("solution") is not None:
        solutions = [from_letters(result["solution"])]
    return [
        (number, to_letters(moves), count_slides(moves))
        for number, moves in enumerate(solutions, first + 1)
    ]


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
