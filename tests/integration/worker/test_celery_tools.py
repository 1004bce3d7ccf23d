"""Celery's own commands and Flower see the workers, and what each of them is at."""

import json
import os
import subprocess
import sys
from typing import Any

import httpx2

from tests.support.servers import free_port
from tests.support.waiting import wait_until
from tilework.worker.tickets import CeleryTickets

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
