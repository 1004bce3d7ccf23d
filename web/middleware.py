"""Middleware: traces, cached responses, host names, headers, cross-site writes, compression.

Clients can send any host name. Links and redirects are therefore paths; only URLs that are used
outside of the page contain the name: those in QR codes, frames and link previews.
"""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import partial
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from flask import Flask, Response, request
from flask_compress import Compress
from prometheus_client import CollectorRegistry, Counter, Histogram
from werkzeug.exceptions import SecurityError
from werkzeug.middleware.proxy_fix import ProxyFix
from werkzeug.wsgi import get_host

from tilework.core.errors import ForbiddenError
from tilework.core.messages import Message
from tilework.core.settings import Settings
from tilework.core.tracing import span
from tilework.web.limits import SAFE_METHODS, make_write_limiter
from tilework.web.problems import FOREIGN_HOST, ProblemError

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

_VALIDITY: Final = "tilework.validity"
_REQUEST: Final = "werkzeug.request"  # where Werkzeug stores it, with the rule that matched

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


class _Entry(NamedTuple):
    version: str
    read_version: ReadVersion
    request: SimpleNamespace  # what other middleware reads from a request
    status: str
    headers: list[tuple[str, str]]
    body: bytes

    def is_current(self) -> bool:
        with suppress(Exception):  # the view reports it
            return self.read_version() == self.version
        return False


def cache_while_current(version: str, read_version: ReadVersion) -> None:
    """Allow caching the response to this request while `read_version` returns `version`."""
    handled = SimpleNamespace(method=request.method, url_rule=request.url_rule)
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


_UNTRACED: Final = ("/healthz", "/readyz", "/metrics", "/static/")
"""Requests of machines and for files, of which there are many."""


def trace(app: WSGIApplication) -> WSGIApplication:
    """Return an application whose requests continue the trace of the client, if it sends one."""

    def traced_app(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        if environ["PATH_INFO"].startswith(_UNTRACED):
            return app(environ, start_response)
        traceparent = environ.get("HTTP_TRACEPARENT")
        with span("request", "server", traceparent=traceparent) as current:

            def start(line: str, headers: list[tuple[str, str]], *error: Any) -> Any:
                request = environ.get(_REQUEST)
                if current is not None and request is not None and request.url_rule is not None:
                    current.update_name(f"{request.method} {request.url_rule.rule}")
                    current.set_attribute("http.request.method", request.method)
                    current.set_attribute("http.route", request.url_rule.rule)
                if current is not None:
                    current.set_attribute("http.response.status_code", int(line[:3]))
                return start_response(line, headers, *error)

            return app(environ, start)

    return traced_app


_DIRECTIVES: Final = (
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
)

_COMMON_HEADERS: Final = [
    ("X-Content-Type-Options", "nosniff"),
    ("Referrer-Policy", "same-origin"),
    ("Permissions-Policy", "camera=(), geolocation=(), microphone=(), payment=(), usb=()"),
    ("Cross-Origin-Opener-Policy", "same-origin"),
]
_HEADERS: Final = [
    ("Content-Security-Policy", "; ".join((*_DIRECTIVES, "frame-ancestors 'none'"))),
    *_COMMON_HEADERS,
    ("Cross-Origin-Resource-Policy", "same-origin"),
    ("X-Frame-Options", "DENY"),
]

EMBED_PREFIX: Final = "/embed/"
"""The path of the pages that other sites can embed. They are read-only."""

_EMBED_HEADERS: Final = [
    ("Content-Security-Policy", "; ".join((*_DIRECTIVES, "frame-ancestors *"))),
    *_COMMON_HEADERS,
    ("Cross-Origin-Resource-Policy", "cross-origin"),
]

_OWN_SITES: Final = frozenset({"same-origin", "none"})

_PROBE_PATHS: Final = frozenset({"/healthz", "/readyz", "/metrics"})
"""Monitoring requests these by IP address."""

_HOST_NAME: Final = re.compile(
    r"(?=.{1,261}\Z)(?:[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63})*\.?|\[[a-f0-9:.]{2,45}\])(?::\d{1,5})?",
    re.IGNORECASE | re.ASCII,
)


def install_middleware(
    app: Flask, settings: Settings, registry: CollectorRegistry | None = None
) -> None:
    cached_app = ResponseCache(app.wsgi_app)
    app.wsgi_app = _Middleware(cached_app, settings.hsts_s, registry)  # type: ignore[method-assign]
    if settings.trusted_proxies:
        hops = settings.trusted_proxies
        app.wsgi_app = ProxyFix(app.wsgi_app, x_for=hops, x_proto=hops, x_host=hops)  # type: ignore[method-assign]
    # Otherwise //jobs is redirected to /jobs of any host that the request names.
    app.url_map.merge_slashes = False
    if settings.host_names:
        app.before_request(partial(_check_host, settings.host_names))
    app.before_request(partial(_check_write, make_write_limiter(settings)))
    _install_compression(app)


_BUCKETS_S: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5, 25)
_NONE: Final = "none"


