"""A cache of complete responses, below Flask, which takes most of the time of a poll.

A view allows caching a response with `cache_while_current`. It is sent again, for requests with the
same headers, while the version that it belongs to has not changed.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from flask import request
from werkzeug.routing import Rule

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

_VALIDITY: Final = "tilework.validity"
_REQUEST: Final = "werkzeug.request"

_KEY: Final = (
    "PATH_INFO",
    "QUERY_STRING",
    "HTTP_HOST",
    "HTTP_IF_NONE_MATCH",
    "HTTP_ACCEPT_LANGUAGE",
    "HTTP_ACCEPT_ENCODING",
)
"""What a response to a poll depends on, besides the version."""

_MAX_CACHE_BYTES: Final = 8 << 20
_ENTRY_BYTES: Final = 4_000
"""The estimated size of an entry without its key and body."""

_MAX_ENTRY_BYTES: Final = 1 << 16
"""Larger responses are not cached: sending them takes longer than rendering them."""

ReadVersion = Callable[[], str]


class _HandledRequest(NamedTuple):
    """What other middleware reads from a request that Flask has handled."""

    method: str
    url_rule: Rule | None


class _Entry(NamedTuple):
    version: str
    read_version: ReadVersion
    request: _HandledRequest
    status: str
    headers: list[tuple[str, str]]
    body: bytes

    def is_current(self) -> bool:
        with suppress(Exception):  # the view reports it
            return self.read_version() == self.version
        return False


def cache_while_current(version: str, read_version: ReadVersion) -> None:
    """Allow caching the response to this request while `read_version` returns `version`."""
    handled = _HandledRequest(request.method, request.url_rule)
    request.environ[_VALIDITY] = version, read_version, handled


class ResponseCache:
    """An application whose responses are cached. The cache is cleared when it is full."""

    def __init__(self, app: WSGIApplication) -> None:
        self._app = app
        self._entries: dict[tuple[str, ...], _Entry] = {}
        self._bytes = 0
        self._lock = threading.Lock()

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        if environ["REQUEST_METHOD"] != "GET":
            return self._app(environ, start_response)
        key = tuple([environ.get(name, "") for name in _KEY])
        entry = self._entries.get(key)
        if entry is not None and entry.is_current():
            environ[_REQUEST] = entry.request
            start_response(entry.status, entry.headers.copy())
            return [entry.body]
        status, headers = "", list[tuple[str, str]]()

        def start(line: str, fields: list[tuple[str, str]], *error: Any) -> Any:
            nonlocal status, headers
            status, headers = line, fields.copy()
            return start_response(line, fields, *error)

        chunks = self._app(environ, start)
        if _VALIDITY not in environ:
            return chunks
        body = b"".join(chunks)
        if hasattr(chunks, "close"):
            chunks.close()
        version, read_version, handled = environ[_VALIDITY]
        self._store(key, _Entry(version, read_version, handled, status, headers, body))
        return [body]

    def _store(self, key: tuple[str, ...], entry: _Entry) -> None:
        size = _ENTRY_BYTES + sum(map(len, key)) + len(entry.body)
        if size > _MAX_ENTRY_BYTES:
            return
        with self._lock:
            # The size of an entry that is replaced is counted twice, until the cache is cleared.
            if self._bytes + size > _MAX_CACHE_BYTES:
                self._entries.clear()
                self._bytes = 0
            self._bytes += size
            self._entries[key] = entry
