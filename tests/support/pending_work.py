"""Runs the pending work of services in the calling process."""

from collections.abc import Callable

from tilework.core.assembly import Services, make_task_worker
from tilework.core.model.states import TASK_QUEUES
from tilework.core.services.farm.local_solver import LocalSolver
from tilework.core.services.farm.slice_worker import SliceWorker
from tilework.core.services.tickets import NoTickets


def make_worker(
    services: Services, should_stop: Callable[[], bool] = lambda: False
) -> Callable[[], None]:
    """Return a function that runs all pending work of these services, as workers would."""
    storage, settings = services.storage, services.settings
    farm = SliceWorker(storage, NoTickets(), settings, LocalSolver(settings.pdb_folder))
    tasks = [make_task_worker(settings, storage, queue) for queue in TASK_QUEUES]

    def work() -> None:
        for queue in ("interactive", "batch", "search"):
            while not should_stop() and farm.run(queue, "tests", should_stop).has_more:
                pass
        for task_worker in tasks:
            while not should_stop() and task_worker.run("tests", should_stop).has_more:
                pass

    return work
