"""Running the WSGI application in threads, which never wait for clients.

A thread is used only once a body is complete, and is released before the response is sent: the next
part of a response is created, in any thread, once the client has received the previous one. If the
iterable that the application returns has a coroutine method `wait`, it is awaited before.
"""

from __future__ import annotations

import asyncio
import re
import sys
from collections.abc import AsyncIterator, Callable, Coroutine, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from dataclasses import dataclass
from io import BytesIO
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import parse_qs, unquote_to_bytes

import structlog

from tilework.core.logs import new_error_id

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIApplication, WSGIEnvironment

    from tilework.core.settings import Settings
    from tilework.web.server.connections import Connection

MAX_CONCURRENT: Final = 16
MAX_PER_ADDRESS: Final = 4

MAX_BATCHES: Final = 4
MAX_BATCHES_PER_ADDRESS: Final = 2
"""Storing a batch takes seconds, mostly pauses, so batches have slots of their own."""

MAX_STREAM_PARTS: Final = 4
MAX_STREAM_PARTS_PER_ADDRESS: Final = 1
"""A thousand streams may have a part due at the same time, so requests do not queue behind them."""


@dataclass
class _AddressSlots:
    semaphore: asyncio.Semaphore
    users: int = 0


class RequestLimiter:
    """Limits the requests processed at the same time, in total and per address, in FIFO order.

    Threads share one processor, so more of them would only delay each other.
    """

    def __init__(self, total: int, per_address: int) -> None:
        self._all = asyncio.Semaphore(total)
        self._per_address = per_address
        self._by_address: dict[str, _AddressSlots] = {}

    @asynccontextmanager
    async def acquire_slot(self, address: str) -> AsyncIterator[None]:
        slots = self._by_address.setdefault(
            address, _AddressSlots(asyncio.Semaphore(self._per_address))
        )
        slots.users += 1
        try:
            async with slots.semaphore, self._all:
                yield
        finally:
            slots.users -= 1
            if not slots.users:
                del self._by_address[address]


MAX_DOWNLOADS: Final = 15
"""Below the limit of buffered bytes, so that a download is only dropped if another one waits."""

STALLED_S: Final = 1.0
"""How long a client must be behind before its download is dropped in favour of another."""

_CHECK_INTERVAL_S: Final = 0.1

_DOWNLOAD_PATH: Final = re.compile(
    r"/api/v1/(?:(?:jobs|batches)/[0-9a-fA-F-]+/(?:solution|certificate|results)|solutions)"
)


class DownloadLimiter:
    """Limits the unfinished downloads, in FIFO order; a stalled one is dropped if another waits.

    An unfinished download uses memory, and one that waits does not.
    """

    def __init__(self) -> None:
        self._slots = asyncio.Semaphore(MAX_DOWNLOADS)
        self._active: dict[Connection, None] = {}

    @asynccontextmanager
    async def acquire_slot(self, path: str, connection: Connection) -> AsyncIterator[None]:
        if _DOWNLOAD_PATH.fullmatch(path) is None:
            yield
            return
        acquiring = asyncio.create_task(self._slots.acquire())
        try:
            while not (await asyncio.wait([acquiring], timeout=_CHECK_INTERVAL_S))[0]:
                remaining = [entry for entry in self._active if not entry.is_lost]
                if len(remaining) >= MAX_DOWNLOADS:
                    connection.pool.drop_slowest(remaining, STALLED_S)
            self._active[connection] = None
            yield
        finally:
            self._active.pop(connection, None)
            if not acquiring.cancel():
                self._slots.release()


_POLLED_PATH: Final = re.compile(
    r"/api/v1/(?:jobs|batches|comparisons|analyses|ways)/[0-9a-fA-F-]+"
)
_STREAM_PATH: Final = re.compile(r"/api/v1/(?:jobs|batches)/[0-9a-fA-F-]+/events")
_HINTS_PATH: Final = "/api/v1/hints"
_JOBS_PATH: Final = "/api/v1/jobs"
_BATCH_PATH: Final = re.compile(r"/api/v1/batches|/batches/[0-9a-fA-F-]+/prove")
_FORM_PATH: Final = "/jobs"

_LONG_FORM_BYTES: Final = 1 << 14
"""A longer form may contain so many boards that storing them takes a second."""


def is_long_poll(environ: WSGIEnvironment) -> bool:
    """Return whether a request waits for the end or a change of some work."""
    method, path = environ["REQUEST_METHOD"], environ["PATH_INFO"]
    if method == "POST" and path == _HINTS_PATH:
        wait = "1"  # by default
    elif (method, path) == ("POST", _JOBS_PATH) or (
        method == "GET" and _POLLED_PATH.fullmatch(path) is not None
    ):
        wait = "0"
    else:
        return False
    try:
        return float(parse_qs(environ["QUERY_STRING"]).get("wait", [wait])[0]) > 0
    except ValueError:
        return False


