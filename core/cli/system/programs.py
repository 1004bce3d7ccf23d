"""The commands that start each role, by module name: the command line imports neither."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from tilework.core.model.states import Queue

ALL_QUEUES = tuple(Queue)
QUICK_QUEUES = (Queue.INTERACTIVE, Queue.QUICK_ANALYSIS, Queue.BATCH)
"""Queues of the worker that must always be free for small boards."""

SEARCH_QUEUES = (*QUICK_QUEUES, Queue.ANALYSIS, Queue.SEARCH)
LAB_QUEUES = (Queue.LAB,)
"""Queues of a worker that loads no solver and is occupied by a run for as long as it lasts."""


def web_command(host: str, port: int) -> list[str]:
    """Return how to serve the web on a host and port."""
    return [sys.executable, "-m", "tilework.web.server", "--host", host, "--port", str(port)]


def worker_command(queues: Sequence[str], name: str) -> list[str]:
    """Return how to run one worker that serves some queues; the name heads its log lines."""
    return [sys.executable, "-m", "tilework.worker", "--queues", ",".join(queues), "--name", name]
