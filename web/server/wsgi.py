"""The application called in threads, which clients never keep waiting.

A thread is taken when a body is there as a whole, and given back before an answer is written: the
next piece is asked for, in any thread, once the client has taken the last. Threads share one
processor, so few answers are made at a time, and fewer for one address.
"""

from __future__ import annotations

import asyncio
import re
import sys
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from io import BytesIO
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import unquote_to_bytes

import structlog

from tilework.core.logs import new_error_id

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIApplication, WSGIEnvironment

    from tilework.web.server.connections import Connection


MAX_CONCURRENT: Final = 16
MAX_PER_ADDRESS: Final = 4


@dataclass
class _Own:
    turns: asyncio.Semaphore
    users: int = field(default=0)


class RequestLimiter:
    """Gives turns, in the order in which they are asked for, to so many at once."""

    def __init__(self, of_one: int) -> None:
        self._all = asyncio.Semaphore(MAX_CONCURRENT)
        self._of_one = of_one
        self._own: dict[str, _Own] = {}

    @asynccontextmanager
    async def turn(self, address: str) -> AsyncIterator[None]:
        own = self._own.setdefault(address, _Own(asyncio.Semaphore(self._of_one)))
        own.users += 1
        try:
            async with own.turns, self._all:
                yield
        finally:
            own.users -= 1
            if not own.users:
                del self._own[address]


CONNECTION: Final = "tilework.connection"
"""Where a scope has its connection."""

_PART_BYTES: Final = 1 << 16
"""Of an answer, in the buffers of a connection."""

_OPEN_BYTES: Final = 8 << 20
"""What the application may keep for an answer whose next piece is yet to be made."""

_POLLED: Final = re.compile(r"/api/v1/(?:(?:jobs|comparisons|analyses|ways)/[0-9a-fA-F-]+|hints)")

log = structlog.get_logger()


class ThreadedApp:
    """An ASGI application that calls a WSGI one; `waiters` long-polls have extra threads."""

    def __init__(
        self, app: WSGIApplication, waiters: int, limiter: RequestLimiter, most_bytes: int
    ) -> None:
        self._app = app
        self._pool = ThreadPoolExecutor(waiters + MAX_CONCURRENT, thread_name_prefix="web")
        self._limiter = limiter
        self._most_bytes = most_bytes

    async def __call__(
        self, scope: dict[str, Any], receive: Callable[[], Any], send: Callable[[Any], Any]
    ) -> None:
        environ = _environ(scope)
        body = await self._body(environ, receive)
        if body is None:
            return
        connection: Connection = scope[CONNECTION]
        answer = _Answer(self._app, environ, body)
        piece = await self._call(answer.first, connection, waits=_waits(environ))
        begin = {"type": "http.response.start", "status": answer.status, "headers": answer.headers}
        try:
            if connection.lost:
                return
            await send(begin)
            while piece is not None:
                connection.hold(len(piece) + (_OPEN_BYTES if answer.more else 0))
                for part in _parts(piece):
                    if connection.lost:
                        return
                    # Returns once what was sent before is on its way.
                    await send({"type": "http.response.body", "body": part, "more_body": True})
                piece = await self._call(answer.next, connection) if answer.more else None
            if answer.broken:
                connection.drop()
            elif not connection.lost:
                await send({"type": "http.response.body", "body": b""})
        finally:
            connection.hold(0)
            if answer.more:
                asyncio.get_running_loop().run_in_executor(self._pool, answer.close)

    async def _call(
        self, make: Callable[[], bytes | None], connection: Connection, *, waits: bool = False
    ) -> bytes | None:
        """Have a piece made in a thread; None where nobody waits for it any more."""
        loop = asyncio.get_running_loop()
        if waits:
            return await loop.run_in_executor(self._pool, make)
        async with self._limiter.turn(connection.address):
            if connection.lost:
                return None
            return await loop.run_in_executor(self._pool, make)

    async def _body(self, environ: WSGIEnvironment, receive: Callable[[], Any]) -> bytearray | None:
        """Read the body; None where the client went away."""
        body = bytearray()
        if not environ.get("CONTENT_LENGTH") and "HTTP_TRANSFER_ENCODING" not in environ:
            return body
        if (declared := environ.get("CONTENT_LENGTH", "0")).isdigit() and (
            int(declared) > self._most_bytes
        ):
            return body
        more = True
        while more and len(body) <= self._most_bytes:
            event = await receive()
            if event["type"] == "http.disconnect":
                return None
            body += event["body"]
            more = event["more_body"]
        environ["CONTENT_LENGTH"] = str(len(body))
        environ.pop("HTTP_TRANSFER_ENCODING", None)
        return body


