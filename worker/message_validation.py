"""Validates messages from the broker, which may be damaged or sent by another system.

Only the queue name in a message is used. A message that differs from those that
`tilework.worker.tickets` sends is rejected.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable
from typing import Final, Literal

import structlog
from pydantic import Base64Bytes, BaseModel, Field, ValidationError
from redis import Redis
from redis.exceptions import ResponseError

from tilework.worker.celery_app import TASK

MAX_BYTES: Final = 1 << 16
"""Maximum size of a message; a ticket has less than a thousandth of it."""

LOG_INTERVAL_S: Final = 10.0
"""Rejections this soon after a logged one are only counted (seconds)."""

Reject = Callable[[str, str, int], object]
"""Called for each rejected message with its queue, the reason, and its size in bytes."""

log = structlog.get_logger()


class RejectionLog:
    """Logs rejected messages, one line for many of them. Thread-safe."""

    def __init__(self, count: Callable[[str], object] = str) -> None:
        self._count = count
        self._lock = threading.Lock()
        self._unlogged = 0
        self._quiet_until = 0.0

    def __call__(self, queue: str, reason: str, size: int) -> None:
        self._count(queue)
        with self._lock:
            if time.monotonic() < self._quiet_until:
                self._unlogged += 1
                return
            unlogged, self._unlogged = self._unlogged, 0
            self._quiet_until = time.monotonic() + LOG_INTERVAL_S
        # The message itself is not logged: it may be long, or contain a secret.
        details = {"others_before": unlogged} if unlogged else {}
        log.warning("rejected a foreign message", queue=queue, why=reason, bytes=size, **details)


class _Headers(BaseModel):
    task: str


class _Properties(BaseModel):
    body_encoding: Literal["base64"]


class _Envelope(BaseModel):
    body: Base64Bytes
    content_type: Literal["application/json"] = Field(alias="content-type")
    content_encoding: Literal["utf-8"] = Field(alias="content-encoding")
    headers: _Headers
    properties: _Properties


def rejection_reason(message: bytes, queue: str) -> str | None:
    """Return a short reason why a message is not a ticket of its queue; None if it is a ticket."""
    if len(message) > MAX_BYTES:
        return "too long"
    try:
        envelope = _Envelope.model_validate_json(message)
        body = json.loads(envelope.body)
    except ValidationError as error:
        field = ".".join(str(part) for part in error.errors(include_url=False)[0]["loc"])
        return f"not a ticket's {field}" if field else "not the JSON of a ticket"
    except (ValueError, RecursionError):
        return "not JSON in its body"
    if envelope.headers.task != TASK:
        return "an unknown task"
    # Positional arguments, keyword arguments, and Celery's own data.
    if not isinstance(body, list) or len(body) != 3 or body[0] != [queue] or body[1] != {}:
        return "not a ticket's arguments"
    return None


def set_aside_wrong_type(client: Redis, queue: str, reject: Reject) -> None:
    """Rename a queue's key if its value is not a list, because all commands on it would fail."""
    key_type = client.type(queue)
    if key_type in {b"list", "list", b"none", "none"}:
        return
    try:
        client.rename(queue, f"foreign:{queue}")
    except ResponseError:
        return  # another process was faster
    reject(queue, "its key is not a list", 0)


def is_wrong_type_error(error: ResponseError) -> bool:
    return str(error).startswith("WRONGTYPE")
