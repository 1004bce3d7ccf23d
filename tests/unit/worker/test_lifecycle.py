from collections.abc import Callable

import pytest

from tests.support.services.fakes import FakeTickets
from tilework.core.errors import UnavailableError
from tilework.worker.lifecycle import ServeQueue, register_task


class FakeApplication:
    """Replaces Celery's registration, which accepts each task name once per process."""

    work: Callable[[str], None]

    def task(self, *, name: str) -> Callable[[Callable[[str], None]], object]:
        return lambda work: setattr(self, "work", work)


def sent_after(serve: ServeQueue) -> dict[str, int]:
    """The tickets that are sent after one for the queue of batches was taken."""
    app, tickets = FakeApplication(), FakeTickets()
    register_task(app, serve, tickets)  # type: ignore[arg-type]
    app.work("batch")
    return tickets.sent


@pytest.mark.parametrize(("more", "sent"), [(True, {"batch": 1}), (False, {})])
def test_remaining_work_gets_another_ticket(more: bool, sent: dict[str, int]) -> None:
    served: list[str] = []

    def serve(queue: str) -> bool:
        served.append(queue)
        return more

    assert sent_after(serve) == sent
    assert served == ["batch"]


def test_database_outage_fails_no_task() -> None:
    def serve(queue: str) -> bool:
        raise UnavailableError("away", "no database for {queue}", queue=queue)

    assert sent_after(serve) == {}
