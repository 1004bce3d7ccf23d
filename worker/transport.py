"""Kombu's Redis transport without the parts that trust the contents of the broker.

Celery receives each message as a new ticket that is created for its queue. The sender decides where
a ticket goes, not a key in the broker. A ticket is removed from the broker when it is taken.
"""

from __future__ import annotations

import base64
import json
import time
from typing import Any, Final
from uuid import uuid4

import structlog
from kombu.transport import redis
from kombu.transport.virtual import Empty
from redis.exceptions import ResponseError

from tilework.worker.celery_app import TASK
from tilework.worker.message_validation import (
    Reject,
    is_wrong_type_error,
    rejection_reason,
    set_aside_wrong_type,
)

_REFUSED_PAUSE_S: Final = 0.5

log = structlog.get_logger()


class TicketChannel(redis.Channel):
    from_transport_options: tuple[str, ...] = (*redis.Channel.from_transport_options, "reject")  # type: ignore[assignment]

    reject: Reject
    ack_emulation = False
    do_restore = False
    priority_steps = [0]  # noqa: RUF012 -- as in kombu
    _is_paused = False

    def _brpop_read(self, **options: Any) -> bool:
        try:
            popped = self.client.parse_response(self.client.connection, "BRPOP", **options)
        except self.connection_errors:
            # Disconnect, so that the next round connects again.
            self.client.connection.disconnect()
            raise
        except ResponseError as error:
            self._recover(error)
            raise Empty from None
        finally:
            self._in_poll = False
        if self._is_paused:
            log.info("the broker accepts commands again")
            self._is_paused = False
        if not popped:
            raise Empty
        queue, message = popped[0].decode(), popped[1]
        self._queue_cycle.rotate(queue)
        reason = rejection_reason(message, queue)
        if reason is not None:
            self.reject(queue, reason, len(message))
            raise Empty
        self.connection._deliver(make_ticket(queue), queue)
        return True

    def _recover(self, error: ResponseError) -> None:
        """Remove the cause of an error if possible, or wait a moment."""
        if is_wrong_type_error(error):
            for queue in self.active_queues:
                with self.conn_or_acquire() as client:
                    set_aside_wrong_type(client, queue, self.reject)
            return
        # For example, the broker cannot write its files.
        if not self._is_paused:
            log.warning("the broker refuses commands; waiting", error=str(error)[:120])
            self._is_paused = True
        time.sleep(_REFUSED_PAUSE_S)

    def _lookup(self, _exchange: str, routing_key: str, _default: str | None = None) -> list[str]:
        return [routing_key]

    def _queue_bind(self, *_details: Any) -> None:
        pass

    def _size(self, _queue: str) -> int:
        return 0  # kombu requests it when a queue is declared, and does not use it


class TicketTransport(redis.Transport):
    Channel = TicketChannel


def make_ticket(queue: str) -> dict[str, Any]:
    """Return a message for a queue, as Celery expects it."""
    name = str(uuid4())
    embedded = {"callbacks": None, "errbacks": None, "chain": None, "chord": None}
    body = json.dumps([[queue], {}, embedded]).encode()
    return {
        "body": base64.b64encode(body).decode(),
        "content-type": "application/json",
        "content-encoding": "utf-8",
        "headers": {"lang": "py", "task": TASK, "id": name, "root_id": name, "parent_id": None},
        "properties": {
            "body_encoding": "base64",
            "correlation_id": name,
            "delivery_tag": name,
            "delivery_info": {"exchange": queue, "routing_key": queue},
        },
    }
