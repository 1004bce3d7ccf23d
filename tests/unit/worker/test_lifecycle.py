from collections.abc import Callable

import pytest

from tests.support.services.fakes import FakeTickets
from tilework.core.errors import UnavailableError
from tilework.worker.lifecycle import ServeQueue, register_task


class FakeApplication:
    """Replaces Celery's registration, which accepts a task name only once per process."""

    work: Callable[[str], None]

    def task(self, *, name: str) -> Callable[[Callable[[str], None]], object]:
        return lambda work: setattr(self, "work", work)


def run_task(serve: ServeQueue) -> dict[str, int]:
    """Process a ticket for the batch queue; return the tickets that are sent afterwards."""
    app, tickets = FakeApplication(), FakeTickets()
    register_task(app, serve, tickets)  # type: ignore[arg-type]
    app.work("batch")
    return tickets.sent


@pytest.mark.parametrize(("has_more", "sent"), [(True, {"batch": 1}), (False, {})])
def test_remaining_work_gets_another_ticket(has_more: bool, sent: dict[str, int]) -> None:
    queues: list[str] = []

    def serve(queue: str) -> bool:
        queues.append(queue)
        return has_more

    assert run_task(serve) == sent
    assert queues == ["batch"]


def test_database_outage_fails_no_task() -> None:
    def serve(queue: str) -> bool:
        raise UnavailableError("unavailable", "no database for {queue}", queue=queue)

    assert run_task(serve) == {}
