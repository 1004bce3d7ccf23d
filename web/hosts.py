"""The name under which a request asks for this service, which whoever sends it may make up.

Nothing that is done rests on it: links and redirects are paths, and what is no name counts as
absent. Only what is to be read elsewhere, the address in a QR code, a frame or a link's preview,
has it, and no shared cache keeps that.
An operator may have all names but his own refused.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import partial
from typing import TYPE_CHECKING, Final

from flask import Flask, request
from werkzeug.exceptions import SecurityError
from werkzeug.wsgi import get_host

from tilework.core.messages import Message
from tilework.core.settings import Settings
from tilework.web.problems import FOREIGN_HOST, ProblemError

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

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
