"""Headers that every answer carries, and the refusal of writes that come from another site.

Nothing on the pages is inline, so that the policy needs no exception.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Final

from flask import Flask, request

from tilework.core.errors import ForbiddenError
from tilework.core.settings import Settings
from tilework.web.limits import SAFE_METHODS

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
    """Add the headers to every answer and check where writes come from."""
    app.wsgi_app = _Headers(app.wsgi_app, settings.hsts_s)  # type: ignore[method-assign]
    app.before_request(_refuse_other_sites)


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
    """Raise for a write that another site's page makes with this browser's cookie.

    A request with a key in ``Authorization`` passes: no browser adds that by itself.
    """
    if request.method in SAFE_METHODS or "Authorization" in request.headers:
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