class _Answer:
    """One call of the application; its methods run in the threads."""

    def __init__(self, app: WSGIApplication, environ: WSGIEnvironment, body: bytearray) -> None:
        self._app = app
        self._environ = environ
        self._environ["wsgi.input"] = BytesIO(body)
        self._pieces: Iterable[bytes] = ()
        self._iterator: Iterator[bytes] = iter(())
        self._left: int | None = None
        self.status = 500
        self.headers: list[tuple[bytes, bytes]] = []
        self.more = True
        self.broken = False

    def first(self) -> bytes | None:
        try:
            self._pieces = self._app(self._environ, self._start)
            self._iterator = iter(self._pieces)
        except Exception as error:
            self._note(error)
            self.status = 500
            self.headers = [(b"content-type", b"text/plain"), (b"content-length", b"0")]
            self.close()
            return None
        return self.next()

    def next(self) -> bytes | None:
        """Return the next piece that is not empty; None after the last."""
        try:
            piece = next(filter(None, self._iterator), None)
        except Exception as error:
            # Its status was sent; only a connection that breaks off can tell the client.
            self._note(error)
            self.broken = True
            piece = None
        if piece is not None and self._left is not None:
            self._left -= len(piece)
        if piece is None or self._left == 0:
            self.close()
        return piece

    def close(self) -> None:
        self.more = False
        close = getattr(self._pieces, "close", None)
        if close is not None:
            try:
                close()
            except Exception as error:
                self._note(error)

    def _start(self, status: str, headers: list[tuple[str, str]], *_error: object) -> Any:
        self.status = int(status[:3])
        self.headers = [
            (name.lower().encode("latin-1"), value.encode("latin-1")) for name, value in headers
        ]
        length = dict(self.headers).get(b"content-length")
        self._left = int(length) if length is not None else None

    def _note(self, error: Exception) -> None:
        path = self._environ["PATH_INFO"][:200]
        log.error("no answer was made", path=path, error_id=new_error_id(), exc_info=error)


def _waits(environ: WSGIEnvironment) -> bool:
    """Whether this is a long-poll, which takes a thread but hardly any of its time."""
    return (
        "wait=" in environ["QUERY_STRING"] and _POLLED.fullmatch(environ["PATH_INFO"]) is not None
    )


def _parts(piece: bytes) -> Iterable[bytes]:
    if len(piece) <= _PART_BYTES:
        return (piece,)
    return (piece[start : start + _PART_BYTES] for start in range(0, len(piece), _PART_BYTES))


def _environ(scope: dict[str, Any]) -> WSGIEnvironment:
    client = scope["client"] or ("", 0)
    server = scope["server"] or ("", 0)
    environ: WSGIEnvironment = {
        "REQUEST_METHOD": scope["method"],
        "SCRIPT_NAME": "",
        "PATH_INFO": unquote_to_bytes(scope["raw_path"]).decode("latin-1"),
        "QUERY_STRING": scope["query_string"].decode("latin-1"),
        "SERVER_PROTOCOL": f"HTTP/{scope['http_version']}",
        "SERVER_NAME": server[0],
        "SERVER_PORT": str(server[1]),
        "REMOTE_ADDR": client[0],
        "REMOTE_PORT": str(client[1]),
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": scope["scheme"],
        "wsgi.errors": sys.stderr,
        "wsgi.multithread": True,
        "wsgi.multiprocess": False,
        "wsgi.run_once": False,
    }
    for name, value in scope["headers"]:
        if b"_" in name:  # it would pass for the one with hyphens
            continue
        key = name.decode("latin-1").upper().replace("-", "_")
        if key not in ("CONTENT_TYPE", "CONTENT_LENGTH"):
            key = f"HTTP_{key}"
        text = value.decode("latin-1")
        joint = "; " if key == "HTTP_COOKIE" else ","
        environ[key] = f"{environ[key]}{joint}{text}" if key in environ else text
    return environ
