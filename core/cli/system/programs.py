"""The commands that start each role, by module name: the command line imports neither."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from core.services.states import Queue
from core.settings import Settings

ALL_QUEUES = tuple(Queue)
QUICK_QUEUES = (Queue.INTERACTIVE, Queue.BATCH)
"""Queues of the worker that must always be free for small boards."""

SEARCH_QUEUES = (*QUICK_QUEUES, Queue.SEARCH)
LAB_QUEUES = (Queue.LAB,)
"""Queues of a worker that loads no solver and is occupied by a run for as long as it lasts."""

_SPARE_THREADS = 16
"""Threads for short requests while every long-poll that is allowed holds one."""


def web_command(host: str, port: int, settings: Settings) -> list[str]:
    """Return how to serve the web on a host and port: one process, many blocking threads."""
    options = {
        "interface": "wsgi",
        "host": host,
        "port": port,
        "workers": 1,
        "blocking-threads": settings.max_waiters + _SPARE_THREADS,
        # A long-poll may have twenty seconds to go when the server is told to stop.
        "workers-kill-timeout": 2,
        "log-level": "error",
    }
    flags = [part for name, value in options.items() for part in (f"--{name}", str(value))]
    return [sys.executable, "-m", "granian", *flags, "--no-ws", "--factory", "web.serving:serve"]


def worker_command(queues: Sequence[str], name: str) -> list[str]:
    """Return how to run one worker that serves some queues; the name heads its log lines."""
    return [sys.executable, "-m", "worker", "--queues", ",".join(queues), "--name", name]
