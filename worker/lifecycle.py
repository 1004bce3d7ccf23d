"""A worker process from its first ticket to its last: one slot, any signal is a warm stop."""

from __future__ import annotations

import os
import secrets
import socket
import warnings
from collections.abc import Callable, Sequence
from typing import Any

from celery import Celery, signals
from celery.apps.worker import Worker
from celery.exceptions import SecurityWarning
from celery.worker import state

from tilework.worker.stopping import Stopping


class _OneSlotWorker(Worker):  # type: ignore[misc]
    """Celery's worker, which leaves signals to `tilework.worker.stopping`.

    Celery's own handlers tell SIGTERM from Ctrl-C and a first from a second; here each is a warm
    stop, quick because the running search sees it too and saves its cursor.
    """

    def install_platform_tweaks(self, worker: Worker) -> None:
        pass


def _stop_taking() -> None:
    state.should_stop = os.EX_OK


def owner_name() -> str:
    """Make a name for leases that no other process has, nor this one after a restart."""
    return f"{socket.gethostname()}:{os.getpid()}:{secrets.token_hex(4)}"


def consume(
    app: Celery,
    queues: Sequence[str],
    stopping: Stopping,
    ready: Callable[[], None],
) -> int:
    """Take tickets until told to stop.

    Parameters
    ----------
    queues : sequence of str
        The first that holds a ticket is served first.
    stopping : Stopping
        Handles the signals that end a process from here on, if it does not already.
    ready : callable
        Called once, when the broker was reached for the first time.

    Returns
    -------
    int
        The exit code for the process.
    """

    def on_ready(**_details: Any) -> None:
        ready()

    def keep_logs(**_details: Any) -> None:
        pass  # having a receiver keeps Celery from configuring logs itself

    signals.worker_ready.connect(on_ready, weak=False)
    signals.setup_logging.connect(keep_logs, weak=False)
    # Running as root is dangerous with pickled messages; these are JSON with a queue's name.
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
    stopping.hear_signals()
    stopping.warmly(_stop_taking)
    worker.start()
    return int(worker.exitcode or 0)
