"""The page of a job. Its script loads updates and the solution from the API."""

from __future__ import annotations

import time
from http import HTTPStatus
from uuid import UUID

from flask import redirect, render_template, url_for
from werkzeug.wrappers import Response

from tilework.core.formats.solutions import SolutionFormat
from tilework.core.links import job_url
from tilework.core.model.job_options import Metric, TargetKind
from tilework.core.model.jobs import JobView
from tilework.core.puzzle.goals import blank_last
from tilework.core.services.jobs.submit import Submission
from tilework.web.clients import current_client_id, known_client_id, services
from tilework.web.i18n import format_decimal, format_percent, translate
from tilework.web.i18n import gettext as _
from tilework.web.pages.forms import (
    FORM_ERRORS,
    MAX_PROVABLE_CELLS,
    describe_error,
    describe_goal,
    encode_goal,
    encode_tiles,
    error_response,
)
from tilework.web.pages.jobs.panels import (
    describe_further_minute,
    describe_other_submissions,
    list_next_steps,
)
from tilework.web.pages.jobs.sharing import make_sharing
from tilework.web.pages.jobs.texts import job_texts, slides_job_texts
from tilework.web.pages.texts import (
    certificate_texts,
    make_verdict,
    state_names,
)


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
        job=job,
        api=job_url(job.id),
        size=str(job.board.size),
        tiles=encode_tiles(job.board),
        goal_tiles=encode_goal(job.goal),
        target=_describe_target(job),
        goal_name=describe_goal(job.goal),
        is_default_goal=job.goal == blank_last(job.goal.size),
        verdict=make_verdict(job),
        state_names=state_names(),
        can_cancel=not job.finished and known_client_id() == job.client_id,
        can_continue=job.finished and job.can_improve,
        problem=problem,
        message=translate(job.message) if job.message else "",
        has_solution=job.upper_bound is not None,
        has_certificate=job.finished and job.upper_bound is not None,
        certificate_text=_certificate_text(job),
        formats=_list_formats(),
        next_steps=list_next_steps(job),
        sharing=make_sharing(job),
        further_minute=describe_further_minute(job),
        other_submissions=describe_other_submissions(job),
        texts=job_texts() | (slides_job_texts() if job.options.metric is Metric.SLIDES else {}),
    )


def _certificate_text(job: JobView) -> str:
    texts = certificate_texts(job.options.metric)
    if job.upper_bound == job.lower_bound:
        return texts["certificate_optimal"]
    return texts["certificate_bounded"].format(lower=format_decimal(job.lower_bound))


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
