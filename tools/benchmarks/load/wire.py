"""A kept connection that costs little: what is measured shares two cores with who measures."""

from __future__ import annotations

import asyncio
import json
import time
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any, Final, cast

_HEAD_END: Final = b"\r\n\r\n"
_LAST_CHUNK: Final = b"0\r\n\r\n"


@dataclass(frozen=True, slots=True)
class Answer:
    """A status, a head and a body; one that came in chunks is left in them."""

    status: int
    head: bytes
    body: bytes

    def header(self, name: str) -> str | None:
        """Return what the head says under a name."""
        for line in self.head.split(b"\r\n")[1:]:
            found, _, value = line.partition(b":")
            if found.lower() == name.lower().encode():
                return value.strip().decode()
        return None

    def document(self) -> Any:
        """Return the body, read as JSON."""
        return json.loads(self.body)


class RefusedError(Exception):
    """An answer other than those that were to be expected."""


class Connection(asyncio.Protocol):
    """One connection, with at most one request under way."""

    def __init__(self) -> None:
        self._transport: asyncio.Transport | None = None
        self._answer: asyncio.Future[Answer] | None = None
        self._read = bytearray()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)

    def data_received(self, data: bytes) -> None:
        self._read += data
        end = self._read.find(_HEAD_END)
        if end < 0 or self._answer is None:
            return
        head = bytes(self._read[:end])
        begin = end + len(_HEAD_END)
        length = _length(head)
        if length is None and not self._read.endswith(_LAST_CHUNK):
            return
        if length is not None and len(self._read) < begin + length:
            return
        answer, self._answer = self._answer, None
        body = bytes(self._read[begin:])
        self._read.clear()
        if not answer.done():
            answer.set_result(Answer(int(head[9:12]), head, body))

    def connection_lost(self, exc: Exception | None) -> None:
        self._transport = None
        if self._answer is not None and not self._answer.done():
            self._answer.set_exception(exc or ConnectionResetError("closed by the server"))

    async def ask(self, request: bytes) -> Answer:
        """Send a request and return its answer."""
        if self._transport is None:
            raise ConnectionResetError("closed by the server")
        self._answer = asyncio.get_running_loop().create_future()
        self._transport.write(request)
        return await self._answer

    def close(self) -> None:
        if self._transport is not None:
            self._transport.close()


def _length(head: bytes) -> int | None:
    """Return the length of the body behind a head; None of one that comes in chunks."""
    lower = head.lower()
    at = lower.find(b"\r\ncontent-length:")
    if at >= 0 and int(head[9:12]) != HTTPStatus.NOT_MODIFIED:
        return int(lower[at + 17 :].split(b"\r\n", 1)[0])
    return None if b"\r\ntransfer-encoding:" in lower else 0


@dataclass
class Tally:
    """What one client process saw: milliseconds by what was done, and errors by what they were."""

    times: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    errors: Counter[str] = field(default_factory=Counter)
    seconds: float = 0.0
    processor_s: float = 0.0


@dataclass
class Caller:
    """A client of the service: a connection, a cookie, and the tally it writes to."""

    server: str
    connection: Connection
    tally: Tally
    cookie: str = ""

    async def ask(
        self, method: str, path: str, document: object = None, *, etag: str = ""
    ) -> Answer:
        """Send a request as this client, whatever its answer may be."""
        head = f"{method} {path} HTTP/1.1\r\nHost: {self.server}\r\n{self.cookie}"
        if etag:
            head += f"If-None-Match: {etag}\r\n"
        body = b""
        if document is not None:
            body = json.dumps(document).encode()
            head += f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n"
        answer = await self.connection.ask(head.encode() + b"\r\n" + body)
        if not self.cookie and (given := answer.header("Set-Cookie")):
            self.cookie = f"Cookie: {given.split(';')[0]}\r\n"
        return answer

    async def expect(
        self, statuses: tuple[int, ...], method: str, path: str, document: object = None, **how: str
    ) -> Answer:
        """Send a request that is to be answered with one of these statuses."""
        answer = await self.ask(method, path, document, **how)
        if answer.status not in statuses:
            address = path.partition("?")[0].split("/")[:4]
            raise RefusedError(f"{method} {'/'.join(address)} answered {answer.status}")
        return answer

    def note(self, what: str, began: float) -> None:
        """Note that something is done, which began at a time of ``perf_counter``."""
        self.tally.times[what].append((time.perf_counter() - began) * 1_000)


async def opened(server: str, tally: Tally) -> Caller:
    """Open a connection for a client of its own."""
    host, _, port = server.partition(":")
    loop = asyncio.get_running_loop()
    _, connection = await loop.create_connection(Connection, host, int(port))
    return Caller(server, connection, tally)
