"""Waiting for a job on behalf of a client, with a cap on how many wait at once.

A waiter occupies one of the server's threads. ``tilework up`` and ``tilework web`` start the
server with more threads than there may be waiters, so that other requests always find one.
"""

from __future__ import annotations

import threading
import time
from typing import Final

from flask import Flask, current_app

from core.services.views import JobView
from core.settings import Settings
from web.clients import services

_PLACES: Final = "tilework-waiters"


def install_long_polls(app: Flask, settings: Settings) -> None:
    """Make the places for waiters."""
    app.extensions[_PLACES] = threading.Semaphore(settings.max_waiters)


def follow(job_id: str, version: str | None, seconds: float, *, brief: bool = False) -> JobView:
    """Return a job once its version is another than the one given, or after so many seconds.

    Without a version, the job's end is waited for. Where all places for waiters are taken, the
    job is returned as it stands. A brief view is without the boards.

    Raises
    ------
    NotFoundError
        If there is no such job.
    """
    seconds = min(seconds, services().settings.max_wait_s)
    places: threading.Semaphore = current_app.extensions[_PLACES]
    if seconds <= 0 or not places.acquire(blocking=False):
        return services().read.view(job_id, brief=brief)
    try:
        if version is not None:
            return services().read.wait(job_id, version, seconds, brief=brief)
        return _wait_for_end(job_id, seconds, brief)
    finally:
        places.release()


def _wait_for_end(job_id: str, seconds: float, brief: bool) -> JobView:
    deadline = time.monotonic() + seconds
    view = services().read.view(job_id, brief=brief)
    while not view.finished and (left := deadline - time.monotonic()) > 0:
        view = services().read.wait(job_id, view.version, left, brief=brief)
    return view
