"""Connections, and protection against slow clients.

A client has `client_patience_s` to send a request head. A body and a response have the same
time again, plus the time that they take at `MIN_RATE`. If there are too many connections, or too
many bytes are buffered for them, the connection that has kept the server waiting longest is closed.
A client that waits for the server is never disconnected. Ambiguous request heads are rejected
(RFC 9112, 3.2, 6.1 and 11.2).
"""

from __future__ import annotations

import asyncio
import json
import socket
import struct
import time
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Final

import httptools
import structlog
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from tilework.web.limits import limited_address
from tilework.web.problems import MALFORMED_REQUEST, MEDIA_TYPE
from tilework.web.server.wsgi import CONNECTION

if TYPE_CHECKING:
    from uvicorn.config import Config
    from uvicorn.server import ServerState


MIN_RATE: Final = 4_096
"""The average rate at which a client must send or receive (bytes per second)."""

_MAX_HEAD_BYTES: Final = 1 << 16
_CHECK_INTERVAL_S: Final = 0.5
_LARGE_BUFFER_BYTES: Final = 1 << 16
_NO_LINGER: Final = struct.pack("ii", 1, 0)

_REQUEST_TIMEOUT: Final = (
    b"HTTP/1.1 408 Request Timeout\r\nconnection: close\r\ncontent-length: 0\r\n\r\n"
)
_HEAD_TOO_LARGE: Final = (
    b"HTTP/1.1 431 Request Header Fields Too Large\r\n"
    b"connection: close\r\ncontent-length: 0\r\n\r\n"
)
_SERVICE_UNAVAILABLE: Final = (
    b"HTTP/1.1 503 Service Unavailable\r\n"
    b"retry-after: 2\r\nconnection: close\r\ncontent-length: 0\r\n\r\n"
)

log = structlog.get_logger()


class ConnectionPool:
    def __init__(self, seconds: float, connections: int, per_address: int) -> None:
        self._seconds = seconds
        self._limit, self._address_limit = connections, per_address
        # For incomplete bodies and responses not yet received, for all clients together.
        self.max_buffered_bytes = 128 << 20
        self._all: dict[Connection, None] = {}
        self._by_address: defaultdict[str, dict[Connection, None]] = defaultdict(dict)
        self._buffered = 0
        self._timer: asyncio.TimerHandle | None = None

    def admit(self, new: Connection) -> bool:
        """Add a connection, closing another one if necessary. Return False if it is rejected."""
        same_address = self._by_address[new.address]
        for group, maximum in (
            (same_address, self._address_limit),
            (self._all, self._limit),
        ):
            if len(group) >= maximum and not self.drop_slowest(group):
                return False
        self._all[new] = same_address[new] = None
        if self._timer is None:
            self._timer = new.loop.call_later(_CHECK_INTERVAL_S, self._check_all, new.loop)
        return True

    def remove(self, connection: Connection) -> None:
        if self._all.pop(connection, True) is None:
            self._buffered -= connection.buffered
            same_address = self._by_address[connection.address]
            same_address.pop(connection, None)
            if not same_address:
                del self._by_address[connection.address]

    def count_buffered(self, change: int) -> None:
        """Add to the number of buffered bytes, and close slow connections if there are too many."""
        self._buffered += change
        while self._buffered > self.max_buffered_bytes and self.drop_slowest(
            [entry for entry in self._all if entry.buffered >= _LARGE_BUFFER_BYTES]
        ):
            pass

    @staticmethod
    def drop_slowest(group: Iterable[Connection], seconds: float = 0.0) -> bool:
        """Close the connection that has kept the server waiting longest, for at least `seconds`."""
        slowest, since = None, time.monotonic() - seconds
        for connection in group:
            waiting_since = connection.waiting_since
            if waiting_since is not None and waiting_since <= since:
                slowest, since = connection, waiting_since
        if slowest is not None:
            slowest.drop()
        return slowest is not None

    def _check_all(self, loop: asyncio.AbstractEventLoop) -> None:
        now = time.monotonic()
        for connection in list(self._all):
            connection.check_timeout(now, self._seconds)
        self._timer = (
            loop.call_later(_CHECK_INTERVAL_S, self._check_all, loop) if self._all else None
        )


