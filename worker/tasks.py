"""The one task: a ticket's queue name in, one service call, a new ticket where work is left."""

from __future__ import annotations

from collections.abc import Callable

import structlog
from celery import Celery

from tilework.core.errors import UnavailableError
from tilework.core.services.ports import Tickets
from tilework.worker.celery_app import TASK

ServeQueue = Callable[[str], bool]
"""Works on a queue for about a second; True where more is left."""

log = structlog.get_logger()


def register_task(app: Celery, serve: ServeQueue, tickets: Tickets) -> None:
    """Give the application the task that its tickets name."""

    @app.task(name=TASK)  # type: ignore[untyped-decorator]
    def work(queue: str) -> None:
        try:
            more = serve(queue)
        except UnavailableError as error:
            # What was claimed is free again when its lease ends; the reconciler sends a ticket.
            log.warning("work was given up", queue=queue, reason=str(error))
            return
        if more:
            tickets.send(queue)
