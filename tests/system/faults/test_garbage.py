"""What a worker of Celery does with what other programs write into its broker."""

import base64
import json
import os
import pickle
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import httpx2
import pytest

from tests.support.servers import free_port
from tests.support.waiting import wait_until
from tilework.core.model.states import Queue
from tilework.core.services.reconciler import Reconciler
from tilework.core.storage.database import Database
from tilework.worker.tickets import CeleryTickets

QUEUES = "interactive,batch,search"


@pytest.fixture
def ticket(broker: Any) -> dict[str, Any]:
    """A ticket as it was sent, read back from the broker."""
    CeleryTickets(broker.url).send("search")
    message: dict[str, Any] = json.loads(broker.redis.rpop("search"))
    return message


def encode(content: Any) -> str:
    return base64.b64encode(json.dumps(content).encode()).decode()


def make_garbage(ticket: dict[str, Any]) -> dict[str, bytes]:
    def change_ticket(**changes: Any) -> bytes:
        return json.dumps(ticket | changes).encode()

    data = base64.b64encode(pickle.dumps([[], {}, {}])).decode()
    embed = {"callbacks": None, "errbacks": None, "chain": None, "chord": None}
    return {
        "nothing": b"",
        "not text": b"\xff\xfe\x00\x80",
        "number": b"1" * 5_000,
        "list": b"[]",
        "deep": b"[" * 100_000,
        "no body": json.dumps({k: v for k, v in ticket.items() if k != "body"}).encode(),
        "body is not base64": change_ticket(body="!!!"),
        "body is no JSON": change_ticket(body=base64.b64encode(b"hello").decode()),
        "body is an object": change_ticket(body=encode({"queue": "search"})),
        "no headers": change_ticket(headers=None),
        "no properties": change_ticket(properties={}),
        "unknown task": change_ticket(headers=ticket["headers"] | {"task": "os.system"}),
        "another type": change_ticket(**{"content-type": "text/plain"}),
        "pickle": change_ticket(**{"content-type": "application/x-python-serialize"}, body=data),
        "an argument": change_ticket(body=encode([["lab"], {}, embed])),
        "10 MB": change_ticket(body=encode([["x" * 7_500_000], {}, embed])),
    }


def test_worker_goes_on_after_garbage(broker: Any, ticket: dict[str, Any], tmp_path: Path) -> None:
    log = tmp_path / "log"
    with broker.recording_worker(QUEUES, log) as process:
        for number, (name, message) in enumerate(make_garbage(ticket).items(), 1):
            broker.redis.lpush("search", message, json.dumps(ticket).encode())
            assert broker.wait_for_notes(number) == ["search"] * number, name
            assert process.is_alive(), name
        assert broker.redis.llen("search") == 0  # none is requeued
        process.send_signal(signal.SIGTERM)
        assert process.wait() == 0


def test_key_that_is_not_a_list_is_set_aside(broker: Any) -> None:
    wrong_types = {
        "string": lambda: broker.redis.set("search", "x" * 100),
        "hash": lambda: broker.redis.hset("search", "x", "y"),
        "set": lambda: broker.redis.sadd("search", "x"),
    }
    counted: list[str] = []
    tickets = CeleryTickets(broker.url, counted.append)
    with broker.recording_worker(QUEUES) as process:
        for number, (kind, store) in enumerate(wrong_types.items(), 1):
            broker.redis.delete("search")
            store()
            # As a reconciler does, in this or another process.
            tickets.send("search")
            assert broker.wait_for_notes(number) == ["search"] * number, kind
            assert process.is_alive()
    assert counted == ["search"] * len(wrong_types)
    assert broker.redis.keys("foreign:*") == ["foreign:search"]


def test_garbage_in_queues_without_work_is_set_aside(broker: Any, sqlite_url: str) -> None:
    """A worker reads all its queues, and would lose its connection once a message."""
    database, tickets = Database(sqlite_url), CeleryTickets(broker.url)
    for store in (
        lambda name: broker.redis.lpush(name, *["x"] * 2_000),
        lambda name: broker.redis.set(name, "x"),
    ):
        for queue in Queue:
            store(queue)
        Reconciler(database, tickets).run_once()
        assert [broker.redis.exists(queue) for queue in Queue] == [0] * len(Queue)
    database.dispose()


def test_worker_waits_while_the_broker_rejects_commands(broker: Any, tmp_path: Path) -> None:
    """Like a broker whose disk is full."""
    log = tmp_path / "log"
    with broker.recording_worker(QUEUES, log) as process:
        broker.redis.config_set("min-replicas-to-write", 1)
        try:
            wait_until(lambda: "NOREPLICAS" in log.read_text())
            assert process.is_alive()
        finally:
            broker.redis.config_set("min-replicas-to-write", 0)
        CeleryTickets(broker.url).send("search")
        broker.wait_for_notes(1)


PATIENCE = ("--timeout", "60", "--destination", "w@h", "--json")


def celery_command(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "celery", "--app", "tilework.worker.app", *arguments]


def environment(broker: Any) -> dict[str, str]:
    return os.environ | {"TILEWORK_BROKER_URL": broker.url, "FLOWER_UNAUTHENTICATED_API": "1"}


def celery(broker: Any, *arguments: str) -> Any:
    command = celery_command(*arguments, *PATIENCE)
    return json.loads(subprocess.check_output(command, env=environment(broker)))


def subscribers(broker: Any) -> set[str]:
    """Return the connections that receive messages of remote control."""
    clients = broker.redis.client_list(_type="pubsub")
    return {client["id"] for client in clients if int(client["sub"]) + int(client["psub"])}


def test_remote_control_answers_while_the_worker_works(broker: Any) -> None:
    with broker.recording_worker("batch,search") as process:
        broker.redis.set("block", "1")
        CeleryTickets(broker.url).send("search")
        broker.wait_for_notes(1)
        [task] = celery(broker, "inspect", "active")["w@h"]
        assert (task["name"], task["delivery_info"]["routing_key"]) == ("tilework.work", "search")
        assert task["kwargs"] == {"solves": ["s"], "jobs": ["j"]}
        listening = subscribers(broker)
        broker.redis.execute_command("CLIENT", "KILL", "TYPE", "pubsub")
        wait_until(lambda: subscribers(broker) - listening)
        assert celery(broker, "inspect", "ping") == {"w@h": {"ok": "pong"}}
        subprocess.run(
            celery_command("control", "shutdown"), env=environment(broker), check=False
        )  # a worker that ends does not answer
        assert process.wait() == 0


def test_flower_lists_workers_and_tasks(broker: Any) -> None:
    port = free_port()
    command = celery_command("flower", "--address=127.0.0.1", f"--port={port}")
    with (
        broker.recording_worker("search"),
        subprocess.Popen(command, env=environment(broker), stderr=subprocess.DEVNULL) as flower,
        httpx2.Client(base_url=f"http://127.0.0.1:{port}/api", timeout=60) as client,
    ):

        def fetch(path: str) -> Any:
            try:
                return client.get(path).json()
            except httpx2.ConnectError:  # it is starting
                return {}

        def lists_a_task() -> bool:
            # It asks workers for their events every few seconds.
            CeleryTickets(broker.url).send("search")
            tasks = fetch("/tasks").values()
            return ("tilework.work", "SUCCESS") in [(task["name"], task["state"]) for task in tasks]

        try:
            wait_until(lists_a_task)
            [(name, worker)] = fetch("/workers?refresh=true").items()
            assert name == "w@h"
            assert [queue["name"] for queue in worker["active_queues"]] == ["search"]
        finally:
            flower.terminate()
