"""Sends and counts tickets: the services' ``Tickets`` interface over Celery.

Invariant: broker errors raise no exceptions. A ticket that cannot be sent only delays work, which
is already in the database; the reconciler sends another ticket.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Final

import structlog
from kombu import Connection
from redis import Redis
from redis.exceptions import ResponseError

from tilework.core.logs import FailureLog, shorten
from tilework.core.services.tickets import MAX_WAITING, find_remedy
from tilework.worker.app import QUEUES, work

TIMEOUT_S: Final = 0.4
"""Maximum wait for a reply from the broker; a first connection waits for two replies."""

PAUSE_S: Final = 2.0
"""After a failure, the broker is not contacted again for this long."""

_MAX_TICKETS: Final = 50
"""More messages than several senders put into a queue at once: another program's, set aside."""

log = structlog.get_logger()


class CeleryTickets:
    """Tickets over one lazily opened, persistent connection. Thread-safe.

    ``count_foreign``: called with a queue whose key was set aside because another program wrote it.
    """

    def __init__(self, broker_url: str, count_foreign: Callable[[str], object] = str) -> None:
        self._connection = Connection(
            broker_url,
            connect_timeout=TIMEOUT_S,
            # By default, kombu retries forever, which would block the caller.
            transport_options={
                "max_retries": 1,
                "interval_start": 0,
                "interval_step": 0,
                "socket_timeout": TIMEOUT_S,
                "socket_connect_timeout": TIMEOUT_S,
                "socket_keepalive": True,
            },
        )
        self._count_foreign = count_foreign
        self._failures = FailureLog("sending tickets")
        self._down_until = 0.0
        self._reason = ""
        # If the broker hangs, only the first thread waits for the time-out.
        self._lock = threading.Lock()

    def send(self, queue: str, count: int = 1) -> None:
        """Put tickets into a queue, unless it contains enough; failures are only logged."""
        with self._lock:
            waiting = self._depth(queue)
            if waiting is None:
                return
            try:
                # A ticket that waits means that no worker is idle; one more is for the next to be.
                for _ in range(min(count, MAX_WAITING - waiting, count + 1 - waiting)):
                    work.apply_async(queue=queue, connection=self._connection, retry=False)
            except Exception as error:
                self._record_failure(error)
            else:
                self._failures.succeed()

    def depth(self, queue: str) -> int | None:
        with self._lock:
            return self._depth(queue)

    def find_problem(self) -> str | None:
        return find_remedy(self._reason) if self.depth(QUEUES[0]) is None else None

    def close(self) -> None:
        """Close the connection; a later send opens it again."""
        self._connection.close()

    def _depth(self, queue: str) -> int | None:
        if time.monotonic() < self._down_until:
            return None
        try:
            client: Redis = self._connection.default_channel.client  # type: ignore[attr-defined]
            try:
                waiting = int(client.llen(queue))
            except ResponseError as error:
                if not str(error).startswith("WRONGTYPE"):
                    raise
                waiting = _MAX_TICKETS + 1
            if waiting > _MAX_TICKETS:
                self._set_aside(client, queue)
                waiting = 0
        except Exception as error:
            self._record_failure(error)
            return None
        return waiting

    def _set_aside(self, client: Redis, queue: str) -> None:
        """Rename a key that another program wrote, so that workers need not read it."""
        with suppress(ResponseError):  # another process was faster
            client.rename(queue, f"foreign:{queue}")
            self._count_foreign(queue)
            log.warning("another program's data was set aside", queue=queue, as_=f"foreign:{queue}")

    def _record_failure(self, error: Exception) -> None:
        # Whatever failed, the reconciler sends the ticket again.
        self._down_until = time.monotonic() + PAUSE_S
        self._reason = str(error) or type(error).__name__
        self._failures.fail(f"{shorten(self._reason)}; {find_remedy(self._reason)}")