def is_event_stream(environ: WSGIEnvironment) -> bool:
    """Return whether the response is an event stream, whose parts are due when work changes."""
    return _STREAM_PATH.fullmatch(environ["PATH_INFO"]) is not None


def is_batch(environ: WSGIEnvironment, body_bytes: int) -> bool:
    """Return whether a request stores many boards, with pauses in which others can write."""
    path = environ["PATH_INFO"]
    return environ["REQUEST_METHOD"] == "POST" and (
        _BATCH_PATH.fullmatch(path) is not None
        or (path == _FORM_PATH and body_bytes > _LONG_FORM_BYTES)
    )


CONNECTION: Final = "tilework.connection"
"""The key of the connection in a scope."""

MAY_WAIT: Final = "tilework.may_wait"
"""Says in an environment whether the application may wait, as for a long poll."""

_CHUNK_BYTES: Final = 1 << 16
"""The largest part of a response in the buffers of a connection."""

_UNFINISHED_BYTES: Final = 8 << 20
"""The memory that the application is assumed to use for an unfinished response."""

log = structlog.get_logger()


class ThreadedApp:
    """An ASGI application that calls a WSGI application, with other threads for long polls."""

    def __init__(self, app: WSGIApplication, settings: Settings) -> None:
        self._app = app
        self._threads = ThreadPoolExecutor(
            MAX_CONCURRENT + MAX_BATCHES + MAX_STREAM_PARTS, thread_name_prefix="web"
        )
        # Behind proxies, all clients have the proxy's address, so only the total is limited.
        self._requests, self._batches, self._stream_parts = (
            RequestLimiter(total, total if settings.trusted_proxies else per_address)
            for total, per_address in (
                (MAX_CONCURRENT, MAX_PER_ADDRESS),
                (MAX_BATCHES, MAX_BATCHES_PER_ADDRESS),
                (MAX_STREAM_PARTS, MAX_STREAM_PARTS_PER_ADDRESS),
            )
        )
        self._free_waiters = settings.max_waiters
        self._waiters = ThreadPoolExecutor(
            max(1, settings.max_waiters), thread_name_prefix="web-waiter"
        )
        self._downloads = DownloadLimiter()
        self._max_body_bytes = settings.max_body_bytes

    async def __call__(
        self, scope: dict[str, Any], receive: Callable[[], Any], send: Callable[[Any], Any]
    ) -> None:
        environ = _make_environ(scope)
        body = await self._receive_body(environ, receive)
        if body is None:
            return
        connection: Connection = scope[CONNECTION]
        limiter = self._requests
        if is_event_stream(environ):
            limiter = self._stream_parts
        elif is_batch(environ, len(body)):
            limiter = self._batches
        response = _Response(self._app, environ, body)
        async with self._downloads.acquire_slot(environ["PATH_INFO"], connection):
            await self._respond(response, connection, send, limiter)

    async def _respond(
        self,
        response: _Response,
        connection: Connection,
        send: Callable[[Any], Any],
        limiter: RequestLimiter,
    ) -> None:
        chunk = await self._start(response, connection, limiter)
        head = {
            "type": "http.response.start",
            "status": response.status,
            "headers": response.headers,
        }
        try:
            if connection.is_lost:
                return
            await send(head)
            while chunk is not None:
                is_large = response.has_more and response.wait is None
                connection.set_buffered(len(chunk) + (_UNFINISHED_BYTES if is_large else 0))
                for start in range(0, len(chunk), _CHUNK_BYTES):
                    if connection.is_lost:
                        return
                    # Returns once the previous part has been passed to the system.
                    body_part = chunk[start : start + _CHUNK_BYTES]
                    await send({"type": "http.response.body", "body": body_part, "more_body": True})
                if response.wait is not None:
                    connection.set_buffered(0)
                    if not await _wait(response.wait, connection):
                        break
                if not response.has_more:
                    break
                chunk = await self._call(response.next, connection, limiter)
            if response.has_failed:
                connection.drop()
            elif not connection.is_lost:
                await send({"type": "http.response.body", "body": b""})
        finally:
            connection.set_buffered(0)
            if response.has_more:
                asyncio.get_running_loop().run_in_executor(self._threads, response.close)

    async def _start(
        self, response: _Response, connection: Connection, limiter: RequestLimiter
    ) -> bytes | None:
        environ = response.environ
        environ[MAY_WAIT] = self._free_waiters > 0 and is_long_poll(environ)
        if not environ[MAY_WAIT]:
            return await self._call(response.start, connection, limiter)
        self._free_waiters -= 1
        try:
            loop = asyncio.get_running_loop()
            return await loop.run_in_executor(self._waiters, response.start)
        finally:
            self._free_waiters += 1

    async def _call(
        self,
        function: Callable[[], bytes | None],
        connection: Connection,
        limiter: RequestLimiter,
    ) -> bytes | None:
        """Call a function in a thread; return None if the connection was lost."""
        async with limiter.acquire_slot(connection.address):
            if connection.is_lost:
                return None
            return await asyncio.get_running_loop().run_in_executor(self._threads, function)

    async def _receive_body(
        self, environ: WSGIEnvironment, receive: Callable[[], Any]
    ) -> bytearray | None:
        """Receive the body; return None if the client disconnected."""
        body = bytearray()
        if not environ.get("CONTENT_LENGTH") and "HTTP_TRANSFER_ENCODING" not in environ:
            return body
        if (content_length := environ.get("CONTENT_LENGTH", "0")).isdigit() and (
            int(content_length) > self._max_body_bytes
        ):
            return body
        has_more = True
        while has_more and len(body) <= self._max_body_bytes:
            event = await receive()
            if event["type"] == "http.disconnect":
                return None
            body += event["body"]
            has_more = event["more_body"]
        environ["CONTENT_LENGTH"] = str(len(body))
        environ.pop("HTTP_TRANSFER_ENCODING", None)
        return body


