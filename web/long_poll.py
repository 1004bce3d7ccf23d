"""Waiting for work on behalf of a client, with a cap on how many wait at once.

A waiter occupies one of the server's threads, of which there are more than there may be waiters, so
that other requests always find one.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from functools import partial
from typing import Final, TypeVar

from flask import Flask, current_app

from tilework.core.model.comparison_views import ComparisonView
from tilework.core.model.job_views import JobView
from tilework.core.model.questions import AnalysisView, GameSpec, S, WaysSpec
from tilework.core.services.analyses.read import ReadAnalyses
from tilework.core.settings import Settings
from tilework.web.clients import services

Followed = TypeVar(
    "Followed", JobView, ComparisonView, AnalysisView[GameSpec], AnalysisView[WaysSpec]
)

_PLACES: Final = "tilework-waiters"


def install_long_polls(app: Flask, settings: Settings) -> None:
    """Make the limited places for waiters."""
    app.extensions[_PLACES] = threading.Semaphore(settings.max_waiters)


def follow(job_id: str, version: str | None, seconds: float, *, brief: bool = False) -> JobView:
    """Return a job once its version differs from the one given, or after this many seconds.

    Without a version, the job's end is waited for. While all places for waiters are taken, the job
    is returned as it is. A brief view is without the boards.

    Raises
    ------
    NotFoundError
        If there is no such job.
    """
    read = services().read
    return _followed(
        partial(read.view, job_id, brief=brief),
        partial(read.wait, job_id, brief=brief),
        version,
        seconds,
    )


def follow_comparison(comparison_id: str, version: str | None, seconds: float) -> ComparisonView:
    """Return a comparison as `follow` does a job; its end is that of all its runs.

    Raises
    ------
    NotFoundError
        If there is no such comparison.
    """
    read = services().comparisons
    return _followed(
        partial(read.view, comparison_id), partial(read.wait, comparison_id), version, seconds
    )


def follow_analysis(
    read: ReadAnalyses[S], analysis_id: str, version: str | None, seconds: float
) -> AnalysisView[S]:
    """Return an analysis as `follow` does a job.

    Raises
    ------
    NotFoundError
        If there is no such analysis.
    """
    return _followed(
        partial(read.view, analysis_id), partial(read.wait, analysis_id), version, seconds
    )


def _followed(
    look: Callable[[], Followed],
    wait: Callable[[str, float], Followed],
    version: str | None,
    seconds: float,
) -> Followed:
    seconds = min(seconds, services().settings.max_wait_s)
    places: threading.Semaphore = current_app.extensions[_PLACES]
    if seconds <= 0 or not places.acquire(blocking=False):
        return look()
    try:
        return wait(version, seconds) if version is not None else _end(look, wait, seconds)
    finally:
        places.release()


def _end(
    look: Callable[[], Followed], wait: Callable[[str, float], Followed], seconds: float
) -> Followed:
    deadline = time.monotonic() + seconds
    view = look()
    while not view.finished and (left := deadline - time.monotonic()) > 0:
        view = wait(view.version, left)
    return view
