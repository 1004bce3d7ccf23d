"""The one task: a ticket's queue name in, one service call, a new ticket where work is left."""

from __future__ import annotations

from collections.abc import Callable

from celery import Celery

from core.services.ports import Tickets
from worker.celery_app import TASK

ServeQueue = Callable[[str], bool]
"""Works on what a queue holds for a second or so; True where more is left."""


def register_task(app: Celery, serve: ServeQueue, tickets: Tickets) -> None:
    """Give the application the task that its tickets name."""

    @app.task(name=TASK)  # type: ignore[untyped-decorator]
    def work(queue: str) -> None:
        if serve(queue):
            tickets.send(queue)
