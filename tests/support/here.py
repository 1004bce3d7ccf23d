"""A server in this process, and a worker."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import dataclass, field

import pytest

from tests.support.serving import served
from tilework.core.assembly import Services, make_services, make_task_work
from tilework.core.model.states import TASK_QUEUES
from tilework.core.services.farm.local_solver import LocalSolver
from tilework.core.services.farm.work import Work
from tilework.core.services.ports import NoTickets
from tilework.core.settings import Settings
from tilework.core.storage.schema import upgrade
from tilework.web.app import create_app


@dataclass
class Here:
    """A server, and a worker that works while it is let to."""

    url: str
    services: Services
    may_work: threading.Event = field(default_factory=threading.Event)
    working: threading.Lock = field(default_factory=threading.Lock)

    def pause(self) -> None:
        """Let the worker end what it does, and begin nothing."""
        self.may_work.clear()
        with self.working:
            pass


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Here]:
    settings = Settings.model_validate({"data_dir": tmp_path_factory.mktemp("data")})
    upgrade(settings.database)
    services = make_services(settings, NoTickets())
    working = Work(services.storage, NoTickets(), settings, LocalSolver(settings.pdb_folder))
    tasks = [make_task_work(settings, services.storage, queue) for queue in TASK_QUEUES]
    ended = threading.Event()

    def work(here: Here) -> None:
        while not ended.wait(0.02):
            with here.working:
                if here.may_work.is_set():
                    working.serve("interactive", "test", ended.is_set)
                    working.serve("batch", "test", ended.is_set)
                    working.serve("search", "test", ended.is_set)
                    for one in tasks:
                        one.serve("test", ended.is_set)

    with served(create_app(settings, services), settings) as address:
        here = Here(address, services)
        thread = threading.Thread(target=work, args=(here,))
        thread.start()
        yield here
        ended.set()
        thread.join(30)
    services.storage.dispose()  # type: ignore[attr-defined]
