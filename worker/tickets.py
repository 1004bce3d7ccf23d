"""Sends and counts tickets: the services' ``Tickets`` interface over Celery.

Invariant: broker errors raise no exceptions. A ticket that cannot be sent only delays work, which
is already in the database; the reconciler sends another ticket.
"""

from __future__ import annotations

import json
import threading
import time
from collections import Counter
from typing import Final

from celery import Celery
from redis import Redis
from redis.exceptions import ResponseError

from tilework.core.failure_log import FailureLog
from tilework.core.services.tickets import MAX_WAITING, Tickets
from tilework.worker.celery_app import QUEUES, create_publisher
from tilework.worker.message_validation import (
    Reject,
    RejectionLog,
    is_wrong_type_error,
    set_aside_wrong_type,
)
from tilework.worker.transport import make_ticket

TIMEOUT_S: Final = 0.4
"""Maximum wait for a reply from the broker; a first connection waits for two replies."""

PAUSE_S: Final = 2.0
"""After a failure, the broker is not contacted again for this long."""


class CeleryTickets:
    """Tickets over one lazily opened, persistent connection. Thread-safe."""

    def __init__(self, broker_url: str, reject: Reject | None = None) -> None:
        self._app: Celery = create_publisher(broker_url, TIMEOUT_S)
        self._reject = reject or RejectionLog()
        self._failures = FailureLog("sending tickets")
        self._down_until = 0.0
        # If the broker hangs, only the first thread waits for the time-out.
        self._lock = threading.Lock()

    def send(self, queue: str, count: int = 1) -> None:
        """Put tickets into a queue, unless it contains enough; failures are only logged."""
        message = json.dumps(make_ticket(queue))
        with self._lock:
            if self._is_down():
                return
            try:
                with self._app.producer_pool.acquire(block=True, timeout=TIMEOUT_S) as producer:
                    client: Redis = producer.channel.client
                    missing = min(count, MAX_WAITING - self._waiting(client, queue))
                    if missing > 0:
                        client.lpush(queue, *[message] * missing)
            except Exception as error:
                self._record_failure(error)
            else:
                self._failures.succeed()

    def depth(self, queue: str) -> int | None:
        with self._lock:
            if self._is_down():
                return None
            try:
                with self._app.producer_pool.acquire(block=True, timeout=TIMEOUT_S) as producer:
                    return self._waiting(producer.channel.client, queue)
            except Exception as error:
                self._record_failure(error)
                return None

    def is_available(self) -> bool:
        return self.depth(QUEUES[0]) is not None

    def close(self) -> None:
        """Close the connections; a later send opens them again."""
        self._app.close()

    def _waiting(self, client: Redis, queue: str) -> int:
        try:
            return int(client.llen(queue))
        except ResponseError as error:
            if not is_wrong_type_error(error):
                raise
            set_aside_wrong_type(client, queue, self._reject)
            return 0

    def _is_down(self) -> bool:
        return time.monotonic() < self._down_until

    def _record_failure(self, error: Exception) -> None:
        # Whatever failed, the reconciler sends the ticket again.
        self._down_until = time.monotonic() + PAUSE_S
        self._failures.fail(str(error) or type(error).__name__)


class TicketSender:
    """Sends tickets asynchronously. Thread-safe."""

    def __init__(self, tickets: Tickets) -> None:
        self._tickets = tickets
        self._pending: Counter[str] = Counter()
        self._added = threading.Condition()
        self._thread: threading.Thread | None = None

    def send(self, queue: str, count: int = 1) -> None:
        """Send tickets to a queue as soon as the previous ones have been sent."""
        with self._added:
            self._pending[queue] += count
            if self._thread is None:
                # Started on first use, because threads do not survive a fork.
                self._thread = threading.Thread(target=self._run, name="tickets", daemon=True)
                self._thread.start()
            self._added.notify()

    def depth(self, queue: str) -> int | None:
        return self._tickets.depth(queue)

    def is_available(self) -> bool:
        return self._tickets.is_available()

    def _run(self) -> None:
        while True:
            with self._added:
                while not self._pending:
                    self._added.wait()
                pending, self._pending = self._pending, Counter()
            for queue, count in pending.items():
                self._tickets.send(queue, count)
