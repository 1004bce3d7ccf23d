"""Connections, and what is done about clients that let us wait.

A client may take `Patience.seconds` for a head. While it sends a body or takes an answer it may
fall behind by as much, at `LEAST_RATE`. Where there are too many connections, or too much is held
for them, the one goes that has let us wait longest; who waits for us is never cut. Heads that two
servers may read differently are refused (RFC 9112, 3.2, 6.1 and 11.2).
"""

from __future__ import annotations

import asyncio
import json
import socket
import struct
import time
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import httptools
import structlog
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from tilework.web.problems import MALFORMED, MEDIA_TYPE
from tilework.web.server.wsgi import CONNECTION

if TYPE_CHECKING:
    from uvicorn.config import Config
    from uvicorn.server import ServerState


LEAST_RATE: Final = 4_096
"""Bytes a second that a client sends or takes on average."""

_LONGEST_HEAD: Final = 1 << 16
_ROUND_S: Final = 0.5
_MUCH_BYTES: Final = 1 << 16
_AT_ONCE: Final = struct.pack("ii", 1, 0)

_LATE: Final = b"HTTP/1.1 408 Request Timeout\r\nconnection: close\r\ncontent-length: 0\r\n\r\n"
_LONG: Final = (
    b"HTTP/1.1 431 Request Header Fields Too Large\r\n"
    b"connection: close\r\ncontent-length: 0\r\n\r\n"
)
_FULL: Final = (
    b"HTTP/1.1 503 Service Unavailable\r\n"
    b"retry-after: 2\r\nconnection: close\r\ncontent-length: 0\r\n\r\n"
)

log = structlog.get_logger()


@dataclass(frozen=True)
class ConnectionLimits:
    seconds: float
    connections: int  # in all
    of_one_address: int
    # Of bodies that are not whole yet and of answers that are not taken yet, of all clients.
    held_bytes: int = 128 << 20


class ConnectionPool:
    def __init__(self, patience: ConnectionLimits) -> None:
        self.patience = patience
        self._all: dict[Connection, None] = {}
        self._of: defaultdict[str, dict[Connection, None]] = defaultdict(dict)
        self._held = 0
        self._rounds: asyncio.TimerHandle | None = None

    def admit(self, new: Connection) -> bool:
        """Take a connection in, for which another may have to go; False where none can."""
        own = self._of[new.address]
        for group, most in (
            (own, self.patience.of_one_address),
            (self._all, self.patience.connections),
        ):
            if len(group) >= most and not _drop_slowest(group):
                return False
        self._all[new] = own[new] = None
        if self._rounds is None:
            self._rounds = new.loop.call_later(_ROUND_S, self._go_round, new.loop)
        return True

    def forget(self, gone: Connection) -> None:
        if self._all.pop(gone, True) is None:
            self._held -= gone.held
            own = self._of[gone.address]
            own.pop(gone, None)
            if not own:
                del self._of[gone.address]

    def change(self, count: int) -> None:
        """Count bytes that are held for a client, or no longer held."""
        self._held += count
        while self._held > self.patience.held_bytes and _drop_slowest(
            {one: None for one in self._all if one.held >= _MUCH_BYTES}
        ):
            pass

    def _go_round(self, loop: asyncio.AbstractEventLoop) -> None:
        now = time.monotonic()
        for connection in list(self._all):
            connection.look(now, self.patience.seconds)
        self._rounds = loop.call_later(_ROUND_S, self._go_round, loop) if self._all else None


def _drop_slowest(group: dict[Connection, None]) -> bool:
    waiting = [(since, one) for one in group if (since := one.waits_since) is not None]
    if not waiting:
        return False
    min(waiting, key=lambda pair: pair[0])[1].drop()
    return True


