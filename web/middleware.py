"""Middleware: host names, security headers, request metrics, cross-site writes, compression.

Clients can send any host name. Links and redirects are therefore paths; only URLs that are used
outside of the page contain the name: those in QR codes, frames and link previews.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterable
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from flask import Flask, Response, request
from flask_compress import Compress
from prometheus_client import CollectorRegistry, Counter, Histogram
from werkzeug.exceptions import SecurityError
from werkzeug.middleware.proxy_fix import ProxyFix
from werkzeug.wsgi import get_host

from tilework.core.errors import ForbiddenError
from tilework.core.messages import Message
from tilework.core.settings import Settings
from tilework.web.limits import SAFE_METHODS, make_write_limiter
from tilework.web.problems import FOREIGN_HOST, ProblemError
from tilework.web.response_cache import ResponseCache

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment


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
            # Werkzeug stores the request here, with the rule that matched.
            request = environ.get("werkzeug.request")
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
