"""A job's moves as the server writes them, for browsers that run no script."""

from __future__ import annotations

from typing import Final

from tilework.core.formats.letters import letters
from tilework.core.model.job_views import JobView
from tilework.web.clients import services

MOST_SHOWN: Final = 2_000
"""Moves of a longer solution are only there to be downloaded."""


def first_moves(job: JobView) -> str:
    """Return the letters of a job's best solution; empty without one, or where it is long."""
    if job.upper_bound is None or job.upper_bound > MOST_SHOWN:
        return ""
    solution = services().read.solution(job.id)
    return "" if solution is None else "".join(letters(solution.moves))