class Connection(HttpToolsProtocol):
    """One connection; the server makes it, `watch` is set before."""

    watch: ConnectionPool

    def __init__(
        self,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        super().__init__(config, server_state, app_state, _loop)
        self.address = ""
        self.lost = False
        self.held = 0
        # What we wait for, since when, and how much of it has come.
        self._phase = "head"
        self._since = time.monotonic()
        self._come = 0
        self._head_fault: str | None = None
        # The same of what the client has not taken yet.
        self._takes_since: float | None = None
        self._pending = 0
        self._taken = 0

    @property
    def waits_since(self) -> float | None:
        """Since when we wait for the client; None while it waits for us."""
        self._look_at_answer(time.monotonic())
        if self._takes_since is not None:
            return self._takes_since
        return None if self._phase == "answer" or self.pipeline else self._since

    def hold(self, count: int) -> None:
        if not self.lost:
            change, self.held = count - self.held, count
            self.watch.change(change)

    def drop(self) -> None:
        if not self.lost:
            self.lost = True
            self.watch.forget(self)
            # The system would keep what is not taken, and say nothing to the client.
            found = self.transport.get_extra_info("socket")
            found.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _AT_ONCE)
            self.transport.abort()

    def look(self, now: float, patience_s: float) -> None:
        """Close the connection if the client has let us wait too long; called every half second."""
        self._look_at_answer(now)
        if self._takes_since is not None:
            if now - self._takes_since > patience_s + self._taken / LEAST_RATE:
                self.drop()
        elif (
            self._phase != "answer"
            and not self.pipeline
            and now - self._since > patience_s + self._come / LEAST_RATE
        ):
            self._refuse(_LATE)

    def _look_at_answer(self, now: float) -> None:
        pending = 0 if self.lost else self.transport.get_write_buffer_size()
        if not pending:
            self._takes_since = None
            answered = self.cycle is not None and self.cycle.response_complete
            if self._phase == "answer" and answered and not self.transport.is_closing():
                self._await("idle")
        elif self._takes_since is None:
            self._takes_since, self._taken = now, 0
        else:
            self._taken += max(0, self._pending - pending)
        self._pending = pending

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self.address = self.client[0] if self.client else ""
        if not self.watch.admit(self):
            self._refuse(_FULL)

    def connection_lost(self, exc: Exception | None) -> None:
        self.lost = True
        self.watch.forget(self)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if self.lost or self.transport.is_closing():
            return
        if self._phase == "idle":
            self._await("head")
        if self._phase == "head" and self._come > _LONGEST_HEAD:
            self._refuse(_LONG)
            return
        self._come += len(data)
        super().data_received(data)

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self.scope[CONNECTION] = self  # type: ignore[typeddict-unknown-key]

    def on_headers_complete(self) -> None:
        self._head_fault = head_fault(self.parser.get_http_version(), self.headers)
        if self._head_fault is not None:
            raise httptools.HttpParserError(self._head_fault)
        super().on_headers_complete()
        self._await("body")

    def send_400_response(self, msg: str) -> None:
        """Answer what is not HTTP, or not as we take it, and close."""
        self._refuse(bad_request(self._head_fault or msg))

    def on_body(self, body: bytes) -> None:
        super().on_body(body)
        if not self.cycle.response_complete:
            self.hold(self.held + len(body))

    def on_message_complete(self) -> None:
        super().on_message_complete()
        self._phase = "answer"

    def _await(self, phase: str) -> None:
        self._phase, self._since, self._come = phase, time.monotonic(), 0

    def _refuse(self, answer: bytes) -> None:
        self._phase = "answer"
        self.transport.write(answer)
        self.transport.close()


def head_fault(version: str, headers: Sequence[tuple[bytes, bytes]]) -> str | None:
    """Say what is wrong with a head, whose names are in lower case; None where nothing is."""
    names = [name for name, _ in headers]
    hosts = names.count(b"host")
    if hosts > 1 or (hosts == 0 and version == "1.1"):
        return f"an HTTP/{version} request has exactly one Host header; this one has {hosts}"
    if version == "1.0" and b"transfer-encoding" in names:
        return "HTTP/1.0 has no Transfer-Encoding; send a Content-Length, or use HTTP/1.1"
    return None


def bad_request(detail: str) -> bytes:
    document = {
        "type": MALFORMED.type,
        "title": MALFORMED.title,
        "status": MALFORMED.status,
        "detail": detail,
        "code": MALFORMED.name,
    }
    body = json.dumps(document).encode()
    head = (
        "HTTP/1.1 400 Bad Request\r\n"
        f"content-type: {MEDIA_TYPE}\r\ncontent-length: {len(body)}\r\nconnection: close\r\n\r\n"
    )
    return head.encode() + body
