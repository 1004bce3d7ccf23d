"""What the service has done and what it is doing."""

from __future__ import annotations

from flask import render_template

from tilework.web.clients import services
from tilework.web.pages.words import queue_names, state_names


def show() -> str:
    """Show counts by size, the share of cached answers, and the queues."""
    statistics = services().read.statistics()
    return render_template(
        "statistics.html",
        statistics=statistics,
        sizes=sorted(statistics.sizes, key=lambda size: (size.width * size.height, size.width)),
        most=max((size.puzzles for size in statistics.sizes), default=0),
        cached_share=statistics.cached_jobs / statistics.total_jobs
        if statistics.total_jobs
        else 0.0,
        queues=services().read.queues(),
        queue_names=queue_names(),
        state_names=state_names(),
    )
