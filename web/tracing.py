"""A span for each request."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Final

from tilework.core.tracing import span

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

_UNTRACED: Final = ("/healthz", "/readyz", "/metrics", "/static/")
"""Requests of machines and for files, of which there are many."""


class TracedApp:
    """An application whose requests continue the trace of the client, if it sends one."""

    def __init__(self, app: WSGIApplication) -> None:
        self._app = app

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        if environ["PATH_INFO"].startswith(_UNTRACED):
            return self._app(environ, start_response)
        traceparent = environ.get("HTTP_TRACEPARENT")
        with span("request", "server", traceparent=traceparent) as current:

            def start(line: str, headers: list[tuple[str, str]], *error: Any) -> Any:
                # Werkzeug stores the request here, with the rule that matched.
                request = environ.get("werkzeug.request")
                if current is not None and request is not None and request.url_rule is not None:
                    current.update_name(f"{request.method} {request.url_rule.rule}")
                    current.set_attribute("http.request.method", request.method)
                    current.set_attribute("http.route", request.url_rule.rule)
                if current is not None:
                    current.set_attribute("http.response.status_code", int(line[:3]))
                return start_response(line, headers, *error)

            return self._app(environ, start)