async def _wait(wait: Callable[[], Coroutine[Any, Any, None]], connection: Connection) -> bool:
    """Wait for the next part of a response; return False if the connection is closing."""
    tasks = [asyncio.create_task(wait()), asyncio.create_task(connection.closing.wait())]
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        if tasks[0].done():
            tasks[0].result()
    finally:
        for task in tasks:
            task.cancel()
    return not connection.closing.is_set()


class _Response:
    """The response to one call of the application. Its methods run in threads."""

    def __init__(self, app: WSGIApplication, environ: WSGIEnvironment, body: bytearray) -> None:
        self._app = app
        self.environ = environ
        self.environ["wsgi.input"] = BytesIO(body)
        self._chunks: Iterable[bytes] = ()
        self._iterator: Iterator[bytes] = iter(())
        self._remaining: int | None = None
        self.status = 500
        self.headers: list[tuple[bytes, bytes]] = []
        self.has_more = True
        self.has_failed = False

    @property
    def wait(self) -> Callable[[], Coroutine[Any, Any, None]] | None:
        """Waits for the next part without a thread, if the application offers that."""
        return getattr(self._chunks, "wait", None)

    def start(self) -> bytes | None:
        try:
            self._chunks = self._app(self.environ, self._start)
            self._iterator = iter(self._chunks)
        except Exception as error:
            self._log(error)
            self.status = 500
            self.headers = [(b"content-type", b"text/plain"), (b"content-length", b"0")]
            self.close()
            return None
        return self.next()

    def next(self) -> bytes | None:
        """Return the next chunk that is not empty, or None at the end."""
        try:
            chunk = next(filter(None, self._iterator), None)
        except Exception as error:
            # The status has been sent: only closing the connection can tell the client.
            self._log(error)
            self.has_failed = True
            chunk = None
        if chunk is not None and self._remaining is not None:
            self._remaining -= len(chunk)
        if chunk is None or self._remaining == 0:
            self.close()
        return chunk

    def close(self) -> None:
        self.has_more = False
        close = getattr(self._chunks, "close", None)
        if close is not None:
            try:
                close()
            except Exception as error:
                self._log(error)

    def _start(self, status: str, headers: list[tuple[str, str]], *_error: object) -> Any:
        self.status = int(status[:3])
        self.headers = [
            (name.lower().encode("latin-1"), value.encode("latin-1")) for name, value in headers
        ]
        length = dict(self.headers).get(b"content-length")
        self._remaining = int(length) if length is not None else None

    def _log(self, error: Exception) -> None:
        path = self.environ["PATH_INFO"][:200]
        log.error("the application failed", path=path, error_id=new_error_id(), exc_info=error)


def _make_environ(scope: dict[str, Any]) -> WSGIEnvironment:
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
        if b"_" in name:  # indistinguishable from a name with hyphens in the environment
            continue
        key = name.decode("latin-1").upper().replace("-", "_")
        if key not in ("CONTENT_TYPE", "CONTENT_LENGTH"):
            key = f"HTTP_{key}"
        text = value.decode("latin-1")
        separator = "; " if key == "HTTP_COOKIE" else ","
        environ[key] = f"{environ[key]}{separator}{text}" if key in environ else text
    return environ
