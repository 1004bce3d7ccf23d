"""An application served as in production, by a thread of the test process."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.support.pending_work import make_worker
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


@dataclass
class LiveServer:
    """A server, and a worker that is active while `work_enabled` is set."""

    url: str
    services: Services
    work_enabled: threading.Event = field(default_factory=threading.Event)
    work_lock: threading.Lock = field(default_factory=threading.Lock)

    def pause(self) -> None:
        """Let the worker finish its current work and start nothing else."""
        self.work_enabled.clear()
        with self.work_lock:
            pass


@pytest.fixture(scope="module")
def module_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    stopped = threading.Event()

    def run(server: LiveServer) -> None:
        work = make_worker(
            server.services, lambda: stopped.is_set() or not server.work_enabled.is_set()
        )
        while not stopped.wait(0.02):
            with server.work_lock:
                if server.work_enabled.is_set():
                    work()

    with serve_pages(tmp_path_factory.mktemp("data")) as (url, services):
        server = LiveServer(url, services)
        thread = threading.Thread(target=run, args=(server,))
        thread.start()
        yield server
        stopped.set()
        thread.join(30)
