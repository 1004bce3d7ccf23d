"""The main loop of a worker process: takes tickets one at a time until a signal stops it."""

from __future__ import annotations

import os
import secrets
import socket
import warnings
from collections.abc import Callable, Sequence
from typing import Any

import structlog
from celery import Celery, signals
from celery.apps.worker import Worker
from celery.exceptions import SecurityWarning
from celery.worker import state

from tilework.core.errors import UnavailableError
from tilework.core.services.tickets import Tickets
from tilework.worker.celery_app import TASK
from tilework.worker.shutdown import ShutdownSignal

ServeQueue = Callable[[str], bool]
"""Works on a queue for about a second; returns whether work remains."""

log = structlog.get_logger()


def register_task(app: Celery, serve: ServeQueue, tickets: Tickets) -> None:
    @app.task(name=TASK)  # type: ignore[untyped-decorator]
    def work(queue: str) -> None:
        try:
            has_more = serve(queue)
        except UnavailableError as error:
            # Claims are released when their lease expires; the reconciler sends a new ticket.
            log.warning("work was abandoned", queue=queue, reason=str(error))
            return
        if has_more:
            tickets.send(queue)


class _OneSlotWorker(Worker):  # type: ignore[misc]
    """Celery's worker without its signal handlers; see `worker.shutdown`."""

    def install_platform_tweaks(self, worker: Worker) -> None:
        pass


def _stop_consuming() -> None:
    state.should_stop = os.EX_OK


def owner_name() -> str:
    """Return a new name for the holder of leases, unique among all processes and restarts."""
    return f"{socket.gethostname()}:{os.getpid()}:{secrets.token_hex(4)}"


def consume(
    app: Celery, queues: Sequence[str], should_stop: ShutdownSignal, ready: Callable[[], None]
) -> int:
    """Process tickets until stopped, those of earlier queues first. Return the exit code."""

    def on_ready(**_details: Any) -> None:
        ready()

    def keep_logs(**_details: Any) -> None:
        pass  # with a receiver, Celery does not configure logging itself

    signals.worker_ready.connect(on_ready, weak=False)
    signals.setup_logging.connect(keep_logs, weak=False)
    # Running as root is dangerous with pickled messages, but these are JSON.
    warnings.filterwarnings("ignore", category=SecurityWarning)
    worker = _OneSlotWorker(
        app=app,
        hostname=owner_name(),
        queues=list(queues),
        quiet=True,
        without_gossip=True,
        without_mingle=True,
        without_heartbeat=True,
    )
    should_stop.handle_signals()
    should_stop.on_shutdown(_stop_consuming)
    worker.start()
    return int(worker.exitcode or 0)
