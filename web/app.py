"""The web application, where its objects are wired."""

from __future__ import annotations

from flask_openapi import OpenAPI
from werkzeug.middleware.proxy_fix import ProxyFix

from tilework.core.assembly import Services, make_services
from tilework.core.services.ports import NoTickets, Tickets
from tilework.core.settings import Settings, get_settings
from tilework.web.api import (
    batches,
    boards,
    certificates,
    daily,
    hints,
    history,
    jobs,
    pictures,
    service,
    solution_pieces,
    solutions,
)
from tilework.web.api.analyses import games, ways, ways_found
from tilework.web.api.lab import catalogue as lab
from tilework.web.api.lab import comparisons, runs
from tilework.web.assets.compression import install_compression
from tilework.web.assets.static_files import install_static_files
from tilework.web.clients import install_clients
from tilework.web.health import health
from tilework.web.hosts import install_hosts
from tilework.web.i18n import install_languages
from tilework.web.incidents import install_incidents
from tilework.web.limits import install_limits
from tilework.web.long_poll import install_long_polls
from tilework.web.metrics import install_metrics
from tilework.web.openapi.description import INFO, OPENAPI_VERSION, SECURITY
from tilework.web.openapi.page import openapi
from tilework.web.pages import failures
from tilework.web.pages.routes import pages
from tilework.web.problems import install_problems
from tilework.web.security import install_security


def create_app(settings: Settings | None = None, services: Services | None = None) -> OpenAPI:
    """Make the application.

    Parameters
    ----------
    settings : Settings, optional
        Those of the environment where left out.
    services : Services, optional
        Made over the settings' database and broker where left out.
    """
    settings = settings or get_settings()
    services = services or make_services(
        settings, _tickets(settings), settings.web_connections, waits=False
    )
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
    install_hosts(app, settings)
    if settings.trusted_proxies:
        hops = settings.trusted_proxies
        app.wsgi_app = ProxyFix(app.wsgi_app, x_for=hops, x_proto=hops, x_host=hops)  # type: ignore[method-assign]
    install_metrics(app, services)
    install_compression(app)
    install_incidents(app)
    install_security(app, settings)
    install_clients(app, settings)
    install_limits(app, settings)
    install_languages(app)
    install_long_polls(app, settings)
    jobs.install_jobs(app)
    install_problems(app, page=failures.answer)
    puzzles = (jobs, solutions, solution_pieces, certificates, batches, boards)
    asked = (hints, daily, pictures, games, ways, ways_found, history)
    for resource in (*puzzles, *asked, lab, comparisons, runs, service):
        app.register_api(resource.api)
    for blueprint in (pages, openapi, health):
        app.register_blueprint(blueprint)
    return app


def _tickets(settings: Settings) -> Tickets:
    if not settings.broker_url:
        return NoTickets()
    from tilework.worker.messenger import Messenger
    from tilework.worker.tickets import CeleryTickets

    return Messenger(CeleryTickets(settings.broker_url))