class Connection(HttpToolsProtocol):
    """One connection. uvicorn creates it; `pool` is set in a subclass."""

    pool: ConnectionPool

    def __init__(
        self,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        super().__init__(config, server_state, app_state, _loop)
        self.address = ""
        self.is_lost = False
        self.closing = asyncio.Event()
        self.buffered = 0
        # The phase of the request, when it started, and the bytes received since.
        self._phase = "head"
        self._phase_start = time.monotonic()
        self._received = 0
        # The bytes received since the end of a head or of a part of a body.
        self._unparsed = 0
        self._head_error: str | None = None
        # When the client started to receive the response, the bytes still to send, and those sent.
        self._sending_since: float | None = None
        self._pending = 0
        self._sent = 0

    @property
    def waiting_since(self) -> float | None:
        """When the server started to wait for the client, or None if it is not waiting."""
        self._check_response(time.monotonic())
        if self._sending_since is not None:
            return self._sending_since
        return None if self._phase == "response" or self.pipeline else self._phase_start

    def set_buffered(self, count: int) -> None:
        if not self.is_lost:
            change, self.buffered = count - self.buffered, count
            self.pool.count_buffered(change)

    def shutdown(self) -> None:
        super().shutdown()
        self.closing.set()

    def drop(self) -> None:
        if not self.is_lost:
            self.is_lost = True
            self.closing.set()
            self.pool.remove(self)
            # Otherwise, the system would keep trying to send the buffered data.
            client_socket = self.transport.get_extra_info("socket")
            client_socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _NO_LINGER)
            self.transport.abort()

    def check_timeout(self, now: float, timeout_s: float) -> None:
        """Close the connection if the client has kept the server waiting for too long."""
        self._check_response(now)
        if self._sending_since is not None:
            if now - self._sending_since > timeout_s + self._sent / MIN_RATE:
                self.drop()
        elif (
            self._phase != "response"
            and not self.pipeline
            and now - self._phase_start > timeout_s + self._received / MIN_RATE
        ):
            self._reject(_REQUEST_TIMEOUT)

    def _check_response(self, now: float) -> None:
        pending = 0 if self.is_lost else self.transport.get_write_buffer_size()
        if not pending:
            self._sending_since = None
            complete = self.cycle is not None and self.cycle.response_complete
            if self._phase == "response" and complete and not self.transport.is_closing():
                self._start_phase("idle")
        elif self._sending_since is None:
            self._sending_since, self._sent = now, 0
        else:
            self._sent += max(0, self._pending - pending)
        self._pending = pending

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self.address = limited_address(self.client[0]) if self.client else ""
        if not self.pool.admit(self):
            self._reject(_SERVICE_UNAVAILABLE)

    def connection_lost(self, exc: Exception | None) -> None:
        self.is_lost = True
        self.closing.set()
        self.pool.remove(self)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if self.is_lost or self.transport.is_closing():
            return
        if self._phase == "idle":
            self._start_phase("head")
        if self._unparsed > _MAX_HEAD_BYTES:
            if self._phase == "response":
                self.drop()
            else:
                self._reject(_HEAD_TOO_LARGE)
            return
        self._received += len(data)
        self._unparsed += len(data)
        super().data_received(data)

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self.scope[CONNECTION] = self  # type: ignore[typeddict-unknown-key]

    def on_headers_complete(self) -> None:
        self._head_error = find_head_error(self.parser.get_http_version(), self.headers)
        if self._head_error is not None:
            raise httptools.HttpParserError(self._head_error)
        super().on_headers_complete()
        self.headers = []  # for the trailers of the body, which are ignored
        self._start_phase("body")
        self._unparsed = 0

    def send_400_response(self, msg: str) -> None:
        self._reject(make_bad_request_response(self._head_error or msg))

    def on_body(self, body: bytes) -> None:
        super().on_body(body)
        self._unparsed = 0
        if not self.cycle.response_complete:
            self.set_buffered(self.buffered + len(body))

    def on_message_complete(self) -> None:
        super().on_message_complete()
        self._phase = "response"
        self._unparsed = 0

    def _start_phase(self, phase: str) -> None:
        self._phase, self._phase_start, self._received = phase, time.monotonic(), 0

    def _reject(self, response: bytes) -> None:
        self._phase = "response"
        self.transport.write(response)
        self.transport.close()


def find_head_error(version: str, headers: Sequence[tuple[bytes, bytes]]) -> str | None:
    """Return why a request head is rejected, or None. The names are in lower case."""
    names = [name for name, _ in headers]
    hosts = names.count(b"host")
    if hosts > 1 or (hosts == 0 and version == "1.1"):
        return f"an HTTP/{version} request has exactly one Host header; this one has {hosts}"
    if version == "1.0" and b"transfer-encoding" in names:
        return "HTTP/1.0 has no Transfer-Encoding; send a Content-Length, or use HTTP/1.1"
    return None


def make_bad_request_response(detail: str) -> bytes:
    document = {
        "type": MALFORMED_REQUEST.type,
        "title": MALFORMED_REQUEST.title,
        "status": MALFORMED_REQUEST.status,
        "detail": detail,
        "code": MALFORMED_REQUEST.name,
    }
    body = json.dumps(document).encode()
    head = (
        "HTTP/1.1 400 Bad Request\r\n"
        f"content-type: {MEDIA_TYPE}\r\ncontent-length: {len(body)}\r\nconnection: close\r\n\r\n"
    )
    return head.encode() + body
