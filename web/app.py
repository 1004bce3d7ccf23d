"""The Flask application."""

from __future__ import annotations

import threading
from collections import Counter
from typing import Final

from flask import Flask
from flask_openapi import OpenAPI

from tilework.core.assembly import Services
from tilework.core.logs import configure_logs
from tilework.core.machine import release_memory
from tilework.core.periodic_thread import PeriodicThread
from tilework.core.services.reconciler import Deadlines
from tilework.core.services.tickets import NoTickets, Tickets
from tilework.core.settings import Settings, get_settings
from tilework.core.tracing import start_tracing
from tilework.web.api import (
    batches,
    boards,
    comparisons,
    games,
    hints,
    history,
    jobs,
    lab,
    operation,
    pictures,
    runs,
    shortest_solutions,
    solutions,
    webhooks,
)
from tilework.web.assets import install_static_files
from tilework.web.clients import install_clients
from tilework.web.events import install_event_streams
from tilework.web.i18n import install_languages
from tilework.web.metrics import health, install_metrics, name_metrics_file
from tilework.web.middleware import install_middleware, trace
from tilework.web.openapi import INFO, OPENAPI_VERSION, SECURITY, openapi
from tilework.web.pages import site
from tilework.web.pages.routes import pages
from tilework.web.problems import install_error_log, install_problems

WEB_CONNECTIONS: Final = 20
"""The most database connections of a web process."""


def create_app(settings: Settings | None = None, services: Services | None = None) -> OpenAPI:
    """Create the application, by default with settings from the environment."""
    settings = settings or get_settings()
    services = services or Services(settings, _tickets(settings), WEB_CONNECTIONS)
    app = OpenAPI(
        __name__,
        info=INFO,
        security_schemes=SECURITY,
        openapi_extensions={"openapi": OPENAPI_VERSION, "security": [{}, {"key": []}]},
        doc_ui=False,
        static_folder=None,
    )
    app.config["MAX_CONTENT_LENGTH"] = settings.max_body_bytes
    app.extensions["tilework"] = services
    install_static_files(app)
    install_middleware(app, settings, install_metrics(app, services))
    install_error_log(app)
    install_clients(app, settings)
    install_languages(app)
    install_event_streams(app, services)
    install_problems(app, page=site.error_page)
    for api in (  # in the order of the API reference
        jobs.api,
        solutions.api,
        batches.api,
        boards.api,
        hints.api,
        boards.daily_api,
        pictures.api,
        games.api,
        shortest_solutions.api,
        history.api,
        webhooks.api,
        lab.api,
        comparisons.api,
        runs.api,
        operation.service_api,
        operation.api,
    ):
        app.register_api(api)
    for blueprint in (pages, openapi, health):
        app.register_blueprint(blueprint)
    return app


def _tickets(settings: Settings) -> Tickets:
    if not settings.broker_url:
        return NoTickets()
    from tilework.worker.tickets import CeleryTickets

    return TicketSender(CeleryTickets(settings.broker_url))


# How often expired jobs are ended, and how long their workers have to do so first (seconds).
_INTERVAL_S: Final = 1.0
_DEADLINE_GRACE_S: Final = 2.0


def serve(name: str | None = None) -> Flask:
    """Create the application of a web process, and start its background thread."""
    configure_logs(name or "web")
    if name is not None:
        name_metrics_file(name)
    app = create_app()
    services: Services = app.extensions["tilework"]
    start_tracing(services.settings, "tilework-web")
    if services.settings.tracing:
        app.wsgi_app = trace(app.wsgi_app)  # type: ignore[assignment]
    # Workers do this too, but none may be running.
    deadlines = Deadlines(services.storage, _DEADLINE_GRACE_S)

    def run_once() -> None:
        # Large responses leave much free memory behind.
        release_memory()
        deadlines.run_once()

    PeriodicThread("housekeeping", run_once, _INTERVAL_S).start()
    return app


class TicketSender:
    """Sends tickets asynchronously. Thread-safe."""

    def __init__(self, tickets: Tickets) -> None:
        self._tickets = tickets
        self._pending: Counter[str] = Counter()
        self._added = threading.Condition()
        self._thread: threading.Thread | None = None

    def send(self, queue: str, count: int = 1) -> None:
        """Send tickets to a queue as soon as the previous ones have been sent."""
        with self._added:
            self._pending[queue] += count
            if self._thread is None:
                # Started on first use, because threads do not survive a fork.
                self._thread = threading.Thread(target=self._run, name="tickets", daemon=True)
                self._thread.start()
            self._added.notify()

    def depth(self, queue: str) -> int | None:
        return self._tickets.depth(queue)

    def find_problem(self) -> str | None:
        return self._tickets.find_problem()

    def _run(self) -> None:
        while True:
            with self._added:
                while not self._pending:
                    self._added.wait()
                pending, self._pending = self._pending, Counter()
            for queue, count in pending.items():
                self._tickets.send(queue, count)
