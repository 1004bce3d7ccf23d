"""The page of a job, its print view and its embedded player.

Its script loads updates and the solution from the API.
"""

from __future__ import annotations

import time
from http import HTTPStatus
from itertools import chain
from typing import Any, Final
from uuid import UUID

from flask import redirect, render_template, url_for
from werkzeug.wrappers import Response

from tilework.core.drawing.animation import is_animatable
from tilework.core.drawing.board_image import SIZE
from tilework.core.formats.solutions import SolutionFormat
from tilework.core.links import job_url
from tilework.core.model.job_options import Metric, TargetKind
from tilework.core.model.jobs import JobView
from tilework.core.puzzle.goals import blank_last
from tilework.core.puzzle.replay import moved_tiles
from tilework.core.services.jobs.jobs import MAX_OTHERS
from tilework.core.services.jobs.submit import Submission
from tilework.web.clients import current_client_id, known_client_id, services
from tilework.web.i18n import format_percent, ngettext
from tilework.web.i18n import gettext as _
from tilework.web.pages.forms import (
    FORM_ERRORS,
    MAX_PROVABLE_CELLS,
    board_query,
    describe_error,
    describe_goal,
    encode_goal,
    encode_tiles,
    error_response,
)
from tilework.web.pages.numbers import format_rounded
from tilework.web.pages.play import play_url
from tilework.web.pages.questions.shortest_paths import shortest_paths_form_url
from tilework.web.pages.texts import format_verdict, make_verdict, state_names, verdict_patterns


def show(job_id: UUID) -> str:
    """Show a job, or the one that continues it. Anyone with the link can view it.

    Only its owner can cancel it.
    """
    return _render_page(_await_answer(services().read.latest(str(job_id))))


# Searches for boards of up to this size usually end before the page is sent.
_MAX_CELLS = 16
_MAX_AGE_S = 1.0
_MAX_WAIT_S = 0.05


def _await_answer(job: JobView) -> JobView:
    """Wait briefly for the end of a short search, so that its page is painted once."""
    now = time.time()
    if job.board.size.cells > _MAX_CELLS or not 0 <= now - job.created_at < _MAX_AGE_S:
        return job
    deadline = time.monotonic() + _MAX_WAIT_S
    while not job.finished and (remaining := deadline - time.monotonic()) > 0:
        job = services().read.wait(job.id, job.version, remaining)
    return job


def continue_search(job_id: UUID) -> Response:
    """Submit the same puzzle for this client, to continue from the stored results.

    The page keeps its URL, unless the job was submitted as fresh.
    """
    job = services().read.view(str(job_id))
    try:
        boards = [(job.board, job.goal)]
        new_job = services().submit(
            Submission(client_id=current_client_id(), boards=boards, options=job.options)
        )
    except FORM_ERRORS as error:
        return error_response(_render_page(job, describe_error(error)), error)
    shown_id = job.id if new_job.solve_id == job.solve_id else new_job.id
    return redirect(url_for("pages.job", job_id=shown_id), HTTPStatus.SEE_OTHER)


def cancel(job_id: UUID) -> Response:
    services().cancel(str(job_id), known_client_id() or "", brief=True)
    return redirect(url_for("pages.job", job_id=job_id), HTTPStatus.SEE_OTHER)


def _render_page(job: JobView, problem: str = "") -> str:
    return render_template(
        "job.html",
        **_make_values(job),
        target=_describe_target(job),
        goal_name=describe_goal(job.goal),
        is_default_goal=job.goal == blank_last(job.goal.size),
        verdict=make_verdict(job),
        state_names=state_names(),
        verdict_patterns=verdict_patterns(),
        can_cancel=not job.finished and known_client_id() == job.client_id,
        can_continue=job.finished and job.can_improve,
        problem=problem,
        formats=_list_formats(),
        play=play_url(job.board, job.goal),
        shortest_paths=shortest_paths_form_url(job.board, job.goal),
        board_query=board_query(job.board, job.goal),
        lab_cells=services().settings.lab_max_cells,
        preview_size=SIZE,
        moves=_name_moves(job, MAX_LISTED_MOVES)[0],
        is_animatable=is_animatable(job.board.size),
        further_minute=_describe_further_minute(job),
        other_submissions=_describe_other_submissions(job),
    )