class _Middleware:
    """Checks the host name, adds headers and counts requests.

    Flask's hooks would make requests a tenth slower. Requests are counted by the template of their
    route, to limit the number of series. The duration of a long-poll includes the wait.
    """

    def __init__(
        self, app: WSGIApplication, hsts_s: int, registry: CollectorRegistry | None
    ) -> None:
        self._app = app
        self._hsts = [("Strict-Transport-Security", f"max-age={hsts_s}")] if hsts_s else []
        self._counter = Counter(
            "tilework_http_requests",
            "Requests answered",
            ["method", "route", "status"],
            registry=registry,
        )
        self._seconds = Histogram(
            "tilework_http_request_seconds",
            "Response time",
            ["method", "route"],
            buckets=_BUCKETS_S,
            registry=registry,
        )
        # Finding a labelled series takes longer than incrementing it, so series are cached.
        self._series: dict[tuple[str, str, str], tuple[Counter, Histogram]] = {}

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        start_time = time.perf_counter()
        method = route = _NONE
        status = "500"
        if not _HOST_NAME.fullmatch(environ.get("HTTP_HOST", "")):
            environ["HTTP_HOST"] = ""
        # An empty path means the root in HTTP; Werkzeug would redirect.
        path = environ["PATH_INFO"] = environ["PATH_INFO"] or "/"

        def start(line: str, headers: list[tuple[str, str]], *error: Any) -> Any:
            nonlocal method, route, status
            status = line[:3]
            request = environ.get(_REQUEST)
            if request is not None and request.url_rule is not None:
                method, route = request.method, request.url_rule.rule
            # An error page contains forms, like all other pages, so it must not be embedded.
            is_embedded = path.startswith(EMBED_PREFIX) and status == "200"
            common = _EMBED_HEADERS if is_embedded else _HEADERS
            hsts = self._hsts if environ["wsgi.url_scheme"] == "https" else []
            return start_response(line, headers + common + hsts, *error)

        try:
            return self._app(environ, start)
        finally:
            series = self._series.get((method, route, status))
            if series is None:
                series = self._series[method, route, status] = (
                    self._counter.labels(method, route, status),
                    self._seconds.labels(method, route),
                )
            series[0].inc()
            series[1].observe(time.perf_counter() - start_time)


def _check_write(count_write: Callable[[], None]) -> None:
    """Count a write, and reject those that another site's page sends.

    Browsers never add ``Authorization`` automatically, so requests that contain it are accepted.
    """
    if request.method in SAFE_METHODS:
        return
    if "Authorization" not in request.headers:
        site = request.headers.get("Sec-Fetch-Site")
        origin = request.headers.get("Origin")
        if site is not None:
            is_foreign = site not in _OWN_SITES
        else:
            host = (origin or "").partition("://")[2]
            is_foreign = origin is not None and (not host or host != request.host)
        if is_foreign:
            raise ForbiddenError(
                "foreign-page",
                "pages of {origin} are not allowed to write here; programs send an API key as "
                "Authorization: Bearer",
                origin=(origin or site or "")[:200],
            )
    count_write()


def _check_host(names: list[str]) -> None:
    if request.path in _PROBE_PATHS:
        return
    try:
        if get_host(request.environ, names):
            return
    except SecurityError:
        pass
    raise ProblemError(
        FOREIGN_HOST,
        Message(
            "host",
            "this service is not called {host!r}; its names are: {names}",
            host=request.headers.get("Host", "")[:200],
            names=", ".join(names),
        ),
    )


MIN_COMPRESSED_BYTES: Final = 1000
"""Smaller responses fit into one packet anyway."""

_ALGORITHMS: Final = ["br", "zstd", "gzip"]
_COMPRESSED_TYPES: Final = [
    "text/html",
    "text/css",
    "text/javascript",
    "text/plain",
    "application/json",
    "application/problem+json",
    "image/svg+xml",
]


def _install_compression(app: Flask) -> None:
    app.config |= {
        "COMPRESS_MIMETYPES": _COMPRESSED_TYPES,
        "COMPRESS_ALGORITHM": _ALGORITHMS,
        "COMPRESS_MIN_SIZE": MIN_COMPRESSED_BYTES,
        "COMPRESS_REGISTER": False,
    }
    compress = Compress(app)

    def compress_response(response: Response) -> Response:
        # A strong ETag would have to be different for each encoding.
        tag, is_weak = response.get_etag()
        if response.is_streamed or (tag and not is_weak):
            return response
        length = response.content_length
        is_small = length is not None and length < MIN_COMPRESSED_BYTES
        # The library would use gzip for "gzip;q=0".
        if is_small or not any(request.accept_encodings[name] > 0 for name in _ALGORITHMS):
            response.vary.add("Accept-Encoding")
            return response
        return compress.after_request(response)

    app.after_request(compress_response)
