"""The visitor's own jobs, newest first, a page at a time."""

from __future__ import annotations

from flask import render_template, request

from web.clients import known_client_id, services
from web.pages.job import bounds_words
from web.pages.words import state_names

JOBS_A_PAGE = 20

PICTURED_CELLS = 144
"""Larger boards are only named: their tiles would be too small to tell."""


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
        bounds=bounds_words,
        pictured=PICTURED_CELLS,
        older=jobs[-1].id if len(found) > JOBS_A_PAGE else None,
        before=before,
        unfinished=any(not job.finished for job in jobs),
        state_names=state_names(),
    )
