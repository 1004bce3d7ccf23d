"""Headers that every answer carries, and the refusal of writes that come from another site.

Nothing on the pages is inline, so that the policy needs no exception; only the page that tries
the API out has one, as Swagger UI writes ``style`` attributes.
"""

from __future__ import annotations

from typing import Final
from urllib.parse import urlsplit

from flask import Flask, Response, request

from core.errors import ForbiddenError
from web.limits import SAFE_METHODS

_POLICY: Final = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "font-src 'self'",
        "connect-src 'self'",
        "manifest-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    )
)
_TRY_IT_POLICY: Final = _POLICY.replace("style-src 'self'", "style-src 'self' 'unsafe-inline'")
_TRY_IT_PATH: Final = "/openapi"

_HEADERS: Final = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "X-Frame-Options": "DENY",
}

_OWN_SITES: Final = frozenset({"same-origin", "none"})


def install_security(app: Flask) -> None:
    """Add the headers to every answer and look at where writes come from."""
    app.before_request(_refuse_other_sites)
    app.after_request(_add_headers)


def _add_headers(response: Response) -> Response:
    headers = response.headers
    for name, value in _HEADERS.items():
        headers[name] = value
    headers["Content-Security-Policy"] = (
        _TRY_IT_POLICY if request.path.startswith(_TRY_IT_PATH) else _POLICY
    )
    return response


def _refuse_other_sites() -> None:
    """Raise for a write that another site's page makes with this browser's cookie.

    A request with a key in ``Authorization`` passes: no browser adds that by itself.
    """
    if request.method in SAFE_METHODS or "Authorization" in request.headers:
        return
    site = request.headers.get("Sec-Fetch-Site")
    origin = request.headers.get("Origin")
    if (site is not None and site not in _OWN_SITES) or (
        site is None and origin is not None and urlsplit(origin).netloc != request.host
    ):
        raise ForbiddenError(
            f"a page of {origin or 'another site'} may not write here; "
            "programs give an API key as Authorization: Bearer"
        )
