"""A server and a worker in the process of the tests."""

import threading
from collections.abc import Iterator
from dataclasses import dataclass, field

import pytest

from tests.support.app_server import serve_pages
from tilework.core.assembly import Services, make_task_worker
from tilework.core.model.states import TASK_QUEUES
from tilework.core.services.farm.local_solver import LocalSolver
from tilework.core.services.farm.slice_worker import SliceWorker
from tilework.core.services.tickets import NoTickets


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
    ended = threading.Event()

    def work(server: LiveServer) -> None:
        while not ended.wait(0.02):
            with server.working:
                if server.work_enabled.is_set():
                    working.run("interactive", "test", ended.is_set)
                    working.run("batch", "test", ended.is_set)
                    working.run("search", "test", ended.is_set)
                    for task in tasks:
                        task.run("test", ended.is_set)

    with serve_pages(tmp_path_factory.mktemp("data")) as (address, services):
        storage, settings = services.storage, services.settings
        working = SliceWorker(storage, NoTickets(), settings, LocalSolver(settings.pdb_folder))
        tasks = [make_task_worker(settings, storage, queue) for queue in TASK_QUEUES]
        server = LiveServer(address, services)
        thread = threading.Thread(target=work, args=(server,))
        thread.start()
        yield server
        ended.set()
        thread.join(30)
