"""A job's player alone, for frames in other sites' pages: it shows, and changes nothing."""

from __future__ import annotations

from uuid import UUID

from flask import render_template

from tilework.web.clients import services
from tilework.web.pages.board_words import plain_goal, plain_tiles
from tilework.web.pages.jobs.verdict import verdict_words
from tilework.web.pages.words import player_words


def show(job_id: UUID) -> str:
    """Show the board, its solution as it is known now, and whose page this is."""
    job = services().read.view(str(job_id))
    return render_template(
        "jobs/embed.html",
        job=job,
        api=f"/api/v1/jobs/{job.id}",
        size=str(job.board.size),
        tiles=plain_tiles(job.board),
        goal_tiles=plain_goal(job.goal),
        verdict=verdict_words(job),
        words=player_words(),
    )
