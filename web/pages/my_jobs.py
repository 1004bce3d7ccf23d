"""The visitor's own jobs, newest first, a page at a time."""

from __future__ import annotations

from flask import render_template, request
from flask_babel import gettext as _

from tilework.core.services.jobs.views import JobView
from tilework.web.clients import known_client_id, services
from tilework.web.pages.filters import ratio
from tilework.web.pages.jobs.verdict import verdict_words
from tilework.web.pages.words import state_names

JOBS_A_PAGE = 20

PICTURED_CELLS = 144
"""Larger boards are only named: their tiles would be too small to tell."""

PROVED_CELLS = 16
"""Of larger boards it is told how good a solution is; of these the optimum is soon known."""


def _quality(job: JobView) -> str | None:
    """How good the solution of a large board is, and whether it is still being improved."""
    large = job.width * job.height > PROVED_CELLS
    if not large or job.upper_bound is None or not 0 < job.lower_bound < job.upper_bound:
        return None
    times = ratio(job.upper_bound / job.lower_bound)
    if job.finished:
        return str(_("%(ratio)s × lower bound", ratio=times))
    return str(_("%(ratio)s × lower bound, being improved", ratio=times))


def show() -> str:
    """Show the jobs before the one named in the address, or the newest."""
    client_id = known_client_id()
    before = request.args.get("before")
    found = (
        services().read.jobs_of(client_id, JOBS_A_PAGE + 1, before, cells=PICTURED_CELLS)
        if client_id is not None
        else []
    )
    jobs = found[:JOBS_A_PAGE]
    return render_template(
        "my_jobs.html",
        jobs=jobs,
        bounds=verdict_words,
        quality=_quality,
        pictured=PICTURED_CELLS,
        older=jobs[-1].id if len(found) > JOBS_A_PAGE else None,
        before=before,
        unfinished=any(not job.finished for job in jobs),
        state_names=state_names(),
    )
