"""The page of one job: the request; a module of the page follows the rest over the API."""

from __future__ import annotations

from uuid import UUID

from flask import render_template
from flask_babel import format_decimal, format_percent
from flask_babel import gettext as _

from core.formats.solution_formats import SolutionFormat
from core.puzzle.board import Board
from core.puzzle.goals import blank_first, blank_last, spiral
from core.services.jobs.views import JobView
from core.services.jobs.vocabulary import TargetKind
from web.clients import known_client_id, services
from web.i18n import say
from web.pages.board_words import plain_goal, plain_tiles
from web.pages.words import certificate_words, job_words, state_names


def show(job_id: UUID) -> str:
    """Show a job; anyone with its address may look, only its owner is offered to cancel it."""
    job = services().read.view(str(job_id))
    return render_template(
        "job.html",
        job=job,
        api=f"/api/v1/jobs/{job.id}",
        size=str(job.board.size),
        tiles=plain_tiles(job.board),
        goal_tiles=plain_goal(job.goal),
        asked=f"{_target_words(job)} · {goal_words(job.goal)}",
        bounds_text=bounds_words(job),
        state_names=state_names(),
        may_cancel=not job.finished and known_client_id() == job.client_id,
        message=say(job.message) if job.message else "",
        has_solution=job.upper_bound is not None,
        has_certificate=job.finished and job.upper_bound is not None,
        certificate_text=_certificate_text(job),
        formats=_formats(),
        words=job_words(),
    )


def bounds_words(job: JobView) -> str:
    """What is known of the optimum, as one short line."""
    lower, upper = format_decimal(job.lower_bound), job.upper_bound
    if upper is None:
        return f"{lower} ≤ {_('optimal')}"
    if upper == 0:
        return str(_("already solved: 0 moves"))
    if upper == job.lower_bound:
        return f"{_('optimal')} = {lower}"
    return f"{lower} ≤ {_('optimal')} ≤ {format_decimal(upper)}"


def _certificate_text(job: JobView) -> str:
    words = certificate_words()
    if job.upper_bound == job.lower_bound:
        return words["certificate_optimal"]
    return words["certificate_bounded"].format(lower=format_decimal(job.lower_bound))


def _target_words(job: JobView) -> str:
    if job.target == TargetKind.ANY:
        return str(_("Any solution will do"))
    if job.target == TargetKind.GAP:
        gap = format_percent(job.gap_asked, "#,##0.##%")
        return str(_("A solution within %(gap)s of the optimum", gap=gap))
    return str(_("The optimum is asked for"))


def goal_words(goal: Board) -> str:
    """The goal's name."""
    for make, words in (
        (blank_last, _("goal: the blank last")),
        (blank_first, _("goal: the blank first")),
        (spiral, _("goal: a spiral")),
    ):
        if goal == make(goal.size):
            return str(words)
    return str(_("goal: a board of its own"))


def _formats() -> list[tuple[str, str]]:
    names = {
        SolutionFormat.UDLR: _("Moves as U D L R"),
        SolutionFormat.RUNS: _("Moves in runs, R2D3"),
        SolutionFormat.TILES: _("The tiles moved"),
        SolutionFormat.TEXT: _("Every board as text"),
        SolutionFormat.ARROWS: _("Boards with arrows"),
        SolutionFormat.JSON: _("JSON"),
    }
    return [(str(value), names[value]) for value in names]
