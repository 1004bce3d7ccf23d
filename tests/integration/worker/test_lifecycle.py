from __future__ import annotations

import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from tests.integration.worker.note_taker import take_notes
from tests.support.forked import Forked
from tilework.worker.lifecycle import owner_name
from tilework.worker.tickets import CeleryTickets


@contextmanager
def note_taker(broker: Any, queues: str) -> Iterator[Forked]:
    socket_path = broker.redis.get_connection_kwargs()["path"]
    process = Forked(take_notes, broker.url, socket_path, queues)
    try:
        # The broker's own patience is shorter than a busy machine needs.
        assert any(broker.redis.blpop(["ready"], timeout=4) for _ in range(15))
        yield process
    finally:
        process.kill()
        process.wait()


def notes(broker: Any, count: int, seconds: float = 20.0) -> list[str]:
    deadline = time.monotonic() + seconds
    while broker.redis.llen("notes") < count and time.monotonic() < deadline:
        time.sleep(0.01)
    return list(broker.redis.lrange("notes", 0, -1))


def test_the_first_queue_given_goes_first(broker: Any) -> None:
    tickets = CeleryTickets(broker.url)
    with note_taker(broker, "interactive,batch,search"):
        broker.redis.set("hold", "1")
        tickets.send("search")
        assert notes(broker, 1) == ["search"]
        for queue in ("search", "batch", "interactive") * 3:
            tickets.send(queue)
        broker.redis.delete("hold")
        assert notes(broker, 10)[1:] == ["interactive"] * 3 + ["batch"] * 3 + ["search"] * 3


def test_a_queue_that_was_not_given_is_left_alone(broker: Any) -> None:
    tickets = CeleryTickets(broker.url)
    with note_taker(broker, "interactive,batch"):
        tickets.send("search", 2)
        tickets.send("batch")
        assert notes(broker, 1) == ["batch"]
        tickets.send("interactive")
        assert notes(broker, 2) == ["batch", "interactive"]
        assert tickets.depth("search") == 2


def test_a_busy_worker_holds_no_ticket_that_another_could_take(broker: Any) -> None:
    tickets = CeleryTickets(broker.url)
    with note_taker(broker, "batch"):
        broker.redis.set("hold", "1")
        tickets.send("batch", 3)
        notes(broker, 1)
        time.sleep(0.3)
        assert tickets.depth("batch") == 2
        assert notes(broker, 1) == ["batch"]
        broker.redis.delete("hold")


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_a_signal_ends_the_task_and_then_the_worker(broker: Any, number: int) -> None:
    with note_taker(broker, "search") as process:
        broker.redis.set("hold", "1")
        CeleryTickets(broker.url).send("search")
        notes(broker, 1)
        process.send_signal(number)
        assert process.wait(timeout=60) == 0
        assert notes(broker, 2) == ["search", "stopped"]


def test_an_idle_worker_ends_by_itself(broker: Any) -> None:
    with note_taker(broker, "search") as process:
        process.send_signal(signal.SIGTERM)
        assert process.wait(timeout=60) == 0


def test_no_two_owners_have_one_name() -> None:
    assert owner_name() != owner_name()
