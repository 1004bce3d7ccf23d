"""An application served as in production, by a thread of the test process."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from tests.support.waiting import wait_until
from tilework.core.assembly import Services
from tilework.core.services.tickets import NoTickets
from tilework.core.settings import Settings
from tilework.core.storage.schema import upgrade
from tilework.web.app import create_app
from tilework.web.server.__main__ import make_server

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIApplication


@contextmanager
def serve_app(app: WSGIApplication, settings: Settings) -> Iterator[str]:
    """Serve on a free local port; yield the URL."""
    server = make_server(app, settings)
    with socket.create_server(("127.0.0.1", 0)) as listener:
        thread = threading.Thread(target=server.run, args=([listener],))
        thread.start()
        try:
            wait_until(lambda: server.started or not thread.is_alive())
            yield f"http://127.0.0.1:{listener.getsockname()[1]}"
        finally:
            server.should_exit = True
            thread.join()


@contextmanager
def serve_pages(folder: Path, **options: object) -> Iterator[tuple[str, Services]]:
    """Serve the pages and the API without workers; yield the URL and the services."""
    settings = Settings.model_validate({"data_dir": folder, **options})
    upgrade(settings.database)
    services = Services(settings, NoTickets())
    with serve_app(create_app(settings, services), settings) as url:
        yield url, services
    services.storage.dispose()  # type: ignore[attr-defined]
