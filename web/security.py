"""Headers of every answer, writes from other sites, and the name under which we are asked.

Whoever sends a request may make up that name. Links and redirects are paths; only what is read
elsewhere has it: the address in a QR code, a frame or a preview.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from flask import Flask, request
from werkzeug.exceptions import SecurityError
from werkzeug.wsgi import get_host

from tilework.core.errors import ForbiddenError
from tilework.core.messages import Message
from tilework.core.settings import Settings
from tilework.web.limits import SAFE_METHODS, counter_of_writes
from tilework.web.problems import FOREIGN_HOST, ProblemError

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

_COMMON: Final = [
    ("X-Content-Type-Options", "nosniff"),
    ("Referrer-Policy", "same-origin"),
    ("Permissions-Policy", "camera=(), geolocation=(), microphone=(), payment=(), usb=()"),
    ("Cross-Origin-Opener-Policy", "same-origin"),
]
_HEADERS: Final = [
    ("Content-Security-Policy", "; ".join((*_DIRECTIVES, "frame-ancestors 'none'"))),
    *_COMMON,
    ("Cross-Origin-Resource-Policy", "same-origin"),
    ("X-Frame-Options", "DENY"),
]

FRAMED: Final = "/embed/"
"""The pages that others may frame: they show, and change nothing."""

_FRAMED_HEADERS: Final = [
    ("Content-Security-Policy", "; ".join((*_DIRECTIVES, "frame-ancestors *"))),
    *_COMMON,
    ("Cross-Origin-Resource-Policy", "cross-origin"),
]

_OWN_SITES: Final = frozenset({"same-origin", "none"})


def install_security(app: Flask, settings: Settings) -> None:
    app.wsgi_app = _Headers(app.wsgi_app, settings.hsts_s)  # type: ignore[method-assign]
    count_write = counter_of_writes(settings)

    @app.before_request
    def check_write() -> None:
        if request.method not in SAFE_METHODS:
            _refuse_other_sites()
            count_write()


class _Headers:
    """Adds the headers below Flask: Flask's own hooks would take a tenth of a poll's time."""

    def __init__(self, app: WSGIApplication, hsts_s: int) -> None:
        self._app = app
        self._hsts = [("Strict-Transport-Security", f"max-age={hsts_s}")] if hsts_s else []

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        def start(status: str, headers: list[tuple[str, str]], *error: Any) -> Any:
            # Not before: a proxy's word for it is read further in.
            secure = environ["wsgi.url_scheme"] == "https"
            hsts = self._hsts if secure else []
            # A page that says what went wrong has the frame of all pages, with its forms.
            framed = environ["PATH_INFO"].startswith(FRAMED) and status.startswith("200")
            common = _FRAMED_HEADERS if framed else _HEADERS
            return start_response(status, headers + common + hsts, *error)

        return self._app(environ, start)


def _is_own(origin: str) -> bool:
    """Whether an ``Origin``, which may be any text, is the name that this request asks for."""
    host = origin.partition("://")[2]
    return host != "" and host == request.host


def _refuse_other_sites() -> None:
    """Raise for a write by another site's page; no browser adds ``Authorization`` by itself."""
    if "Authorization" in request.headers:
        return
    site = request.headers.get("Sec-Fetch-Site")
    origin = request.headers.get("Origin")
    if (site is not None and site not in _OWN_SITES) or (
        site is None and origin is not None and not _is_own(origin)
    ):
        raise ForbiddenError(
            "foreign-page",
            "a page of {origin} must not write here; programs give an API key as "
            "Authorization: Bearer",
            origin=(origin or site or "")[:200],
        )


_PROBES: Final = frozenset({"/healthz", "/readyz", "/metrics"})
"""Asked for by address, by whoever watches the process."""

_NAME: Final = re.compile(
    r"(?=.{1,261}\Z)(?:[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63})*\.?|\[[a-f0-9:.]{2,45}\])(?::\d{1,5})?",
    re.IGNORECASE | re.ASCII,
)


def install_hosts(app: Flask, settings: Settings) -> None:
    """Have names treated so; call it before a proxy's word for them is put in their place."""
    app.wsgi_app = _Hosts(app.wsgi_app)  # type: ignore[method-assign]
    # Otherwise //jobs is redirected to /jobs of whatever host the request names.
    app.url_map.merge_slashes = False
    if settings.host_names:
        app.before_request(partial(_refuse_others, settings.host_names))


class _Hosts:
    """Drops what is no name; an address without a path means the first page."""

    def __init__(self, app: WSGIApplication) -> None:
        self._app = app

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        if not _NAME.fullmatch(environ.get("HTTP_HOST", "")):
            environ["HTTP_HOST"] = ""
        # As HTTP has it; Werkzeug would redirect to the root of the host.
        environ["PATH_INFO"] = environ["PATH_INFO"] or "/"
        return self._app(environ, start_response)


def _refuse_others(names: list[str]) -> None:
    if request.path in _PROBES:
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
            "this service does not answer as {host!r}, only as: {names}",
            host=request.headers.get("Host", "")[:200],
            names=", ".join(names),
        ),
    )
