"""A server and a worker in the process of the tests."""

import threading
from collections.abc import Iterator
from dataclasses import dataclass, field

import pytest

from tests.support.app_server import serve_app
from tilework.core.assembly import Services, make_services, make_task_worker
from tilework.core.model.states import TASK_QUEUES
from tilework.core.services.farm.local_solver import LocalSolver
from tilework.core.services.farm.slice_worker import SliceWorker
from tilework.core.services.ports import NoTickets
from tilework.core.settings import Settings
from tilework.core.storage.schema import upgrade
from tilework.web.app import create_app


@dataclass
class LiveServer:
    """A server, and a worker that works while `work_enabled` is set."""

    url: str
    services: Services
    work_enabled: threading.Event = field(default_factory=threading.Event)
    working: threading.Lock = field(default_factory=threading.Lock)

    def pause(self) -> None:
        """Let the worker finish its current work and start nothing else."""
        self.work_enabled.clear()
        with self.working:
            pass


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    settings = Settings.model_validate({"data_dir": tmp_path_factory.mktemp("data")})
    upgrade(settings.database)
    services = make_services(settings, NoTickets())
    working = SliceWorker(services.storage, NoTickets(), settings, LocalSolver(settings.pdb_folder))
    tasks = [make_task_worker(settings, services.storage, queue) for queue in TASK_QUEUES]
    ended = threading.Event()

    def work(server: LiveServer) -> None:
        while not ended.wait(0.02):
            with server.working:
                if server.work_enabled.is_set():
                    working.run("interactive", "test", ended.is_set)
                    working.run("batch", "test", ended.is_set)
                    working.run("search", "test", ended.is_set)
                    for one in tasks:
                        one.run("test", ended.is_set)

    with serve_app(create_app(settings, services), settings) as address:
        server = LiveServer(address, services)
        thread = threading.Thread(target=work, args=(server,))
        thread.start()
        yield server
        ended.set()
        thread.join(30)
    services.storage.dispose()  # type: ignore[attr-defined]
