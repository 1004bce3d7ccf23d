"""Streams of server-sent events, whose data is what a poll returns.

A stream occupies no thread while it waits: `web/server/wsgi.py` awaits `EventStream.wait` between
two parts of the response, and one query at a time reads the versions of all streams. With any other
server, a stream ends after its first part, and clients connect again.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping
from functools import partial
from typing import Annotated, Final, NamedTuple, Protocol

from flask import Flask, Response, current_app, request
from pydantic import BaseModel, Field
from werkzeug.exceptions import TooManyRequests

from tilework.core.assembly import Services
from tilework.core.errors import OverloadError, TileworkError
from tilework.core.logs import FailureLog
from tilework.core.messages import Message
from tilework.core.services.long_polling import FIRST_PAUSE_S, LAST_PAUSE_S, PAUSE_GROWTH
from tilework.core.settings import Settings
from tilework.web.api.documents import to_json
from tilework.web.api.polling import View
from tilework.web.clients import known_client_id
from tilework.web.i18n import set_language_headers, translate
from tilework.web.limits import limited_address

_LOOK_AHEAD: Final = 0.5
"""Versions whose next read is due within this share of their pause are read already.

So the reads of streams that are opened at different times soon coincide.
"""

ReadVersions = Callable[[Collection[str]], Mapping[str, str]]


class Watch:
    """A version that a stream waits to change. The pause between reads grows with its age."""

    def __init__(self, work_id: str, version: str) -> None:
        self.work_id = work_id
        self.version = version
        self.pause_s = FIRST_PAUSE_S
        self.due = 0.0
        self.is_outdated = asyncio.Event()


class VersionWatcher:
    """Reads the versions of all watches. Its methods run in the event loop of the server.

    Parameters
    ----------
    read_versions : callable
        Returns the versions of the objects that exist, by their ids. It is called in a thread.
    """

    def __init__(self, read_versions: ReadVersions) -> None:
        self._read_versions = read_versions
        self._failures = FailureLog("reading versions")
        self._watches: set[Watch] = set()
        self._has_new_watch = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    async def wait(self, watch: Watch, seconds: float) -> bool:
        """Wait for a change; return False if there is none within this time.

        It also counts as a change if the object was deleted, or cannot be read.
        """
        watch.is_outdated.clear()
        watch.due = asyncio.get_running_loop().time() + watch.pause_s
        self._watches.add(watch)
        self._has_new_watch.set()
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._read_until_unused())
        try:
            async with asyncio.timeout(seconds):
                await watch.is_outdated.wait()
        except TimeoutError:
            return False
        finally:
            self._watches.discard(watch)
        return True

    async def _read_until_unused(self) -> None:
        loop = asyncio.get_running_loop()
        while self._watches:
            self._has_new_watch.clear()
            delay = min(watch.due for watch in self._watches) - loop.time()
            if delay > 0:
                try:
                    async with asyncio.timeout(delay):
                        await self._has_new_watch.wait()
                except TimeoutError:
                    pass
                else:
                    continue
            now = loop.time()
            await self._read(
                [watch for watch in self._watches if watch.due <= now + _LOOK_AHEAD * watch.pause_s]
            )

    async def _read(self, watches: list[Watch]) -> None:
        versions: Mapping[str, str] = {}
        try:
            ids = {watch.work_id for watch in watches}
            versions = await asyncio.to_thread(self._read_versions, ids)
        except Exception as error:  # the streams end, and their clients receive the error
            self._failures.fail(error)
        else:
            self._failures.succeed()
        now = asyncio.get_running_loop().time()
        for watch in watches:
            if versions.get(watch.work_id) != watch.version:
                watch.is_outdated.set()
            watch.pause_s = min(watch.pause_s * PAUSE_GROWTH, LAST_PAUSE_S)
            watch.due = now + watch.pause_s


_EXTENSION: Final = "tilework-event-streams"
_MEDIA_TYPE: Final = "text/event-stream"

MAX_STREAM_S: Final = 600.0
"""After this, the client connects again."""

_HEARTBEAT_S: Final = 15.0
"""Shorter than the idle timeouts of proxies."""

_HEARTBEAT: Final = b": \n\n"
_RETRY: Final = b"retry: 1000\n\n"
_RETRY_AFTER_S: Final = 10

_EVENT_SCHEMA: Final = {
    "type": "object",
    "properties": {
        "id": {"type": "string", "description": "The version."},
        "data": {
            "type": "string",
            "contentMediaType": "application/json",
            "description": "The document that a poll returns.",
        },
    },
}

STREAM_RESPONSES: Final = {
    200: {
        "description": "Server-sent events. The schema is that of an event",
        "content": {_MEDIA_TYPE: {"schema": _EVENT_SCHEMA}},
    },
    204: {"description": "All work has ended, and the client has the last version"},
}


SeenVersion = Annotated[
    str | None,
    Field(
        max_length=200,
        description="The version in an earlier response. Last-Event-ID takes precedence.",
    ),
]


class LastEventHeader(BaseModel):
    """The version that the client received last. Browsers send it when they connect again."""

    last_event_id: str | None = Field(None, alias="Last-Event-ID", max_length=200)


class VersionsReader(Protocol):
    """Reads the versions of jobs or batches."""

    def version(self, work_id: str, /) -> str: ...

    @property
    def versions(self) -> ReadVersions: ...


class StreamSlots:
    """Limits the open streams: in total, per address and per client.

    Anyone can become another client, but not another address.
    """

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._addresses: Counter[str] = Counter()
        self._clients: Counter[str] = Counter()
        self._lock = threading.Lock()

    def acquire(self, client: str | None, address: str) -> Callable[[], None]:
        """Take a slot and return what releases it."""
        client, address = client or address, limited_address(address)
        settings = self._settings
        with self._lock:
            message = None
            if self._addresses.total() >= settings.max_streams:
                raise OverloadError(
                    "all-streams",
                    "too many event streams are open; try again in a moment, or use long polls",
                    retry_after_s=_RETRY_AFTER_S,
                )
            if self._clients[client] >= settings.max_streams_per_client:
                message = Message(
                    "client-streams",
                    "Too many event streams are open for this client; the limit is {limit}.",
                    limit=settings.max_streams_per_client,
                )
            elif self._addresses[address] >= settings.max_streams_of_one:
                message = Message(
                    "address-streams",
                    "Too many event streams are open from this address; the limit is {limit}.",
                    limit=settings.max_streams_of_one,
                )
            if message is not None:
                raise TooManyRequests(translate(message), retry_after=_RETRY_AFTER_S)
            self._clients[client] += 1
            self._addresses[address] += 1
        return partial(self._release, client, address)

    def _release(self, client: str, address: str) -> None:
        with self._lock:
            self._clients -= Counter([client])
            self._addresses -= Counter([address])


class _EventStreams(NamedTuple):
    slots: StreamSlots
    watchers: Mapping[VersionsReader, VersionWatcher]


def install_event_streams(app: Flask, services: Services) -> None:
    readers: list[VersionsReader] = [services.read, services.read_batch]
    watchers = {reader: VersionWatcher(reader.versions) for reader in readers}
    app.extensions[_EXTENSION] = _EventStreams(StreamSlots(services.settings), watchers)


def respond_with_events(
    seen: str | None,
    reader: VersionsReader,
    work_id: str,
    read_view: Callable[[str], View],
    make_document: Callable[[View], BaseModel],
) -> Response:
    """Stream the documents of a job or batch, from the first that the client has not seen."""
    streams: _EventStreams = current_app.extensions[_EXTENSION]
    version = reader.version(work_id)
    if version == seen:
        view = read_view(work_id)
        if view.finished and view.version == seen:
            return set_language_headers(Response(status=204))
    app, environ = current_app._get_current_object(), request.environ  # type: ignore[attr-defined]

    def read_document() -> tuple[View, bytes]:
        with app.request_context(environ):
            view = read_view(work_id)
            return view, to_json(make_document(view))

    release = streams.slots.acquire(known_client_id(), request.remote_addr or "")
    stream = EventStream(
        streams.watchers[reader],
        Watch(work_id, seen or ""),
        has_changed=version != seen,
        read_document=read_document,
        release=release,
    )
    response = Response(stream, mimetype=_MEDIA_TYPE, direct_passthrough=True)
    response.headers["Cache-Control"] = "no-store"
    response.headers["X-Accel-Buffering"] = "no"
    return set_language_headers(response)


class EventStream(Iterator[bytes]):
    """The parts of a response. Before each part but the first, the server awaits `wait`."""

    def __init__(
        self,
        watcher: VersionWatcher,
        watch: Watch,
        *,
        has_changed: bool,
        read_document: Callable[[], tuple[View, bytes]],
        release: Callable[[], None],
    ) -> None:
        self._watcher = watcher
        self._watch = watch
        self._has_changed = has_changed
        self._read_document = read_document
        self._release: Callable[[], None] | None = release
        self._end = time.monotonic() + MAX_STREAM_S
        self._is_first = True
        self._is_ready = True
        self._is_complete = False

    async def wait(self) -> None:
        """Wait for the next part, which is an event, a heartbeat or the end."""
        remaining_s = self._end - time.monotonic()
        if not self._is_complete and remaining_s > 0:
            self._has_changed = await self._watcher.wait(
                self._watch, min(_HEARTBEAT_S, remaining_s)
            )
            self._is_ready = True

    def __next__(self) -> bytes:
        if not self._is_ready:
            raise StopIteration
        self._is_ready = False
        is_first, self._is_first = self._is_first, False
        try:
            event = self._next_event() if self._has_changed else b""
        except TileworkError:
            # The client connects again and receives the problem.
            raise StopIteration from None
        return (_RETRY if is_first else b"") + (event or _HEARTBEAT)

    def _next_event(self) -> bytes:
        view, body = self._read_document()
        self._is_complete = view.finished
        if view.version == self._watch.version:
            return b""
        self._watch.version = view.version
        return b"id: %b\ndata: %b\n\n" % (view.version.encode(), body)

    def close(self) -> None:
        if self._release is not None:
            self._release()
            self._release = None