def _make_values(job: JobView) -> dict[str, Any]:
    """Return what the pages that play a job's solution have in common."""
    return {
        "job": job,
        "api": job_url(job.id),
        "title": _make_title(job),
        "tiles": encode_tiles(job.board),
        "goal_tiles": encode_goal(job.goal),
    }


def _make_title(job: JobView) -> str:
    return _("%(size)s board", size=job.board.size)


def _describe_target(job: JobView) -> str:
    if job.options.target == TargetKind.ANY:
        return _("any solution")
    if job.options.target == TargetKind.GAP:
        gap = format_percent(job.options.gap or 0.0, "#,##0.##%")
        if job.options.metric is Metric.SLIDES:
            return _("within %(gap)s of the fewest slides", gap=gap)
        return _("within %(gap)s of optimal", gap=gap)
    if job.options.metric is Metric.SLIDES:
        return _("fewest slides")
    if job.width * job.height > MAX_PROVABLE_CELLS:
        return _("a good solution that keeps improving")
    return _("shortest solution")


def _list_formats() -> list[tuple[str, str]]:
    names = {
        SolutionFormat.UDLR: _("Moves as U D L R"),
        SolutionFormat.RUNS: _("Moves with repeats, R2D3"),
        SolutionFormat.TILES: _("Numbers of the moved tiles"),
        SolutionFormat.TEXT: _("All boards as text"),
        SolutionFormat.ARROWS: _("Boards with arrows"),
        SolutionFormat.JSON: _("JSON"),
        SolutionFormat.WORDS: _("Directions of the blank"),
        SolutionFormat.PRINCETON: _("Princeton format"),
        SolutionFormat.EIGHTPUZZLE: _("Boards with X, arrows and counts"),
        SolutionFormat.LISP: _("Boards as Lisp vectors"),
    }
    return [(str(value), names[value]) for value in names]


def _describe_other_submissions(job: JobView) -> str:
    count = services().read.count_others(job.id)
    if count == 0:
        return ""
    if count == MAX_OTHERS:
        text = _("Others have submitted this puzzle more than %(count)s times.", count=count)
    else:
        text = ngettext(
            "Someone else has submitted this puzzle once.",
            "Others have submitted this puzzle %(count)s times.",
            count,
            count=count,
        )
    return str(text)


_SILENCE_S = 120
"""The same as in ``activity.js``."""

_MINUTE_S = 60


def _describe_further_minute(job: JobView) -> str:
    """Describe how many moves another minute saved on boards of this size after a long silence."""
    if job.finished:
        return ""
    gains = services().read.gains(job.board.size, _SILENCE_S, _SILENCE_S + _MINUTE_S)
    if not gains:
        return ""
    return ngettext(
        "Moves saved in the third minute on the last board of this size: %(moves)s.",
        "Moves saved in the third minute on the last %(count)s boards of this size: %(moves)s on "
        "average.",
        len(gains),
        count=len(gains),
        moves=format_rounded(sum(gains) / len(gains)),
    )


def show_embed(job_id: UUID) -> str:
    job = services().read.view(str(job_id))
    return render_template(
        "jobs/embed.html",
        **_make_values(job),
        verdict=format_verdict(job),
    )


MAX_LISTED_MOVES: Final = 240
"""The same as in ``move_list.js``, which lists more as the visitor plays."""

MAX_PRINTED_MOVES: Final = 2_000
"""This many fill about ten pages."""

_GROUP_SIZE: Final = 5
_ARROWS: Final = "↑↓←→"


def show_print_view(job_id: UUID) -> str:
    job = services().read.view(str(job_id))
    names, length = _name_moves(job, MAX_PRINTED_MOVES)
    firsts = range(0, len(names), _GROUP_SIZE)
    return render_template(
        "jobs/print_view.html",
        job=job,
        title=_make_title(job),
        verdict=format_verdict(job),
        goal=describe_goal(job.goal),
        groups=[(first + 1, names[first : first + _GROUP_SIZE]) for first in firsts],
        remaining_moves=length - len(names),
    )


def _name_moves(job: JobView, limit: int) -> tuple[list[str], int]:
    """Return the first moves of the solution, each as a tile and an arrow, and its length."""
    part = services().read_parts.moves(job.id, 0, limit)
    if part is None or part.moves is None:
        return [], 0
    tiles = chain.from_iterable(moved_tiles(job.board, part.moves))
    names = [f"{tile} {_ARROWS[move]}" for tile, move in zip(tiles, part.moves, strict=True)]
    return names, part.length
