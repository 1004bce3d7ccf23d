"""Sending tickets and counting those that wait: the services' ``Tickets`` port over Celery.

Invariant: nothing here raises because of a broker. A ticket that could not be sent is only late:
the work is in the database already and the reconciler mints another.
"""

from __future__ import annotations

import threading
import time
from typing import Final

import structlog
from celery import Celery
from redis import Redis
from redis.exceptions import ResponseError

from tilework.worker.celery_app import QUEUES, TASK, create_publisher
from tilework.worker.foreign import Refusals, Refuse, holds_no_list, set_aside_wrong_type

TIMEOUT_S: Final = 0.4
"""Longest wait for one answer of the broker; a first connection takes two."""

PAUSE_S: Final = 2.0
"""After a failure the broker is not contacted again for this long."""

MOST_WAITING: Final = 8
"""Tickets in a queue beyond which no more are sent.

Whoever takes a waiting ticket looks for work later than now, and works until there is none: a
waiting ticket stands for everything that is committed, and a few of them wake a few workers.
"""

log = structlog.get_logger()


class CeleryTickets:
    """Tickets over one lazily opened, persistent connection; for use by any number of threads.

    Parameters
    ----------
    broker_url : str
        As Celery takes it: ``redis://host:6379/0``, ``redis+socket:///path``.
    refuse : callable, optional
        Told where a queue's key held something else than tickets and was set aside.
    """

    def __init__(self, broker_url: str, refuse: Refuse | None = None) -> None:
        self._app: Celery = create_publisher(broker_url, TIMEOUT_S)
        self._refuse = refuse or Refusals()
        self._down_until = 0.0
        # A broker that hangs then costs only the first thread a time-out.
        self._one_at_a_time = threading.Lock()

    def send(self, queue: str, count: int = 1) -> None:
        """Put tickets into a queue, unless it holds enough.

        A broker that does not answer is logged, not raised.
        """
        with self._one_at_a_time:
            if self._is_down():
                return
            try:
                with self._app.producer_pool.acquire(block=True, timeout=TIMEOUT_S) as producer:
                    waiting = self._waiting(producer.channel.client, queue)
                    for _ in range(min(count, MOST_WAITING - waiting)):
                        self._app.send_task(TASK, (queue,), queue=queue, producer=producer)
            except Exception as error:
                self._note_failure("ticket not sent", queue, error)

    def depth(self, queue: str) -> int | None:
        """Tickets waiting in a queue; None if the broker does not answer."""
        with self._one_at_a_time:
            if self._is_down():
                return None
            try:
                with self._app.producer_pool.acquire(block=True, timeout=TIMEOUT_S) as producer:
                    return self._waiting(producer.channel.client, queue)
            except Exception as error:
                self._note_failure("queue not counted", queue, error)
                return None

    def arrive(self) -> bool:
        """Whether the broker answers."""
        return self.depth(QUEUES[0]) is not None

    def close(self) -> None:
        """Close the connections; a later send opens them again."""
        self._app.close()

    def _waiting(self, client: Redis, queue: str) -> int:
        try:
            return int(client.llen(queue))
        except ResponseError as error:
            if not holds_no_list(error):
                raise
            set_aside_wrong_type(client, queue, self._refuse)
            return 0

    def _is_down(self) -> bool:
        return time.monotonic() < self._down_until

    def _note_failure(self, event: str, queue: str, error: Exception) -> None:
        # Whatever the client library raises, the reconciler makes up for it.
        self._down_until = time.monotonic() + PAUSE_S
        log.warning(event, queue=queue, error=str(error) or type(error).__name__)
