"""A server and a worker in the test process."""

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

    def work(server: LiveServer) -> None:
        while not stopped.wait(0.02):
            with server.work_lock:
                if server.work_enabled.is_set():
                    slice_worker.run("interactive", "test", stopped.is_set)
                    slice_worker.run("batch", "test", stopped.is_set)
                    slice_worker.run("search", "test", stopped.is_set)
                    for task in tasks:
                        task.run("test", stopped.is_set)

    with serve_pages(tmp_path_factory.mktemp("data")) as (url, services):
        storage, settings = services.storage, services.settings
        slice_worker = SliceWorker(storage, NoTickets(), settings, LocalSolver(settings.pdb_folder))
        tasks = [make_task_worker(settings, storage, queue) for queue in TASK_QUEUES]
        server = LiveServer(url, services)
        thread = threading.Thread(target=work, args=(server,))
        thread.start()
        yield server
        stopped.set()
        thread.join(30)
