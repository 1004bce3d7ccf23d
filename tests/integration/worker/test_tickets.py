import base64
import json
import os
import signal
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
import structlog.testing

from tests.support.broker import on_every_server
from tests.support.waiting import wait_until
from tilework.core.services.tickets import MAX_WAITING
from tilework.worker import tickets as tickets_module
from tilework.worker.tickets import CeleryTickets

pytestmark = on_every_server


def test_ticket_is_an_ordinary_message_of_celery_without_work(broker: Any) -> None:
    tickets = CeleryTickets(broker.url)
    tickets.send("search")
    message = json.loads(broker.redis.lrange("search", 0, -1)[0])
    assert message["content-type"] == "application/json"
    assert message["headers"]["task"] == "tilework.work"
    assert json.loads(base64.b64decode(message["body"]))[:2] == [[], {}]
    tickets.send("batch", 5)
    assert [tickets.depth(name) for name in ("interactive", "batch", "search")] == [0, 5, 1]


def test_full_queue_gets_no_more_tickets(broker: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    tickets = CeleryTickets(broker.url)
    for _ in range(MAX_WAITING):
        tickets.send("interactive")
    tickets.send("search", 100)
    # One for the worker that is idle next, and one more.
    assert (tickets.depth("interactive"), tickets.depth("search")) == (2, MAX_WAITING)
    # Many threads share one sender.
    monkeypatch.setattr(tickets_module, "MAX_WAITING", 40)
    with ThreadPoolExecutor(20) as pool:
        list(pool.map(lambda _: tickets.send("batch", 30), range(10)))
    assert tickets.depth("batch") == 31


def test_hanging_broker_is_avoided(broker: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tickets_module, "PAUSE_S", 3_600.0)
    monkeypatch.setattr(tickets_module, "TIMEOUT_S", 0.4)
    tickets = CeleryTickets(broker.url)
    tickets.send("batch")
    os.kill(broker.server.group, signal.SIGSTOP)
    try:
        tickets.send("batch")
    finally:
        os.kill(broker.server.group, signal.SIGCONT)
    # The ticket that timed out may have arrived.
    count = broker.redis.llen("batch")
    tickets.send("batch", 3)
    assert tickets.depth("batch") is None
    assert broker.redis.llen("batch") == count

    def is_sent_again() -> bool:
        monkeypatch.setattr(tickets, "_down_until", 0.0)
        tickets.send("batch", 3)
        return broker.redis.llen("batch") > count

    wait_until(is_sent_again)


def test_lost_broker_connection_is_replaced(broker: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    unreachable_tickets = CeleryTickets("redis://127.0.0.1:1/0")
    unreachable_tickets.send("interactive")
    assert unreachable_tickets.depth("interactive") is None
    monkeypatch.setattr(tickets_module, "PAUSE_S", 0.0)
    tickets = CeleryTickets(broker.url)
    tickets.send("batch")
    broker.redis.execute_command("CLIENT", "KILL", "SKIPME", "yes", "TYPE", "normal")
    for _ in range(3):
        tickets.send("batch", 3)
    assert broker.redis.llen("batch") >= 3


def test_outage_of_the_broker_is_logged_once(broker: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tickets_module, "PAUSE_S", 0.0)
    tickets = CeleryTickets(broker.url)
    with structlog.testing.capture_logs() as lines:
        broker.redis.config_set("maxmemory", 1)
        for _ in range(5):
            tickets.send("batch")
            assert tickets.depth("batch") == 0, "reading still works"
        broker.redis.config_set("maxmemory", 0)
        tickets.send("batch")
    assert [line["event"] for line in lines] == [
        "sending tickets failed; will try again",
        "sending tickets works again",
    ]
    assert "maxmemory" in lines[0]["reason"]


def test_queues_are_served_in_the_given_order(broker: Any) -> None:
    tickets = CeleryTickets(broker.url)
    with broker.recording_worker("interactive,batch,search") as process:
        broker.redis.set("block", "1")
        tickets.send("search")
        assert broker.wait_for_notes(1) == ["search"]
        for queue in ("search", "batch", "interactive", "lab"):
            tickets.send(queue, 3)
        # A busy worker leaves tickets in the broker, where others can take them.
        assert [tickets.depth(queue) for queue in ("search", "batch", "interactive")] == [3, 3, 3]
        broker.redis.delete("block")
        assert broker.wait_for_notes(10)[1:] == ["interactive"] * 3 + ["batch"] * 3 + ["search"] * 3
        assert tickets.depth("lab") == 3
        process.send_signal(signal.SIGTERM)
        assert process.wait() == 0


def test_signal_ends_the_task_and_then_the_worker(broker: Any) -> None:
    with broker.recording_worker("search") as process:
        broker.redis.set("block", "1")
        CeleryTickets(broker.url).send("search")
        broker.wait_for_notes(1)
        process.send_signal(signal.SIGINT)
        assert process.wait() == 0
        assert broker.wait_for_notes(2) == ["search", "stopped"]
