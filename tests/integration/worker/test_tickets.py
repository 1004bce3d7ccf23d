from __future__ import annotations

import base64
import json
import os
import signal
import socket
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from kombu.exceptions import OperationalError

from tilework.worker import tickets as tickets_module
from tilework.worker.celery_app import create_celery
from tilework.worker.tickets import CeleryTickets


def test_a_ticket_is_json_with_nothing_but_a_queue(broker: Any) -> None:
    CeleryTickets(broker.url).send("search")
    message = json.loads(broker.redis.lrange("search", 0, -1)[0])
    assert message["content-type"] == "application/json"
    assert message["headers"]["task"] == "tilework.work"
    assert json.loads(base64.b64decode(message["body"]))[:2] == [["search"], {}]


def test_depth_counts_each_queue_by_itself(broker: Any) -> None:
    tickets = CeleryTickets(broker.url)
    tickets.send("batch", 5)
    tickets.send("interactive")
    assert [tickets.depth(name) for name in ("interactive", "batch", "search")] == [1, 5, 0]


def test_many_threads_share_one_sender(broker: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tickets_module, "MOST_WAITING", 1_000)
    tickets = CeleryTickets(broker.url)
    with ThreadPoolExecutor(40) as pool:
        list(pool.map(lambda _: tickets.send("interactive", 5), range(100)))
    assert tickets.depth("interactive") == 500


def test_a_queue_with_plenty_of_tickets_gets_no_more(broker: Any) -> None:
    tickets = CeleryTickets(broker.url)
    for _ in range(20):
        tickets.send("interactive", 3)
    assert tickets.depth("interactive") == tickets_module.MOST_WAITING
    tickets.send("search", 100)
    assert tickets.depth("search") == tickets_module.MOST_WAITING


def test_without_a_broker_sending_is_quick_and_silent() -> None:
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    tickets = CeleryTickets(f"redis://127.0.0.1:{port}/0")
    tickets.send("interactive")
    assert tickets.depth("interactive") is None


def test_a_broker_that_hangs_is_given_up_and_left_alone_for_a_while(
    broker: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    tickets = CeleryTickets(broker.url)
    tickets.send("batch")
    os.kill(broker.child.group, signal.SIGSTOP)
    try:
        began = time.monotonic()
        tickets.send("batch")
        assert time.monotonic() - began < 10 * tickets_module.TIMEOUT_S
        # Nobody waits again until the pause is over: fifty sends take less than two time-outs.
        began = time.monotonic()
        for _ in range(50):
            tickets.send("batch")
        assert time.monotonic() - began < 2 * tickets_module.TIMEOUT_S
    finally:
        os.kill(broker.child.group, signal.SIGCONT)
    monkeypatch.setattr(tickets, "_down_until", 0.0)
    before = tickets.depth("batch")
    tickets.send("batch")
    assert before is not None
    assert tickets.depth("batch") == before + 1


def test_a_broker_that_came_back_is_used_again(
    broker: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tickets_module, "PAUSE_S", 0.0)
    tickets = CeleryTickets(broker.url)
    tickets.send("batch")
    broker.redis.execute_command("CLIENT", "KILL", "SKIPME", "yes", "TYPE", "normal")
    for _ in range(3):
        tickets.send("batch")
    depth = tickets.depth("batch")
    assert depth is not None
    assert depth >= 3


def test_a_worker_tries_to_reach_its_broker_every_few_seconds(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("kombu.utils.functional.sleep", lambda _: None)
    pauses: list[float] = []
    app = create_celery("redis://127.0.0.1:1/0", lambda *_: None)
    with app.connection_for_read() as connection, pytest.raises(OperationalError):
        connection.ensure_connection(lambda _error, pause: pauses.append(pause), max_retries=20)
    assert len(pauses) == 20
    assert max(pauses) <= 5
